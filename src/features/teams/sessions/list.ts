import type { Page, PageOf } from "../../../core/page.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import { idleSince, type Session } from "./session.ts";
import { selectSessions, type SessionOwner } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/**
 * The caller's own sessions that work, newest first. A key with scopes, and a run, see those alone that they have made,
 * so a run sees none.
 */
export const listSessions = ({ scope, db }: Deps, page: Page): Promise<PageOf<Session>> =>
  selectOf({ scope, db }, ownSessionsOf(scope), page);

/** The sessions of a user of the team. */
export async function listUserSessions(ctx: Deps, userId: string, page: Page): Promise<PageOf<Session>> {
  const user = await getUser(ctx, userId);
  return selectOf(ctx, { userId: user.id, keyId: null }, page);
}

export const ownSessionsOf = ({ userId, keyId, scopes, runId }: Scope): SessionOwner => ({
  userId,
  keyId: scopes === undefined && runId === undefined ? null : keyId,
});

const selectOf = ({ scope, db }: Deps, owner: SessionOwner, page: Page): Promise<PageOf<Session>> => {
  const when = { at: scope.now.toISOString(), idleSince: idleSince(scope.now) };
  return selectSessions(db, scope.teamId, { owner, when, page, currentId: scope.sessionId });
};
