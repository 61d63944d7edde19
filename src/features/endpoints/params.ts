// The path that the routes of endpoints share.

import { z } from "@hono/zod-openapi";

export const EndpointIdPath = z.object({ endpoint_id: z.string() });
