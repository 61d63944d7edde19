import { WORK_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import type { WorkKind } from "./kind.ts";
import { deleteRunsBefore, selectClaimed, selectOverdue } from "./store.ts";
import { selectWaitingTeams, wakeWaiting } from "./waiting/wake-next.ts";

/** Wakes up the runs whose message was lost or whose step died, and forgets runs of long ago. */
export async function sweepRuns(
  { runs, wakeUp }: Pick<WorkKind, "wakeUp"> & { runs: Pick<WorkKind["runs"], "table" | "isItsTurn"> },
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ woken: number; forgotten: number }> {
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  const rowsMax = WORK_LIMITS.wakeUpsPerSweepMax;
  const overdue = await selectOverdue(db, runs, {
    at: at.toISOString(),
    dueBefore: before(WORK_LIMITS.wakeUpLostMs),
    rowsMax,
  });
  await wakeUps.sendAll(wakeUp, overdue);
  // A step that dies between two ticks is followed when its claim runs out, and not only by the next tick.
  const claimed = await selectClaimed(db, runs.table, at.toISOString(), rowsMax);
  await wakeUps.sendAll(wakeUp, claimed, WORK_LIMITS.claimMs);
  const teamIds = await selectWaitingTeams(db, runs.table, rowsMax);
  const first = await wakeWaiting({ wakeUp, runs }, { db, wakeUps }, { teamIds, at });
  const forgotten = await deleteRunsBefore(
    db,
    runs.table,
    before(WORK_LIMITS.keptMs),
    WORK_LIMITS.forgottenPerSweepMax,
  );
  return { woken: overdue.length + first, forgotten };
}
