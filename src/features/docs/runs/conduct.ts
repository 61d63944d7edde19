// A run is conducted from its order to its end. Whoever waits may go away: the run's row is moved on by what the
// sandbox reports of it.

import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { endUnlessPublished, finishByReport, type EndDeps } from "../builds/end-run.ts";
import { hasEnded, isSilent, judgeRun, type Run, type Verdict } from "./run.ts";
import type { StartedRun } from "./start.ts";
import { recordDocRunStart } from "./events/store-outbound.ts";
import { findRun, renewLease } from "./store.ts";

export type ConductDeps = EndDeps & Needs<"openSandbox">;

/** Answers the run as it ended. Throws the Problem that kept it from beginning; its row has failed by then. */
export async function conductRun(deps: ConductDeps, { run, order }: StartedRun): Promise<Run> {
  const report = await deps
    .openSandbox(run.teamId)
    .run(order, new AbortController().signal)
    .catch(async (error: unknown) => {
      if (mayRun(error)) return undefined;
      await endUnlessPublished(deps, run, { state: "failed", error: (error as Problem).message }, new Date());
      throw error;
    });
  if (report) await finishByReport(deps, run, report, new Date());
  return watchRun(deps, run);
}

/** The order is never sent twice: what it was sent to may be working on it, and its code may do things that count. */
const MAY_RUN = ["lost", "hung", "silent"];
const mayRun = (error: unknown): boolean =>
  !(error instanceof Problem) || ("reason" in error && MAY_RUN.includes(String(error.reason)));

/** Looks at the row until it has ended, or until its sandbox has been silent for too long. */
async function watchRun(deps: ConductDeps, { teamId, id }: Run): Promise<Run> {
  for (;;) {
    const run = await findRun(deps.db, teamId, id);
    if (!run) throw new Error(`Run ${id} is gone.`);
    if (hasEnded(run)) return run;
    await settleIfLost(deps, run, new Date());
    await scheduler.wait(DOC_LIMITS.runWatchMs);
  }
}

/** The state of a run after a step; `renewed` means that its sandbox has it, and could not reach the platform. */
export type Settled = "goes_on" | "renewed" | "ended";

export async function settleIfLost(deps: ConductDeps, run: Run, now: Date): Promise<Settled> {
  const { db, openSandbox } = deps;
  const at = now.toISOString();
  // One that can't be asked has stopped, or stands still.
  const observe = () =>
    openSandbox(run.teamId)
      .getRun(run.id)
      .catch(() => undefined);
  const verdict = judgeRun(run, isSilent(run, at) ? await observe() : undefined, at);
  const leaseUntil = new Date(now.getTime() + DOC_LIMITS.runLeaseMs).toISOString();
  if (verdict.kind === "renew") await db.batch([recordDocRunStart(db, run, now), renewLease(db, run, leaseUntil, at)]);
  if (verdict.kind === "finish") await finishByReport(deps, run, verdict.report, now);
  if (verdict.kind === "fail") await endUnlessPublished(deps, run, verdict, now);
  return SETTLED[verdict.kind];
}

const SETTLED: Record<Verdict["kind"], Settled> = { wait: "goes_on", renew: "renewed", finish: "ended", fail: "ended" };
