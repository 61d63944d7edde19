import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetCallers } from "../keys/find-caller.ts";
import { endProviderSessions } from "../identities/store.ts";
import { getUser } from "./get.ts";
import { hasUserChange, updateUserRow, userOf } from "../store.ts";
import { auditedUser, requireAuthorityOver, requireAuthorityToGive, type User, type UserPatch } from "./user.ts";

/**
 * Changes a name or a role. Where only this admin has a key that works, or one that never ends, they stay one. Who
 * becomes an admin is signed in no more at the team's identity provider, and may sign in there by an account that they
 * have bound themselves.
 */
export async function updateUser({ scope, db }: Needs<"scope" | "db">, id: string, patch: UserPatch): Promise<User> {
  const before = await getUser({ scope, db }, id);
  requireAuthorityOver(scope, before);
  if (patch.role !== undefined) requireAuthorityToGive(scope, patch.role);

  const change = { id: before.id, patch, at: scope.now.toISOString() };
  const isChanged = hasUserChange(scope.teamId, change);
  const [changed] = await db.batch([
    updateUserRow(db, scope.teamId, change),
    ...(patch.role === "admin" && before.role === "member"
      ? [endProviderSessions(db, { teamId: scope.teamId, userId: before.id }, { at: change.at, when: isChanged })]
      : []),
    recordAuditIf(db, scope, {
      action: "user.update",
      subjectId: before.id,
      when: isChanged,
      before: auditedUser(before),
      after: auditedUser({ ...before, name: patch.name ?? before.name, role: patch.role ?? before.role }),
    }),
  ]);
  const [row] = changed;
  if (!row)
    throw new Problem(
      "resource_conflict",
      "The team's last admin with a key, or with one that never expires, stays one; make somebody else an admin, " +
        "and give them a key without `expires_at` first.",
    );
  forgetCallers((caller) => caller.userId === row.id);
  return userOf(row);
}
