import { isUuid } from "../../../core/ids.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AccessRole } from "./role.ts";
import { findRole } from "./store.ts";

/** Another team's role, and what is no id at all, answer exactly as a missing one. */
export async function getRole({ scope, db }: Needs<"scope" | "db">, id: string): Promise<AccessRole> {
  const role = isUuid(id) ? await findRole(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!role) throw notFound("Role", id);
  return role;
}

/** Throws `precondition_failed` for a role that is at another version than its caller expects. */
export function requireVersion({ version }: AccessRole, expected: number | undefined): void {
  if (expected !== undefined && expected !== version)
    throw new Problem("precondition_failed", `The role is at version ${version} now; read it again.`);
}
