// A request's identity and age, as answers carry them.

import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

export type Meta = { requestId: string; durationMs: number };

export const metaOf = (c: Context<AppEnv>): Meta => ({ requestId: c.get("requestId"), durationMs: durationMs(c) });

/** The runtime's clock stands still between I/O, so pure computation counts as nothing. */
export const durationMs = (c: Context<AppEnv>): number => roundMs(performance.now() - c.get("startedAt"));

/** To a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10;
