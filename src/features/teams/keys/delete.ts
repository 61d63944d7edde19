import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetCallers } from "./find-caller.ts";
import { getUser } from "../users/get.ts";
import { requireAuthorityOver, type User } from "../users/user.ts";
import { getKey } from "./get.ts";
import { auditedKey } from "./key.ts";
import { findKey, isRevokedAt, revokeKeyRow } from "./store.ts";

const LAST_ADMIN_KEY =
  "Without this key no admin of the team would have one that never expires and has no scopes, and the team could lock " +
  "itself out. Make an admin a key without `expires_at` and `scopes` first.";
const LAST_OPERATOR_KEY =
  "Without this key the team would have no admin, or the platform no operator, with a key that never expires and has " +
  "no scopes. Make one without `expires_at` and `scopes` first.";

/**
 * Revokes a key: at once in this isolate, elsewhere within the key cache's time. Throws 409 for the last one without an
 * end, or the last that works, of the team's admins or the platform's operators.
 */
export async function deleteKey({ scope, db }: Needs<"scope" | "db">, userId: string, id: string): Promise<void> {
  const user = await getUser({ scope, db }, userId);
  requireAuthorityOver(scope, user);
  await deleteKeyOf({ scope, db }, user, id);
}

/** Revokes it, once it is settled that the caller may revoke the user's keys. */
export async function deleteKeyOf({ scope, db }: Needs<"scope" | "db">, user: User, id: string): Promise<void> {
  const key = await getKey({ scope, db }, user.id, id);

  const [at, name] = [scope.now.toISOString(), { userId: user.id, id: key.id }];
  const [revoked] = await db.batch([
    revokeKeyRow(db, scope.teamId, name, at),
    recordAuditIf(db, scope, {
      action: "key.delete",
      subjectId: key.id,
      when: isRevokedAt(scope.teamId, name, at),
      before: auditedKey(user.id, key),
    }),
  ]);
  if (revoked.length === 0) {
    if (!(await findKey(db, scope.teamId, name))) throw notFound("Key", id);
    throw new Problem("resource_conflict", user.is_operator ? LAST_OPERATOR_KEY : LAST_ADMIN_KEY);
  }
  forgetCallers((caller) => caller.keyId === key.id);
}
