// A run's output is shown to callers who may read the same as its starter: its results, its errors and what it printed
// may hold anything that the starter read.

import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { AccessDeps } from "../../access/known-states.ts";
import { findAccessDigest } from "../../access/resolve.ts";
import { isOwnRun, type Run } from "../runs/run.ts";
import { selectAccessDigests } from "../runs/store.ts";

export type OutputDeps = AccessDeps & { scope: Pick<Scope, "rights"> };

/** Admins read every run's output; who started a run reads it as long as they may read the same as it might. */
export async function openRunReader(ctx: OutputDeps): Promise<(run: Pick<Run, "userId" | "accessDigest">) => boolean> {
  if (ctx.scope.rights.includes("docs:write")) return () => true;
  const digest = await findAccessDigest(ctx);
  return (run) => isOwnRun(ctx.scope, run) && mayReadAs(digest, run.accessDigest);
}

const mayReadAs = (now: string | null, then: string | null): boolean => now === null || now === then;

/** An attempt of a job, by the run of the doc that was made for it. */
export type RunOfAttempt = { runId: string; startedAt: string };

/**
 * Whether somebody who started all of these runs may read their output. An attempt without a run has none, unless it
 * is so old that its run may be forgotten: then it is not known.
 */
export async function mayReadRuns(ctx: OutputDeps, attempts: readonly RunOfAttempt[]): Promise<boolean> {
  const now = await findAccessDigest(ctx);
  if (now === null) return true;
  const ids = attempts.map(({ runId }) => runId);
  const digests = await selectAccessDigests(ctx.db, ctx.scope.teamId, ids);
  const keptSince = new Date(ctx.scope.now.getTime() - DOC_LIMITS.runKeptMs).toISOString();
  return attempts.every(({ runId, startedAt }) => {
    const then = digests.get(runId);
    return then === undefined ? startedAt > keptSince : mayReadAs(now, then);
  });
}

/** Throws for whom {@link openRunReader} says no, and says why. */
export async function requireRunReader(ctx: OutputDeps, run: Run): Promise<void> {
  if ((await openRunReader(ctx))(run)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    isOwnRun(ctx.scope, run)
      ? "This run may have read what you may not read now. Run the doc again."
      : "This belongs to who started the run, and to the team's admins.",
  );
}
