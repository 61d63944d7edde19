// The integrations of the team are read whole, by one question for all screens.

import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client.ts";
import type { components } from "./schema.d.ts";

export type Integration = components["schemas"]["Integration"];

/** The longest page that the API answers. */
const ALL_MAX = 1_000;

export const integrationsQuery = queryOptions({
  queryKey: ["integrations", "all"],
  queryFn: async (): Promise<Integration[]> =>
    (await bodyOf(api.GET("/v1/api/integrations", { params: { query: { limit: ALL_MAX } } }))).data,
});
