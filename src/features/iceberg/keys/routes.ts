// /v1/api/integrations/{integration_id}/lake_key

import { z } from "@hono/zod-openapi";
import { nothing, succeeded } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { createLakeKey } from "./create.ts";
import { deleteLakeKey } from "./delete.ts";
import { MintedLakeKey } from "./lake-key.ts";

export const lakeKeys = createRouter(["Integrations", "Extensions"]);

const params = z.object({ integration_id: z.string() });

lakeKeys.operation("createLakeKey", "POST /{integration_id}/lake_key", {
  permission: "integrations:write",
  audit: "lake_key.create",
  summary: "Make the key by which a team's own Trino reads its lake",
  description:
    "Of an integration of type `trino`. It reads the tables of the integration's lake by the Iceberg catalog, and opens nothing " +
    "else. It is shown this once, within the file that the cluster is to have; its hash is kept. The key before ends.",
  params,
  answer: succeeded("The key", MintedLakeKey.extend({ success: z.literal(true) }).openapi("CreatedLakeKey"), 201),
  run: async (ctx, { params }) => createLakeKey(ctx, params.integration_id, new URL(ctx.request.url).origin),
});

lakeKeys.operation("deleteLakeKey", "DELETE /{integration_id}/lake_key", {
  permission: "integrations:write",
  audit: "lake_key.delete",
  summary: "Revoke the key by which a team's own Trino reads its lake",
  description: "The next request with it is refused. The cluster's statements on the lake fail from then on.",
  params,
  answer: nothing("Revoked"),
  run: (ctx, { params }) => deleteLakeKey(ctx, params.integration_id),
});
