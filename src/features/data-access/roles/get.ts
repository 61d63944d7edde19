import { isUuid } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AccessRole } from "./role.ts";
import { findRole } from "./store.ts";

/** Another team's role, and what is no id at all, answer exactly as a missing one. */
export async function getRole({ scope, db }: Needs<"scope" | "db">, id: string): Promise<AccessRole> {
  const role = isUuid(id) ? await findRole(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!role) throw notFound("Role", id);
  return role;
}
