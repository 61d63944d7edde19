import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { getRole } from "../roles/get.ts";
import { deleteMember, hasMember } from "./store.ts";

/** Takes a role from a user; one who has it not is not found. */
export async function removeRoleMember(ctx: Needs<"scope" | "db">, roleId: string, userId: string): Promise<void> {
  const { scope, db } = ctx;
  const role = await getRole(ctx, roleId);
  const membership = { teamId: scope.teamId, roleId: role.id, userId: userId.toLowerCase() };
  const [, removed] = await db.batch([
    recordAuditIf(db, scope, {
      action: "role_member.remove",
      subjectId: role.id,
      before: { role: role.name, user_id: membership.userId },
      when: hasMember(membership),
    }),
    deleteMember(db, membership),
  ]);
  if (removed.length === 0) throw notFound("Member", userId);
  forgetAccess(scope.teamId, membership.userId);
}
