// Warnings to an admin about a role that is saved: it is as they wrote it, and perhaps not as they meant it.

import { EVERY } from "../../../../kernel/access/access.ts";
import type { Needs } from "../../../clients/context.ts";
import { findMissingTables } from "../../../lake/missing-tables.ts";
import { findIntegrations } from "../../integrations/find.ts";
import type { Grant } from "../../access/grant.ts";

export type WarningDeps = Needs<"scope" | "db" | "openLake">;

/** From the first role on, a team is not open any more. */
export const FIRST_ROLE =
  "This is the team's first role. From now on whoever is no admin reads only what their roles grant: those who have no " +
  "role read nothing. Make them members of roles, or delete this one to open the team again.";

/**
 * Grants of tables that are not there yet: each holds from the moment that there is such a table. Only lakes are looked
 * into, by their catalogs; a lake that can't be asked now keeps nobody from saving a role.
 */
export async function warnOfMissingTables(ctx: WarningDeps, grants: readonly Grant[]): Promise<string[]> {
  const named = grants.filter((grant) => ![grant.integration_id, grant.schema, grant.table].includes(EVERY));
  const byId = Map.groupBy(named, ({ integration_id: id }) => id);
  const lakes = (await findIntegrations(ctx, [...byId.keys()])).filter(({ type }) => type === "lake");
  const warnings = lakes.map(async ({ id, name: lakeName }) => {
    const names = byId.get(id)!.map(({ schema, table }) => ({ schema, name: table }));
    const missing = await findMissingTables(ctx.openLake(id), names);
    return missing.map(({ schema, name }) => `The lake ${lakeName} has no table ${schema}.${name} now.`);
  });
  return (await Promise.all(warnings.map((found) => found.catch(logged)))).flat();
}

function logged(error: unknown): string[] {
  console.error(JSON.stringify({ event: "grants_not_looked_up", cause: String(error) }));
  return [];
}
