// The path that the routes of deliveries share.

import { z } from "@hono/zod-openapi";

export const DeliveryPath = z.object({ delivery_id: z.string() });
