// A user's access, for people: roles, and their grants in each integration. This file is pure.

import { z } from "@hono/zod-openapi";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import type { Scope } from "../../../core/scope.ts";
import { INTEGRATION_TYPES, QUERIED_BY } from "../../integrations/credentials/credentials.ts";
import type { IntegrationName } from "../../integrations/find.ts";
import { fillIn } from "../../access/fill-in.ts";
import { grantedBy } from "../../access/granted.ts";
import { GrantFilter, membersOf } from "../../access/filter.ts";
import { Mask } from "../../access/grant.ts";
import { AttributeValue } from "./attributes.ts";
import type { HeldAccess } from "../../access/granted.ts";

const EffectiveGrant = z
  .object({
    role_id: z.uuid(),
    schema: z.string(),
    table: z.string(),
    exclude_columns: z.array(z.string()),
    masks: z.record(z.string(), Mask),
    filters: z
      .array(GrantFilter)
      .nullable()
      .openapi({ description: "With the user's attributes filled in; null: one is not set, so no rows are granted." }),
    hides: z
      .boolean()
      .openapi({
        description: "Whether columns that it leaves out are not named here, nor masks and filters that name them.",
      }),
  })
  .openapi("EffectiveGrant");
type EffectiveGrant = z.infer<typeof EffectiveGrant>;

export const EffectiveAccess = z
  .object({
    user_id: z.uuid(),
    bypass: z.boolean().openapi({ description: "An admin: no role binds them." }),
    open: z.boolean().openapi({ description: "The team has no roles, so nobody is bound." }),
    roles: z.array(z.object({ id: z.uuid(), name: z.string(), description: z.string().nullable() })),
    attributes: z.record(z.string(), AttributeValue),
    capabilities: z.object({
      query: z.boolean().openapi({ description: "May run statements." }),
      write_lake: z.boolean().openapi({ description: "May write to lakes." }),
      manage_roles: z.boolean().openapi({ description: "May manage roles, and who has them." }),
    }),
    integrations: z.array(
      z
        .object({
          id: z.uuid(),
          name: z.string(),
          type: z.enum(INTEGRATION_TYPES),
          access: z
            .enum(["all", "granted", "none"])
            .openapi({
              description:
                "`granted`: what is in `grants`, and nothing else. Of a semantic model that of the integration it " +
                "lies on, and its grants.",
            }),
          grants: z.array(EffectiveGrant),
        })
        .openapi("IntegrationAccess"),
    ),
    truncated: z
      .boolean()
      .openapi({ description: `Whether grants past ${DATA_ACCESS_LIMITS.grantsShownMax} were left out.` }),
  })
  .openapi("EffectiveAccess");
export type EffectiveAccess = z.infer<typeof EffectiveAccess>;

export function describeAccess(
  { userId, role, rights }: Pick<Scope, "userId" | "role" | "rights">,
  { isOpen, roles, attributes }: HeldAccess,
  integrations: readonly IntegrationName[],
): EffectiveAccess {
  const bypass = role === "admin";
  let left: number = DATA_ACCESS_LIMITS.grantsShownMax;
  let truncated = false;
  const isGranted = grantedBy({ role }, { isOpen, roles });
  const grantsIn = (integrationId: string) =>
    roles.flatMap(({ id, grants }) => {
      // Past the bound nothing is filled in; what else there is does not show.
      const all = left > 0 ? fillIn([grants], integrationId, attributes)[0]! : [];
      truncated ||= left === 0 || all.length > left;
      const shown = all.slice(0, left);
      left -= shown.length;
      return shown.map(({ excludes, ...grant }) => ({
        role_id: id,
        ...grant,
        exclude_columns: excludes,
        hides: false,
      }));
    });
  const readable = integrations.filter(({ type }) => QUERIED_BY[type] !== null);
  const described = readable.map(({ baseId, ...integration }) => {
    if (bypass || isOpen) return { ...integration, access: "all" as const, grants: [] };
    // A semantic model is read by what is granted of the integration that it lies on.
    const readId = baseId ?? integration.id;
    if (!isGranted(readId)) return { ...integration, access: "none" as const, grants: [] };
    return { ...integration, access: "granted" as const, grants: grantsIn(readId) };
  });
  return {
    user_id: userId,
    bypass,
    open: isOpen,
    roles: roles.map(({ id, name, description }) => ({ id, name, description })),
    attributes,
    capabilities: {
      query: rights.includes("query"),
      write_lake: rights.includes("lake:write"),
      manage_roles: rights.includes("team:manage"),
    },
    integrations: described,
    truncated,
  };
}

/** The access as its user sees it: a hidden table or column has no name for them. */
export const shownToUser = (access: EffectiveAccess): EffectiveAccess => ({
  ...access,
  integrations: access.integrations.map((integration) => ({
    ...integration,
    grants: integration.grants.map(withoutHidden),
  })),
});

function withoutHidden(grant: EffectiveGrant): EffectiveGrant {
  const hidden = new Set(grant.exclude_columns.map(foldText));
  if (hidden.size === 0) return grant;
  const isNamed = (column: string): boolean => !hidden.has(foldText(column));
  return {
    ...grant,
    exclude_columns: [],
    masks: Object.fromEntries(Object.entries(grant.masks).filter(([column]) => isNamed(column))),
    filters: grant.filters?.filter((filter) => membersOf(filter).every(isNamed)) ?? null,
    hides: true,
  };
}
