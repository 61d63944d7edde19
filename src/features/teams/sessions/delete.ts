import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { endSession } from "./end.ts";
import { ownSessionsOf } from "./list.ts";
import { idleSince } from "./session.ts";
import { requireSignInAuthority } from "./sign-in-authority.ts";
import { findSession } from "./store.ts";

/**
 * Ends a session: one that the caller sees as their own, or, for whoever manages the team, anybody's of it. Throws 404
 * for any other, and for one that has ended.
 */
export async function deleteSession({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const when = { at: scope.now.toISOString(), idleSince: idleSince(scope.now) };
  const session = await findSession(db, scope.teamId, id, when);
  if (!session) throw notFound("Session", id);
  const own = ownSessionsOf(scope);
  const isOwn = session.userId === own.userId && (own.keyId === null || session.keyId === own.keyId);
  if (!isOwn) await requireSignInAuthority({ scope, db }, session.userId, notFound("Session", id));
  await endSession(db, scope, session);
}
