import { isUuid } from "../../core/ids.ts";
import type { Page, PageOf } from "../../core/page.ts";
import { isOperating } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { INTEGRATION_TYPES, typeOf } from "./credentials/credentials.ts";
import type { ManagingDeps } from "./get.ts";
import { categoryOf, type Integration, type TeamLake } from "./integration.ts";
import { selectIntegrations, selectLakes } from "./store.ts";

export type IntegrationQuery = {
  type?: string | undefined;
  category?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  limit: number;
  offset: number;
};

/** The team's integrations, oldest first. A filter that matches nothing, an unknown type included, finds nothing. */
export async function listIntegrations(
  { scope, db }: Needs<"scope" | "db">,
  query: IntegrationQuery,
): Promise<Integration[]> {
  const { type, category, name, id, limit, offset } = query;
  if (id !== undefined && !isUuid(id)) return [];
  const types = INTEGRATION_TYPES.filter(
    (known) =>
      (type === undefined || known === typeOf(type)) && (category === undefined || categoryOf(known) === category),
  );
  if (types.length === 0) return [];
  return selectIntegrations(db, scope.teamId, { types, name, id: id?.toLowerCase() }, { limit, offset });
}

/** The lakes that the caller may manage, of the teams that are named; an admin's are the own team's alone. */
export function listManagedLakes(
  { db, scope }: ManagingDeps,
  teamIds: string[] | undefined,
  page: Page,
): Promise<PageOf<TeamLake>> {
  const asked = teamIds?.map((id) => id.toLowerCase());
  if (isOperating(scope)) return selectLakes(db, asked, page);
  return selectLakes(db, asked === undefined || asked.includes(scope.teamId) ? [scope.teamId] : [], page);
}

/** All lakes of one team; as many as it may have. */
export const listTeamLakes = async ({ db }: Needs<"db">, teamId: string, limit: number): Promise<TeamLake[]> =>
  (await selectLakes(db, [teamId], { limit, offset: 0 })).items;
