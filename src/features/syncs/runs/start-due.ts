// The tick: due syncs are claimed, their runs recorded and woken up. What was missed while nothing ticked runs once.

import { newId } from "../../../core/ids.ts";
import { SYNC_LIMITS } from "../limits.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { Needs } from "../../../clients/context.ts";
import type { RunName } from "../../work-model/run.ts";
import { advanceDue, findDue, selectDue, type DueSync } from "../store.ts";
import { nextRunOf } from "../timetable.ts";
import { insertTickRuns, SYNC_LINE } from "./store.ts";
import { wakeWaiting } from "../../work-model/waiting/wake-next.ts";

/**
 * Starts a run of every sync that is due, up to its bounds; in turns between teams, the longest due of each first. What
 * a team has beyond its bound comes with the next tick, where it is the longest due.
 */
export async function startDueSyncs(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ syncRunsStarted: number }> {
  const { runsPerTickMax: rowsMax, runsPerTickOfTeamMax: perTeamMax } = SYNC_LIMITS;
  const due = await selectDue(db, at.toISOString(), { rowsMax, perTeamMax });
  let started = 0;
  for (let from = 0; from < due.length; from += SYNC_LIMITS.runsPerClaimMax) {
    const runs = await claimDue(db, due.slice(from, from + SYNC_LIMITS.runsPerClaimMax), at);
    await wakeWaiting(SYNC_LINE, { db, wakeUps }, { teamIds: runs.map(({ teamId }) => teamId), at });
    started += runs.length;
  }
  return { syncRunsStarted: started };
}

/** A sync that became due while it ran runs again as soon as it has ended. */
export async function startDueSync(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  teamId: string,
  syncId: string,
  now: Date,
): Promise<void> {
  const due = await findDue(db, teamId, syncId, now.toISOString());
  if (!due) return;
  const runs = await claimDue(db, [due], now);
  if (runs.length > 0) await wakeWaiting(SYNC_LINE, { db, wakeUps }, { teamIds: [teamId], at: now });
}

/** Each once, however many try: the run is recorded only at the tick that was seen, and the tick moves on with it. */
async function claimDue(db: Db, due: DueSync[], at: Date): Promise<RunName[]> {
  if (due.length === 0) return [];
  const claims = due.map((sync) => ({
    syncId: sync.id,
    runId: newId(at),
    seen: sync.nextRunAt,
    next: nextRunOf(sync, at).toISOString(),
  }));
  const [runs] = await db.batch([insertTickRuns(db, claims, at), advanceDue(db, claims)]);
  return runs;
}
