// An asynchronous query is waited for by looking at its row, each time after a longer pause.

import type { Needs } from "../../../clients/context.ts";
import type { AsyncQuery } from "./async-query.ts";
import { endIfLost } from "./finish.ts";
import { findQuery } from "./store.ts";

/** Each pause is twice as long as the one before, up to the longest. */
export type Waits = { waitMs: number; firstPauseMs: number; pauseMsMax: number };

/** Renews the query's lease, and waits. Undefined where the query is forgotten meanwhile. */
export async function waitForEnd(
  ctx: Needs<"scope" | "db" | "openEngine" | "openLake">,
  query: AsyncQuery,
  { waitMs, firstPauseMs, pauseMsMax }: Waits,
): Promise<AsyncQuery | undefined> {
  let pauseMs = firstPauseMs;
  let state = await endIfLost(ctx, query, ctx.scope.now);
  for (let waitedMs = 0; state?.endedAt === null && waitedMs < waitMs; ) {
    await scheduler.wait(pauseMs);
    waitedMs += pauseMs;
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    state = await findQuery(ctx.db, query.teamId, query.id);
  }
  return state;
}
