import { z } from "@hono/zod-openapi";

/** One e-mail address, in lower case: within the platform it is the same however it is spelt. */
export const Email = z.email().max(254).toLowerCase();
