// A `cube_query` on its way to the engine: whose model answers it, and over which database.

import type { SemanticStatement } from "../../../containers/engine/contract/semantic/query.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { getIntegration } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";
import { withBase } from "../semantic/cube-integration.ts";
import { getOnlyModel } from "../semantic/only-model.ts";
import { planSemantic } from "../semantic/query/plan.ts";
import { loadVisibleModel } from "../semantic/visible-model.ts";

type SemanticDeps = Needs<"scope" | "db" | "openLake">;

/** `base`: the database that the model is of. */
export type PlannedQuery = { semantic: SemanticStatement; base: Integration };

/** Without an id, by the team's only semantic model. */
export async function planSemanticQuery(
  ctx: SemanticDeps,
  raw: Record<string, unknown>,
  integrationId: string | undefined,
): Promise<PlannedQuery> {
  const named = integrationId === undefined ? await onlyModel(ctx) : await getIntegration(ctx, integrationId);
  if (named.type !== "cube")
    throw wrongPair("/cube_query", `The integration ${named.name} is of type ${named.type}: send it sql.`);
  const cube = await withBase(ctx, named);
  const { base, dialect } = cube;
  const model = await loadVisibleModel(ctx, cube);
  return { semantic: planSemantic({ raw, model, dialect, now: ctx.scope.now }), base };
}

const wrongPair = (pointer: string, message: string): Problem =>
  new Problem("validation_failed", message, [{ pointer, message }]);

const onlyModel = (ctx: SemanticDeps): Promise<Integration> =>
  getOnlyModel(ctx, {
    pointer: "/integration_id",
    none: "This team has no integration of type cube, which a cube_query is answered by. Create one, or send sql.",
    several: "Send the integration_id of one of your semantic models:",
    nameOf: ({ name, id }) => `${name} (${id})`,
  });
