// The states of callers' access that this isolate has read, kept for a while, so that most statements need no read.
// Nothing is kept of runs: who loses a role is to be without it everywhere in their runs at once.

import { ExpiringCache } from "../../core/expiring-cache.ts";
import { ACCESS_LIMITS } from "./limits.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { findAccessState, type AccessState } from "./store.ts";

export type AccessDeps = Needs<"db"> & {
  scope: Pick<Scope, "teamId" | "userId" | "accessRoleId" | "role" | "runId" | "now">;
};

/** By team and user, or the one role of who is none. */
const known = new ExpiringCache<AccessState>(ACCESS_LIMITS.cacheEntriesMax);

const keyOf = (teamId: string, holder: string): string => `${teamId} ${holder}`;

/** By which {@link forgetAccess} knows a caller. */
export const holderOf = ({ userId, accessRoleId }: Pick<Scope, "userId" | "accessRoleId">): string =>
  accessRoleId === undefined ? userId : `role ${accessRoleId}`;

export async function getAccessState({ scope, db }: AccessDeps): Promise<AccessState> {
  if (scope.runId !== undefined) return findAccessState(db, scope);
  const key = keyOf(scope.teamId, holderOf(scope));
  const kept = known.get(key, scope.now);
  if (kept) return kept;
  const keep = known.reading();
  const state = await findAccessState(db, scope);
  keep(key, state, scope.now.getTime() + ACCESS_LIMITS.cacheMs);
  return state;
}

/** To be called when roles, members or attributes of a team have changed. Other isolates follow within the time. */
export function forgetAccess(teamId: string, holder?: string): void {
  known.forget((key) => (holder === undefined ? key.startsWith(keyOf(teamId, "")) : key === keyOf(teamId, holder)));
}
