// The paths and queries that the routes of syncs share.

import { z } from "@hono/zod-openapi";

export const IntegrationPath = z.object({
  integration_id: z.string().openapi({ description: "The database that is read." }),
});
export const RunPath = IntegrationPath.extend({ run_id: z.string() });

/** Needed only where an integration has more than one sync. */
export const AddressQuery = z.strictObject({
  dest_schema: z
    .string()
    .optional()
    .openapi({ description: "Which sync, where the integration has several: the one into this schema." }),
  dest_integration_id: z
    .string()
    .optional()
    .openapi({ description: "Which sync, where the integration has several: the one into this lake." }),
});
