// From an order to the end of its run. Whoever waits may go away: the run's row is moved on by what the sandbox tells of it.

import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { openSandbox } from "../../../platform/sandbox/sandbox.ts";
import { failRun, finishRun } from "./finish-run.ts";
import { hasEnded, type Run } from "./run.ts";
import type { Started } from "./start-run.ts";
import { findRun } from "./store-runs.ts";

/** Answers the run as it ended. Throws the Problem that kept it from beginning; its row has failed by then. */
export async function conductRun({ db, env }: Needs<"db" | "env">, { run, order }: Started): Promise<Run> {
  const report = await openSandbox(env, run.teamId)
    .run(order, new AbortController().signal)
    .catch(async (error: unknown) => {
      if (mayRun(error)) return undefined;
      await failRun(db, run, "failed", (error as Problem).message, new Date());
      throw error;
    });
  if (report) await finishRun(db, run, report, new Date());
  return watchRun({ db }, run);
}

/** The order is never sent twice: what it was sent to may be working on it, and its code may do things that count. */
const MAY_RUN = ["lost", "hung", "silent"];
const mayRun = (error: unknown): boolean => !(error instanceof Problem) || ("reason" in error && MAY_RUN.includes(String(error.reason)));

/** Looks at the row until it has ended, or until its sandbox has been silent for too long. */
async function watchRun({ db }: Needs<"db">, { teamId, id }: Run): Promise<Run> {
  for (;;) {
    const run = await findRun(db, teamId, id);
    if (!run) throw new Error(`Run ${id} is gone.`);
    if (hasEnded(run)) return run;
    await endIfLost({ db }, run, new Date());
    await scheduler.wait(LIMITS.runWatchMs);
  }
}

/** Says whether the run was ended here. */
export async function endIfLost({ db }: Needs<"db">, run: Run, now: Date): Promise<boolean> {
  const at = now.toISOString();
  if (run.deadlineAt < at) await failRun(db, run, "timed_out", "The run took longer than it may, and was ended.", now);
  else if (run.leaseUntil < at && run.cancelRequestedAt) await failRun(db, run, "cancelled", "The run was cancelled.", now);
  else if (run.leaseUntil < at) await failRun(db, run, "failed", "The sandbox stopped while the run went on.", now);
  else return false;
  return true;
}
