// A publication reads as a role, and its publisher must read all that the role grants.

import { invalidAt, Problem } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { findRole } from "./store.ts";

/** Throws where the caller may not query: who lets others in to published data could read it by themselves. */
export function requireReading({ rights }: Pick<Scope, "rights">): void {
  if (!rights.includes("query"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "What opens published data reads it: this needs the right query.",
    );
}

/**
 * Throws where the role covers more than its publisher reads: an admin reads everything, a key without the right to
 * query nothing. A role whose filters name attributes is refused, because callers have none and would see no rows.
 */
export async function requirePublishable({ scope, db }: Needs<"scope" | "db">, roleId: string): Promise<void> {
  if (scope.role !== "admin" || !scope.rights.includes("query"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "What is published covers no more than its publisher reads: this needs an admin's key with the right query.",
    );
  const role = await findRole(db, scope.teamId, roleId);
  const message = role
    ? role.namesAttributes && "The role's filters name attributes of users, and callers who are no users have none."
    : `Role ${roleId} was not found.`;
  if (message) throw invalidAt("/role_id", message);
}
