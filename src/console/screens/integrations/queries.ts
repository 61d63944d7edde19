// The screen of integrations asks the API for these.

import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "../../api/client.ts";

const ALL_MAX = 1_000;
/** A test stays known for as long as the page is open: nobody wants to wait for a database again. */
const TEST_KEPT_MS = Number.POSITIVE_INFINITY;

export const syncsQuery = queryOptions({
  queryKey: ["syncs", "all"],
  queryFn: () => bodyOf(api.GET("/v1/api/syncs", { params: { query: { limit: ALL_MAX } } })),
});

/** Asked only by a button: a test opens a connection. */
export const testQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["integration-tests", integrationId],
    queryFn: async () => ({
      at: new Date().toISOString(),
      tested: await bodyOf(
        api.POST("/v1/api/integrations/{integration_id}/test", { params: { path: { integration_id: integrationId } } }),
      ),
    }),
    enabled: false,
    retry: false,
    staleTime: TEST_KEPT_MS,
    gcTime: TEST_KEPT_MS,
  });
