// A request's identity and age, as answers carry them.

import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { Call } from "./call.ts";

export type Meta = { requestId: string; durationMs: number };

export const metaOf = ({ requestId, startedAt }: Pick<Call, "requestId" | "startedAt">): Meta => ({
  requestId,
  durationMs: durationSince(startedAt),
});

export const durationMs = (c: Context<AppEnv>): number => durationSince(c.get("startedAt"));

/** The runtime's clock stands still between I/O, so pure computation counts as nothing. */
export const durationSince = (startedAt: number): number => roundMs(performance.now() - startedAt);

/** To a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10;
