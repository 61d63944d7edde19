import type { Needs, OfTeam } from "../../platform/context.ts";
import type { Integration } from "./integration.ts";
import { selectIntegrationNames } from "./store.ts";

export type IntegrationName = Pick<Integration, "id" | "name" | "type">;

/** Those of the team's integrations that have these ids, or all, oldest first. */
export const findIntegrations = ({ scope, db }: Needs<"db"> & OfTeam, ids?: string[]): Promise<IntegrationName[]> =>
  selectIntegrationNames(db, scope.teamId, ids);
