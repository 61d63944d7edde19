// The tick: due syncs are claimed, their runs recorded, and nudged. What was missed while nothing ticked runs once.

import { newId } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { nextDue } from "../../../core/schedule.ts";
import { openDb, type Db } from "../../../platform/db/client.ts";
import { nudgeRuns, type RunName } from "./wake-up.ts";
import type { RunMatter } from "./step/run-deps.ts";
import { advanceDue, findDue, selectDue, type DueSync } from "../store.ts";
import { insertTickRuns } from "./store.ts";

/** Starts a run of every sync that is due, up to its bound; the longest due come first. */
export async function startDueSyncs(env: Pick<Env, "DB" | "NUDGES">, at: Date): Promise<{ syncRunsStarted: number }> {
  const db = openDb(env.DB);
  let started = 0;
  for (let looked = 0; looked < LIMITS.syncRunsPerTickMax; looked += LIMITS.syncRunsPerClaimMax) {
    const due = await selectDue(db, at.toISOString(), LIMITS.syncRunsPerClaimMax);
    const runs = await claimDue(db, due, at);
    await nudgeRuns(env, runs);
    started += runs.length;
    if (due.length < LIMITS.syncRunsPerClaimMax) break;
  }
  return { syncRunsStarted: started };
}

/** A sync that became due while it ran runs again as soon as it has ended. */
export async function startDueSync(
  { db, env }: Pick<RunMatter, "db" | "env">,
  teamId: string,
  syncId: string,
  now: Date,
): Promise<void> {
  const due = await findDue(db, teamId, syncId, now.toISOString());
  if (due) await nudgeRuns(env, await claimDue(db, [due], now));
}

/** Each once, however many try: the run is recorded only at the tick that was seen, and the tick moves on with it. */
async function claimDue(db: Db, due: DueSync[], at: Date): Promise<RunName[]> {
  if (due.length === 0) return [];
  const claims = due.map(({ id, schedule, nextRunAt }) => ({
    syncId: id,
    runId: newId(at),
    seen: nextRunAt,
    next: nextDue(schedule, id, at).toISOString(),
  }));
  const [runs] = await db.batch([insertTickRuns(db, claims, at), advanceDue(db, claims)]);
  return runs;
}
