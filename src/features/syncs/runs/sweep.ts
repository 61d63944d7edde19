import { LIMITS } from "../../../core/limits.ts";
import { finishRemovals } from "../finish-removals.ts";
import { deleteRunsBefore, selectOverdue } from "./store.ts";
import type { SyncRunDeps } from "./step/run-deps.ts";

/**
 * Wakes up runs whose message was lost or whose step died, ends what is being removed, and forgets runs of long ago.
 */
export async function sweepSyncRuns(
  deps: Pick<SyncRunDeps, "db" | "wakeUps" | "openLake">,
  at: Date,
): Promise<{ syncRunsWoken: number; syncsRemoved: number; syncRunsForgotten: number }> {
  const { db, wakeUps } = deps;
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  const overdue = await selectOverdue(db, before(LIMITS.syncWakeUpLostMs), LIMITS.syncWakeUpsPerSweepMax);
  await wakeUps.sendAll("sync_run", overdue);
  const removed = await finishRemovals(deps, { plannedBefore: before(LIMITS.syncPlannedMsMax) });
  const forgotten = await deleteRunsBefore(db, before(LIMITS.syncRunKeptMs), LIMITS.syncRunsForgottenPerSweepMax);
  return { syncRunsWoken: overdue.length, syncsRemoved: removed, syncRunsForgotten: forgotten.length };
}
