// The noun: a person in a team. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../../core/ids.ts";
import { Problem } from "../../../core/problem.ts";
import { isOperating, rightsOf, ROLES, type Role, type Scope } from "../../../core/scope.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { Email } from "../../../http/request/email.ts";
import { Name } from "../team.ts";

export const User = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    is_operator: z
      .boolean()
      .openapi({ description: "Whether this person runs the platform: lists and creates teams." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi("User");
export type User = z.infer<typeof User>;

/** What a list says of its items besides the id in `created_by`. */
export const CREATOR_NAME = {
  created_by_name: z.string().nullable().openapi({ description: "Null once they have left the team." }),
};

export const NewUser = z
  .strictObject({ name: Name, email: Email, role: z.enum(ROLES) })
  .openapi("NewUser", { example: { name: "Ada", email: "ada@acme.example", role: "member" } });
export type NewUser = z.infer<typeof NewUser>;

export const UserPatch = z
  .strictObject({ name: Name, role: z.enum(ROLES) })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("UserPatch", { example: { role: "admin" } });
export type UserPatch = z.infer<typeof UserPatch>;

export function planUser(now: Date, { name, email, role }: NewUser, isOperator = false): User {
  const at = now.toISOString();
  return { id: newId(now), name, email, role, is_operator: isOperator, created_at: at, updated_at: at };
}

/** A team's admin must not become an operator by way of an operator's account in the same team. */
export function requireAuthorityOver(scope: Scope, user: User): void {
  if (user.is_operator && !isOperating(scope)) {
    throw new Problem(
      "forbidden_insufficient_permissions",
      "Only a platform operator may manage an operator's account.",
    );
  }
}

/** A key with scopes makes nobody an admin who could then make, or hold already, a key that may more than itself. */
export function requireAuthorityToGive({ scopes, rights }: Scope, role: Role): void {
  const lacking = scopes && role === "admin" && rightsOf(role, false).filter((right) => !rights.includes(right));
  if (!lacking || lacking.length === 0) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    `This key has scopes, and makes nobody an admin who may what it may not: ${lacking.join(", ")}.`,
  );
}

/** The audit log's facts of a person. */
export const auditedUser = ({ name, email, role, is_operator }: User): AuditFacts => ({
  name,
  email,
  role,
  is_operator,
});
