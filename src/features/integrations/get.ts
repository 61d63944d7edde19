import { isUuid } from "../../core/ids.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../platform/context.ts";
import type { Integration } from "./integration.ts";
import { findDefaultLake, findIntegration } from "./store.ts";

/** Another team's integration, and what is no id at all, answer exactly as a missing one. */
export async function getIntegration({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<Integration> {
  const integration = isUuid(id) ? await findIntegration(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!integration) throw notFound("Integration", id);
  return integration;
}

/** The lake of this id, or the team's own where none is named. An integration of another kind is no lake: not found. */
export async function getLake({ scope, db }: Needs<"db"> & OfTeam, id?: string): Promise<Integration> {
  const lake = id === undefined ? await findDefaultLake(db, scope.teamId) : await getIntegration({ scope, db }, id);
  if (lake?.type !== "lake") throw notFound("Lake", id ?? "");
  return lake;
}
