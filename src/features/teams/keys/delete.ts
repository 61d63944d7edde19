import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetCallers } from "./find-caller.ts";
import { getUser } from "../users/get.ts";
import { hasLiveKey, isRevokedAt, revokeKeyRow } from "../store.ts";
import { requireAuthorityOver } from "../users/user.ts";

const LAST_ADMIN_KEY =
  "Without this key no admin of the team would have one that never expires, and the team could lock itself out. " +
  "Make an admin a key without `expires_at` first.";
const LAST_OPERATOR_KEY =
  "Without this key the team would have no admin, or the platform no operator, with a key that never expires. Make " +
  "one without `expires_at` first.";

/**
 * Revokes a key: at once in this isolate, elsewhere within the key cache's time. Throws 409 for the last one without an
 * end, or the last that works, of the team's admins or the platform's operators.
 */
export async function deleteKey({ scope, db }: Needs<"scope" | "db">, userId: string, id: string): Promise<void> {
  const user = await getUser({ scope, db }, userId);
  requireAuthorityOver(scope, user);

  const at = scope.now.toISOString();
  const [revoked] = await db.batch([
    revokeKeyRow(db, scope.teamId, { userId: user.id, id, at }),
    recordAuditIf(db, scope, { action: "key.delete", subjectId: id, when: isRevokedAt(scope.teamId, user.id, id, at) }),
  ]);
  if (revoked.length === 0) {
    if (!(await hasLiveKey(db, scope.teamId, user.id, id))) throw notFound("Key", id);
    throw new Problem("resource_conflict", user.is_operator ? LAST_OPERATOR_KEY : LAST_ADMIN_KEY);
  }
  forgetCallers((caller) => caller.keyId === id);
}
