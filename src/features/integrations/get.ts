import { ExpiringCache } from "../../core/expiring-cache.ts";
import { isUuid } from "../../core/ids.ts";
import { INTEGRATION_LIMITS } from "./limits.ts";
import { notFound } from "../../core/problem.ts";
import { isOperating, type Scope } from "../../core/scope.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import type { Integration, TeamLake } from "./integration.ts";
import { findDefaultLake, findIntegration, findTeamOfIntegration, findWithBase } from "./store.ts";

/** Another team's integration, and what is no id at all, answer exactly as a missing one. */
export async function getIntegration({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<Integration> {
  const integration = isUuid(id) ? await findIntegration(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!integration) throw notFound("Integration", id);
  return integration;
}

/** {@link getIntegration}, and the integration that it names as its base; undefined where it names none. */
export async function getWithBase(
  { scope, db }: Needs<"db"> & OfTeam,
  id: string,
): Promise<{ integration: Integration; base: Integration | undefined }> {
  const found = isUuid(id) ? await findWithBase(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!found) throw notFound("Integration", id);
  return found;
}

/** The lake of this id, or the team's own where none is named. An integration of another kind is no lake: not found. */
export async function getLake({ scope, db }: Needs<"db"> & OfTeam, id?: string): Promise<Integration> {
  const lake = id === undefined ? await findDefaultLake(db, scope.teamId) : await getIntegration({ scope, db }, id);
  if (lake?.type !== "lake") throw notFound("Lake", id ?? "");
  return lake;
}

/** The ids of teams' own lakes, by team. A team's own lake is made with the team and stays as long as the team. */
const owned = new ExpiringCache<string>(INTEGRATION_LIMITS.lakesSupposedMax);

/** The id of the team's own lake, where the database has said it lately. Whether the lake is there is not known. */
export const knownOwnLake = ({ scope }: { scope: Pick<Scope, "teamId" | "now"> }): string | undefined =>
  owned.get(scope.teamId, scope.now);

/** To be called with what the database has said. */
export const keepOwnLake = ({ scope }: { scope: Pick<Scope, "teamId" | "now"> }, lakeId: string): void =>
  owned.reading()(scope.teamId, lakeId, scope.now.getTime() + INTEGRATION_LIMITS.ownLakeCacheMs);

/** Who asks for what may be another team's. */
export type ManagingDeps = Needs<"db"> & { scope: Pick<Scope, "teamId" | "rights"> };

/**
 * A lake that the caller may manage, with its team: one of the own team's, or for an operator anybody's. Another team's
 * lake, an integration that is no lake, and what is no id at all answer exactly as a missing one.
 */
export async function getManagedLake({ db, scope }: ManagingDeps, id: string): Promise<TeamLake> {
  const found = isOperating(scope) && isUuid(id) ? await findTeamOfIntegration(db, id.toLowerCase()) : undefined;
  const teamId = found ?? scope.teamId;
  const lake = await getIntegration({ db, scope: { teamId } }, id);
  if (lake.type !== "lake") throw notFound("Integration", id);
  return { teamId, lakeId: lake.id, name: lake.name };
}
