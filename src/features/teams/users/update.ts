import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetCallers } from "../keys/find-caller.ts";
import { getUser } from "./get.ts";
import { hasUserRow, updateUserRow } from "../store.ts";
import { auditedUser, requireAuthorityOver, requireAuthorityToGive, type User, type UserPatch } from "./user.ts";

/** Changes a name or a role. Where only this admin has a key that works, or one that never ends, they stay one. */
export async function updateUser({ scope, db }: Needs<"scope" | "db">, id: string, patch: UserPatch): Promise<User> {
  const before = await getUser({ scope, db }, id);
  requireAuthorityOver(scope, before);
  if (patch.role !== before.role) requireAuthorityToGive(scope, patch.role ?? before.role);

  const user: User = {
    ...before,
    name: patch.name ?? before.name,
    role: patch.role ?? before.role,
    updated_at: scope.now.toISOString(),
  };
  const [changed] = await db.batch([
    updateUserRow(db, scope.teamId, user),
    recordAuditIf(db, scope, {
      action: "user.update",
      subjectId: id,
      when: hasUserRow(scope.teamId, user),
      before: auditedUser(before),
      after: auditedUser(user),
    }),
  ]);
  if (changed.length === 0)
    throw new Problem(
      "resource_conflict",
      "The team's last admin with a key, or with one that never expires, stays one; make somebody else an admin, " +
        "and give them a key without `expires_at` first.",
    );
  forgetCallers((caller) => caller.userId === id);
  return user;
}
