import type { Needs, OfTeam } from "../../clients/context.ts";
import type { Integration } from "./integration.ts";
import { selectIntegrationNames } from "./store.ts";

/** `baseId`: of a semantic model, the integration that it lies on. */
export type IntegrationName = Pick<Integration, "id" | "name" | "type"> & { baseId: string | null };

/** The team's integrations that have these ids, or all, oldest first. */
export const findIntegrations = ({ scope, db }: Needs<"db"> & OfTeam, ids?: string[]): Promise<IntegrationName[]> =>
  selectIntegrationNames(db, scope.teamId, ids);
