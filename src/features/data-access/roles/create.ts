import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { checkGrants } from "./check-grants.ts";
import { auditedRole, nameTaken, planRole, tooMuch, type NewAccessRole, type SavedAccessRole } from "./role.ts";
import { countRoles, hasRole, insertRole, isNameTaken } from "./store.ts";
import { FIRST_ROLE, warnOfMissingTables, type WarningDeps } from "./warnings.ts";

/** From the team's first role on, whoever is no admin may read what roles grant and nothing else. */
export async function createRole(ctx: WarningDeps, input: NewAccessRole): Promise<SavedAccessRole> {
  const { scope, db } = ctx;
  const grants = await checkGrants(ctx, input.grants);
  if (await isNameTaken(db, scope.teamId, input.name)) throw nameTaken(input.name);
  const role = planRole(scope.now, input);
  const [added] = await db
    .batch([
      insertRole(db, scope.teamId, role, grants),
      recordAuditIf(db, scope, {
        action: "role.create",
        subjectId: role.id,
        after: auditedRole(role),
        when: hasRole(scope.teamId, role.id),
      }),
    ])
    .catch(async (error: unknown) => {
      // Where two calls at once have one name, the index lets one through.
      throw (await isNameTaken(db, scope.teamId, input.name)) ? nameTaken(input.name) : error;
    });
  if (added.length === 0) throw tooMuch();
  forgetAccess(scope.teamId);
  const isFirst = (await countRoles(db, scope.teamId)) === 1;
  return { ...role, warnings: [...(isFirst ? [FIRST_ROLE] : []), ...(await warnOfMissingTables(ctx, role.grants))] };
}
