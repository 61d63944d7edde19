// The base of an integration of type cube: another integration of the team, whose tables its model describes.

import { invalidAt, Problem } from "../../../core/problem.ts";
import { isUuid } from "../../../core/ids.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { requireInSql } from "../../../platform/db/require-in-sql.ts";
import type { IntegrationType } from "../credentials/credentials.ts";
import type { Integration } from "../integration.ts";
import { findIntegration, hasIntegrationRow, hasNothingOn, selectOn } from "../store.ts";

const BASE_TYPES = ["lake", "postgres", "mysql"] as const satisfies IntegrationType[];
export type BaseType = (typeof BASE_TYPES)[number];
export type Base = Integration & { type: BaseType };

export const isBase = (integration: Integration): integration is Base =>
  (BASE_TYPES as readonly string[]).includes(integration.type);

export function baseIdOf({ id, details }: Integration): string {
  const { integration_id: baseId } = details;
  if (baseId === undefined) throw new Error(`The cube integration ${id} names no base.`);
  return baseId;
}

/** Throws `validation_failed` where the team has no such integration, or one that no model can lie on. */
export async function requireBase({ scope, db }: Needs<"scope" | "db">, id: string): Promise<Base> {
  const base = isUuid(id) ? await findIntegration(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!base) throw refusal(`Integration ${id} was not found.`);
  if (!isBase(base))
    throw refusal(
      `A semantic model lies on a lake, on PostgreSQL or on MySQL, and not on an integration of type ${base.type}.`,
    );
  return base;
}

function refusal(message: string): Problem {
  return invalidAt("/credentials/integration_id", message);
}

/** The batch that adds a cube integration fails where its base is gone. */
export const baseGuard = (db: Db, teamId: string, baseId: string) =>
  requireInSql(db, hasIntegrationRow(teamId, baseId));

/** The batch that deletes an integration fails where another lies on it. */
export const beneathGuard = (db: Db, teamId: string, id: string) => requireInSql(db, hasNothingOn(teamId, id));

/** Throws `resource_conflict` with the integrations that lie on it. */
export async function refuseBeneath({ scope, db }: Needs<"scope" | "db">, { id }: Integration): Promise<void> {
  const others = await selectOn(db, scope.teamId, id, NAMED_MAX);
  if (others.length === 0) return;
  const named = others.map(({ name, id: otherId }) => `${name} (${otherId})`).join(", ");
  throw Object.assign(
    new Problem(
      "resource_conflict",
      `Semantic models describe its tables, or clusters read them: ${named}. Delete these integrations first.`,
    ),
    { conflictsWith: others.map((other) => other.id) },
  );
}

const NAMED_MAX = 20;
