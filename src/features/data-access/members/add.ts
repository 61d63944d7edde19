import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getUser } from "../../teams/users/get.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { getRole } from "../roles/get.ts";
import { canBeAdded, insertMember, isMember } from "./store.ts";

/** Gives a user a role. Who has it keeps it. */
export async function addRoleMember(ctx: Needs<"scope" | "db">, roleId: string, userId: string): Promise<void> {
  const { scope, db } = ctx;
  const role = await getRole(ctx, roleId);
  const user = await getUser(ctx, userId.toLowerCase());
  const membership = { teamId: scope.teamId, roleId: role.id, userId: user.id };
  const [, added] = await db.batch([
    recordAuditIf(db, scope, {
      action: "role_member.add",
      subjectId: role.id,
      after: { role: role.name, user_id: user.id },
      when: canBeAdded(membership),
    }),
    insertMember(db, membership, scope.now.toISOString()),
  ]);
  forgetAccess(scope.teamId, user.id);
  if (added.length > 0 || (await isMember(db, membership))) return;
  await getRole(ctx, roleId);
  throw notFound("User", userId);
}
