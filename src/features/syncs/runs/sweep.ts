import { SYNC_LIMITS } from "../limits.ts";
import { finishRemovals } from "../finish-removals.ts";
import { sweepRuns } from "../../work-model/sweep.ts";
import type { SyncRunDeps } from "./step/run-deps.ts";
import { SYNC_WORK } from "./step/sync-work.ts";

/**
 * Wakes up runs whose message was lost or whose step died, ends what is being removed, and forgets runs of long ago.
 */
export async function sweepSyncRuns(
  deps: Pick<SyncRunDeps, "db" | "wakeUps" | "openLake">,
  at: Date,
): Promise<{ syncRunsWoken: number; syncsRemoved: number; syncRunsForgotten: number }> {
  const { woken, forgotten } = await sweepRuns(SYNC_WORK, deps, at);
  const plannedBefore = new Date(at.getTime() - SYNC_LIMITS.plannedMsMax).toISOString();
  const removed = await finishRemovals(deps, { plannedBefore });
  return { syncRunsWoken: woken, syncsRemoved: removed, syncRunsForgotten: forgotten };
}
