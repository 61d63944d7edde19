import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { getRole, requireVersion } from "./get.ts";
import { auditedRole } from "./role.ts";
import { deleteRoleRow, hasRole } from "./store.ts";

/**
 * Deletes a role; its members have it no more. With the last role the team is open again. `expected` is the version the
 * caller has seen: another one is `precondition_failed`.
 */
export async function deleteRole(ctx: Needs<"scope" | "db">, id: string, expected: number | undefined): Promise<void> {
  const { scope, db } = ctx;
  const role = await getRole(ctx, id);
  requireVersion(role, expected);
  const [, deleted] = await db.batch([
    // The audit event goes first: it is written only while there is still something to delete.
    recordAuditIf(db, scope, {
      action: "role.delete",
      subjectId: role.id,
      before: auditedRole(role),
      when: hasRole(scope.teamId, role.id, { version: expected }),
    }),
    deleteRoleRow(db, scope.teamId, role.id, expected),
  ]);
  if (deleted.length === 0) {
    requireVersion(await getRole(ctx, id), expected);
    throw notFound("Role", id);
  }
  forgetAccess(scope.teamId);
}
