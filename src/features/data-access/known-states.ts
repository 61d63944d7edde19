// The states of callers' access that this isolate has read, kept for a while, so that most statements need no read. Of
// runs nothing is kept: who loses a role is to be without it everywhere in their runs at once.

import { LIMITS } from "../../core/limits.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../platform/context.ts";
import { findAccessState, type AccessState } from "./store-callers.ts";

export type AccessDeps = Needs<"db"> & { scope: Pick<Scope, "teamId" | "userId" | "role" | "runId" | "now"> };

/** By team and user, in the order they were added, which is also the order in which they end. */
const known = new Map<string, { state: AccessState; until: number }>();

/** Counts changes, so that a state read while one happens is not kept. */
let changes = 0;

const keyOf = (teamId: string, userId: string): string => `${teamId} ${userId}`;

export async function getAccessState({ scope, db }: AccessDeps): Promise<AccessState> {
  if (scope.runId !== undefined) return findAccessState(db, scope);
  const key = keyOf(scope.teamId, scope.userId);
  const entry = known.get(key);
  if (entry && entry.until > scope.now.getTime()) return entry.state;
  const changesBefore = changes;
  const state = await findAccessState(db, scope);
  if (changesBefore === changes) remember(key, state, scope.now.getTime() + LIMITS.accessCacheMs);
  return state;
}

/** To be called when roles, members or attributes of a team have changed. Other isolates follow within the time. */
export function forgetAccess(teamId: string, userId?: string): void {
  changes++;
  if (userId !== undefined) known.delete(keyOf(teamId, userId));
  else for (const key of known.keys()) if (key.startsWith(keyOf(teamId, ""))) known.delete(key);
}

function remember(key: string, state: AccessState, until: number): void {
  // Deleted first, so that a renewed entry moves to the end of the order.
  known.delete(key);
  known.set(key, { state, until });
  const [oldest] = known.keys();
  if (known.size > LIMITS.accessCacheEntriesMax) known.delete(oldest!);
}
