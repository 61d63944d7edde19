// Who may know what a run met on its way: the words of its failures, how far it is, and its log.

import { LIMITS } from "../../../core/limits.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { mayReadRuns, type OutputDeps } from "../../docs/executions/read-output.ts";
import { listAttempts } from "../../work-model/attempts.ts";
import type { Run } from "../runs/run.ts";

/**
 * What a doc's datasets meet was read with the owner's rights: it is theirs as long as they may read the same, and the
 * admins', as in the doc's runs. A maintenance speaks of any table: it is for who looks after lakes, and for whom no
 * roles bind.
 */
export async function mayReadOutput(
  { scope, db }: OutputDeps,
  run: Pick<Run, "teamId" | "id" | "resourceType" | "resourceId" | "ownerId">,
): Promise<boolean> {
  const { resourceType, resourceId, ownerId } = run;
  if (resourceType === "doc" && scope.rights.includes("docs:write")) return true;
  if (resourceType === "doc") return ownerId === scope.userId && mayReadAttempts({ scope, db }, run);
  if (scope.rights.includes("lake:manage")) return true;
  return (await resolveAccess({ scope, db }, { id: resourceId })).kind === "all";
}

async function mayReadAttempts(ctx: OutputDeps, run: Pick<Run, "teamId" | "id">): Promise<boolean> {
  const { items } = await listAttempts(ctx, run, { limit: LIMITS.automationAttemptsMax, offset: 0 });
  return mayReadRuns(
    ctx,
    items.flatMap(({ jobId }) => jobId ?? []),
  );
}

/** A run, or an attempt, for whom its output is not: that it failed shows, and not why. */
export const withoutReason = <Shown extends { error: string | null }>(shown: Shown): Shown => ({
  ...shown,
  error: null,
});
