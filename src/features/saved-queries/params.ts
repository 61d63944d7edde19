// The path that the routes of saved queries share.

import { z } from "@hono/zod-openapi";

export const SavedQueryPath = z.object({ query_id: z.string() });
