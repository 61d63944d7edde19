// Who may know what a run met: its results, its errors and what it printed hold what its starter might read as it ran.

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

/** Whether somebody who started all of these runs may read their output. Of a forgotten run it is not known. */
export async function mayReadRuns(ctx: OutputDeps, ids: readonly string[]): Promise<boolean> {
  const now = await findAccessDigest(ctx);
  if (now === null) return true;
  const digests = await selectAccessDigests(ctx.db, ctx.scope.teamId, ids);
  return digests.length === ids.length && digests.every((then) => mayReadAs(now, then));
}

/** Throws for whom {@link openRunReader} says no, and says why. */
export async function requireRunReader(ctx: OutputDeps, run: Run): Promise<void> {
  if ((await openRunReader(ctx))(run)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    isOwnRun(ctx.scope, run)
      ? "What you may read has changed since this run began. Run the doc again."
      : "This belongs to who started the run, and to the team's admins.",
  );
}
