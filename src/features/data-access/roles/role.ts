// The noun: a role, which grants what its members may read. Pure.

import { z } from "@hono/zod-openapi";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import { newId } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { plainText } from "../../access/filter.ts";
import { flawsOfTargets, Grant, keepGrant, namesAttributes } from "../../access/grant.ts";

export const AccessRole = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    grants: z.array(Grant),
    members: z.number().int().openapi({ description: "How many users have the role." }),
    version: z.number().int().openapi({ description: "Counts the role's changes, from 1; its ETag." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi("AccessRole");
export type AccessRole = z.infer<typeof AccessRole>;

export const SavedAccessRole = AccessRole.extend({
  warnings: z
    .array(z.string())
    .openapi({
      description:
        "What its makers may not have meant: the team is closed by it, or a lake has no table that it grants.",
    }),
}).openapi("SavedAccessRole");
export type SavedAccessRole = z.infer<typeof SavedAccessRole>;

const Name = plainText(LIMITS.nameCharactersMax).trim().min(1);
const Description = plainText(DATA_ACCESS_LIMITS.descriptionCharactersMax).nullable();
const Grants = z.array(Grant).max(DATA_ACCESS_LIMITS.grantsPerRoleMax);

export const NewAccessRole = z
  .strictObject({ name: Name, description: Description.default(null), grants: Grants.default([]) })
  .openapi("NewAccessRole", {
    example: {
      name: "Sales, north",
      grants: [
        {
          integration_id: "*",
          schema: "sales",
          table: "orders",
          exclude_columns: ["email"],
          masks: { phone: null },
          filters: [{ member: "region", operator: "equals", values: [{ attribute: "region" }] }],
        },
      ],
    },
  });
export type NewAccessRole = z.infer<typeof NewAccessRole>;

export const AccessRolePatch = z
  .strictObject({ name: Name, description: Description, grants: Grants })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("AccessRolePatch", { example: { name: "Sales" } });
export type AccessRolePatch = z.infer<typeof AccessRolePatch>;

export function planRole(now: Date, { name, description, grants }: NewAccessRole): AccessRole {
  const at = now.toISOString();
  return { id: newId(now), name, description, grants, members: 0, version: 1, created_at: at, updated_at: at };
}

/** Two names are one where these are equal. */
export const foldRoleName = foldText;

/** A role's grants in the form that its row keeps. */
export type PackedGrants = { text: string; bytes: number; namesAttributes: boolean };

/** Throws where two grants have one target, or they are too large together. */
export function packGrants(grants: readonly Grant[]): PackedGrants {
  const flaws = flawsOfTargets(grants);
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
  const text = JSON.stringify(grants.map(keepGrant));
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes > DATA_ACCESS_LIMITS.grantBytesPerRoleMax) {
    const message = `The grants of a role may have ${DATA_ACCESS_LIMITS.grantBytesPerRoleMax} bytes; these have ${bytes}.`;
    throw invalidAt("/grants", message);
  }
  return { text, bytes, namesAttributes: namesAttributes(grants) };
}

export const nameTaken = (name: string): Problem => {
  const message = `The team has a role called ${name} already. The case of letters makes no difference.`;
  return new Problem("resource_conflict", message, [{ pointer: "/name", message }]);
};

export const tooMuch = (): Problem =>
  new Problem(
    "business_quota_exceeded",
    `A team may have ${DATA_ACCESS_LIMITS.rolesPerTeamMax} roles, and their grants ${DATA_ACCESS_LIMITS.grantBytesPerTeamMax} ` +
      "bytes in all.",
  );

/** The audit log's facts of a role. */
export const auditedRole = ({ name, description, grants }: AccessRole): AuditFacts => ({
  name,
  description,
  grants: grants.map(keepGrant),
});
