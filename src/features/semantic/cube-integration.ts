// An integration of type cube: a semantic model over the tables of another integration of the team, its base.

import type { SqlDialect } from "../../../kernel/semantic/model.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import { isBase, type Base, type BaseType } from "../integrations/cube/base.ts";
import { getWithBase } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";

export type CubeIntegration = { integration: Integration; base: Base; dialect: SqlDialect };

/** Whose SQL a base takes. */
const DIALECTS: Record<BaseType, SqlDialect> = { lake: "duckdb", postgres: "postgres", mysql: "mysql" };

/** An integration of another kind has no model: it answers as a missing one. */
export async function getCubeIntegration(ctx: Needs<"db"> & OfTeam, id: string): Promise<CubeIntegration> {
  const { integration, base } = await getWithBase(ctx, id);
  if (integration.type !== "cube") throw notFound("Integration of type cube", id);
  return onBase(integration, base);
}

/** `integration` is of type cube. */
export function onBase(integration: Integration, base: Integration | undefined): CubeIntegration {
  if (!base) throw notFound("Integration", integration.details["integration_id"] ?? "");
  if (!isBase(base)) throw new Error(`Integration ${base.id} of type ${base.type} lies beneath a semantic model.`);
  return { integration, base, dialect: DIALECTS[base.type] };
}
