import { LIMITS } from "../../../core/limits.ts";
import { finishRemovals } from "../finish-removals.ts";
import { nudgeRuns } from "./wake-up.ts";
import { openRunMatter } from "./step/run-deps.ts";
import { deleteRunsBefore, selectOverdue } from "./store.ts";

/** Nudges runs whose nudge was lost or whose step died, ends what is being removed, and forgets runs of long ago. */
export async function sweepSyncRuns(
  env: Env,
  at: Date,
): Promise<{ syncRunsNudged: number; syncsRemoved: number; syncRunsForgotten: number }> {
  const matter = openRunMatter(env);
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  const overdue = await selectOverdue(matter.db, before(LIMITS.syncNudgeLostMs), LIMITS.syncNudgesPerSweepMax);
  await nudgeRuns(env, overdue);
  const removed = await finishRemovals(matter, { plannedBefore: before(LIMITS.syncPlannedMsMax) });
  const forgotten = await deleteRunsBefore(
    matter.db,
    before(LIMITS.syncRunKeptMs),
    LIMITS.syncRunsForgottenPerSweepMax,
  );
  return { syncRunsNudged: overdue.length, syncsRemoved: removed, syncRunsForgotten: forgotten.length };
}
