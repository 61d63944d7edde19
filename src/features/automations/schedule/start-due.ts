// The tick: due jobs are claimed, their runs recorded and woken up. What was missed while nothing ticked runs once.

import { parseCron } from "../../../core/schedule/cron.ts";
import { newId } from "../../../core/ids.ts";
import { AUTOMATION_LIMITS } from "../limits.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { Needs } from "../../../clients/context.ts";
import { advanceJobs, selectDueJobs, type DueJob } from "../jobs/store.ts";
import { AUTOMATION_LINE, insertTickRuns } from "../runs/store.ts";
import { wakeWaiting } from "../../work-model/waiting/wake-next.ts";

type Counts = { automationRunsStarted: number; automationRunsSkipped: number };
const CLAIM_MAX = AUTOMATION_LIMITS.runsPerClaimMax;

/**
 * Starts a run of every job that is due, up to its bounds; in turns between teams, the longest due of each first. What
 * a team has beyond its bound comes with the next tick, where it is the longest due.
 */
export async function startDueAutomations({ db, wakeUps }: Needs<"db" | "wakeUps">, at: Date): Promise<Counts> {
  const counts: Counts = { automationRunsStarted: 0, automationRunsSkipped: 0 };
  const nextTime = openTimes(at);
  const { runsPerTickMax: rowsMax, runsPerTickOfTeamMax: perTeamMax } = AUTOMATION_LIMITS;
  const due = await selectDueJobs(db, at, { rowsMax, perTeamMax });
  for (let from = 0; from < due.length; from += CLAIM_MAX) {
    const recorded = await claimDue(db, due.slice(from, from + CLAIM_MAX), at, nextTime);
    const started = recorded.filter(({ state }) => state === "queued");
    await wakeWaiting(AUTOMATION_LINE, { db, wakeUps }, { teamIds: started.map(({ teamId }) => teamId), at });
    counts.automationRunsStarted += started.length;
    counts.automationRunsSkipped += recorded.length - started.length;
  }
  return counts;
}

/** A job whose time was held back runs as soon as the run that held it back has ended. */
export async function startDueAutomation(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  { teamId, automationId }: { teamId: string; automationId: string | null },
  at: Date,
): Promise<void> {
  if (automationId === null) return;
  const due = await selectDueJobs(db, at, { rowsMax: 1, perTeamMax: 1, jobId: automationId });
  const recorded = await claimDue(db, due, at, openTimes(at));
  if (recorded.length > 0) await wakeWaiting(AUTOMATION_LINE, { db, wakeUps }, { teamIds: [teamId], at });
}

/** Each once, however many try: the run is recorded only at the time that was seen, and the job moves on with it. */
async function claimDue(db: Db, due: DueJob[], at: Date, nextTime: NextTime) {
  if (due.length === 0) return [];
  const claims = due.map((job) => ({ jobId: job.id, runId: newId(at), seen: job.nextRunAt, next: nextTime(job) }));
  const [runs] = await db.batch([
    insertTickRuns(db, claims, at, AUTOMATION_LIMITS.runsWaitingMax),
    advanceJobs(db, claims),
  ]);
  return runs;
}

type NextTime = (job: Pick<DueJob, "cron" | "timezone">) => string | null;

/** Many jobs are due by the same few expressions, and reading one takes longer than asking it. */
function openTimes(at: Date): NextTime {
  const known = new Map<string, string | null>();
  return ({ cron, timezone }) => {
    const key = `${cron} ${timezone}`;
    if (!known.has(key)) known.set(key, nextAfter(cron ?? "", timezone ?? "", at));
    return known.get(key)!;
  };
}

/** Null for what is no schedule any more: a zone may have been taken out of the list of zones. */
function nextAfter(cron: string, timezone: string, at: Date): string | null {
  const parsed = parseCron(cron, timezone);
  if (!("reason" in parsed)) return parsed.next(at).toISOString();
  console.error(JSON.stringify({ event: "schedule_ended", cron, timezone, cause: parsed.reason }));
  return null;
}
