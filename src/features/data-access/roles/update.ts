import { notFound } from "../../../core/problem.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { checkGrants } from "./check-grants.ts";
import { getRole, requireVersion } from "./get.ts";
import {
  auditedRole,
  nameTaken,
  tooMuch,
  type AccessRole,
  type AccessRolePatch,
  type SavedAccessRole,
} from "./role.ts";
import { hasRole, isNameTaken, roleOf, updateRoleRow } from "./store.ts";
import { warnOfMissingTables, type WarningDeps } from "./warnings.ts";

/**
 * Changes the fields that are sent; grants are replaced as a whole. `expected` is the version the caller has seen:
 * another one is `precondition_failed`.
 */
export async function updateRole(
  ctx: WarningDeps,
  { id, patch, expected }: { id: string; patch: AccessRolePatch; expected: number | undefined },
): Promise<SavedAccessRole> {
  const { scope, db } = ctx;
  const { teamId } = scope;
  const before = await getRole(ctx, id);
  requireVersion(before, expected);
  const { name, description } = patch;
  const grants = patch.grants && (await checkGrants(ctx, patch.grants, before.grants));
  const isTaken = async (): Promise<boolean> => name !== undefined && isNameTaken(db, teamId, name, before.id);
  if (await isTaken()) throw nameTaken(name!);
  const at = scope.now.toISOString();
  const after: AccessRole = {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    grants: patch.grants ?? before.grants,
  };
  const [changed] = await db
    .batch([
      updateRoleRow(db, teamId, before.id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(grants && { grants }),
        ...{ at, expected },
      }),
      recordAuditIf(db, scope, {
        action: "role.update",
        subjectId: before.id,
        before: auditedRole(before),
        after: auditedRole(after),
        when: hasRole(teamId, before.id, { at, version: expected === undefined ? undefined : expected + 1 }),
      }),
    ])
    .catch(async (error: unknown) => {
      throw (await isTaken()) ? nameTaken(name!) : error;
    });
  forgetAccess(teamId);
  const [row] = changed;
  if (row) return { ...roleOf(row, before.members), warnings: await warnOfMissingTables(ctx, patch.grants ?? []) };
  requireVersion(await getRole(ctx, id), expected);
  throw grants ? tooMuch() : notFound("Role", id);
}
