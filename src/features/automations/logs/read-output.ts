// Who may know what a run met on its way: the words of its failures, how far it is, and its log.

import type { Scope } from "../../../core/scope.ts";
import type { AccessDeps } from "../../data-access/known-states.ts";
import { resolveAccess } from "../../data-access/resolve.ts";
import type { Run } from "../runs/run.ts";

export type OutputDeps = AccessDeps & { scope: Pick<Scope, "rights"> };

/**
 * What a doc's datasets meet was read with the owner's rights: it is theirs, and the admins', as in the doc's runs. A
 * maintenance speaks of any table: it is for who looks after lakes, and for whom no roles bind.
 */
export async function mayReadOutput(
  { scope, db }: OutputDeps,
  { resourceType, resourceId, ownerId }: Pick<Run, "resourceType" | "resourceId" | "ownerId">,
): Promise<boolean> {
  if (resourceType === "doc") return ownerId === scope.userId || scope.rights.includes("docs:write");
  if (scope.rights.includes("lake:manage")) return true;
  return (await resolveAccess({ scope, db }, { id: resourceId })).kind === "all";
}

/** A run, or an attempt, for whom its output is not: that it failed shows, and not why. */
export const withoutReason = <Shown extends { error: string | null }>(shown: Shown): Shown => ({
  ...shown,
  error: null,
});
