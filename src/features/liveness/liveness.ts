// The noun: that this Worker answers at all.

import { z } from "@hono/zod-openapi";

/** Specification §Liveness: strings mapped to booleans. */
export const Liveness = z.object({ api: z.boolean() }).openapi("Liveness");
export type Liveness = z.infer<typeof Liveness>;

export const getLiveness = (): Liveness => ({ api: true });
