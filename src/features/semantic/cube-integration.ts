// An integration of type cube: a semantic model over the tables of another integration of the team, its base.

import type { SqlDialect } from "../../../containers/engine/contract/semantic/model.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../platform/context.ts";
import { getIntegration } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";

export type CubeIntegration = { integration: Integration; base: Integration; dialect: SqlDialect };

/** Whose SQL a base takes. */
const DIALECTS: Partial<Record<Integration["type"], SqlDialect>> = {
  lake: "duckdb",
  postgres: "postgres",
  mysql: "mysql",
};

/** What can lie beneath a semantic model. */
export const isBase = ({ type }: Pick<Integration, "type">): boolean => DIALECTS[type] !== undefined;

/** An integration of another kind has no model: it answers as a missing one. */
export async function getCubeIntegration(ctx: Needs<"db"> & OfTeam, id: string): Promise<CubeIntegration> {
  const integration = await getIntegration(ctx, id);
  if (integration.type !== "cube") throw notFound("Cube integration", id);
  const base = await getIntegration(ctx, baseIdOf(integration));
  const dialect = DIALECTS[base.type];
  if (!dialect) throw new Error(`Integration ${base.id} of type ${base.type} lies beneath a semantic model.`);
  return { integration, base, dialect };
}

function baseIdOf({ id, details }: Integration): string {
  const { integration_id: baseId } = details;
  if (baseId === undefined) throw new Error(`The cube integration ${id} names no base.`);
  return baseId;
}
