// A `cube_query` on its way to the engine: whose model answers it, and over which database.

import type { SemanticStatement } from "../../../kernel/semantic/query.ts";
import { invalidAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { getWithBase } from "../integrations/get.ts";
import { howQueried, type Integration } from "../integrations/integration.ts";
import { getOnlyModel } from "../semantic/only-model.ts";
import { onBase } from "../semantic/cube-integration.ts";
import { findNewest } from "../semantic/load-model.ts";
import { planSemantic } from "../semantic/query/plan.ts";
import { loadVisibleModel } from "../semantic/visible-model.ts";
import type { OpenedLake } from "../access/open-lake.ts";

type SemanticDeps = Needs<"scope" | "db" | "openLake">;

/** `base`: the database that the model is of. */
export type PlannedQuery = { semantic: SemanticStatement; base: Integration };

/**
 * Without an id, by the team's only semantic model. `opened`: the lake that it may lie on, which was opened meanwhile.
 * All that has to be looked up is asked for side by side.
 */
export async function planSemanticQuery(
  ctx: SemanticDeps,
  raw: Record<string, unknown>,
  integrationId: string | undefined,
  opened: Promise<OpenedLake | undefined>,
): Promise<PlannedQuery> {
  const id = integrationId ?? (await onlyModel(ctx)).id;
  const [named, newest, lake] = await Promise.all([getWithBase(ctx, id), findNewest(ctx, id), opened]);
  if (named.integration.type !== "cube") throw invalidAt("/cube_query", howQueried(named.integration));
  const cube = onBase(named.integration, named.base);
  const { base, dialect } = cube;
  const reader = lake?.lakeId === base.id ? lake.reader : undefined;
  const model = await loadVisibleModel(ctx, cube, { newest, reader });
  return { semantic: planSemantic({ raw, model, dialect, now: ctx.scope.now }), base };
}

const onlyModel = (ctx: SemanticDeps): Promise<Integration> =>
  getOnlyModel(ctx, {
    pointer: "/integration_id",
    none: "This team has no integration of type cube, which a cube_query is answered by. Create one, or send sql.",
    several: "Send the integration_id of one of your semantic models:",
    nameOf: ({ name, id }) => `${name} (${id})`,
  });
