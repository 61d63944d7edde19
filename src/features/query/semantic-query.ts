// A `cube_query` on its way to the engine: whose model answers it, and over which database.

import type { SemanticStatement } from "../../../containers/engine/contract/semantic/query.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { getIntegration } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";
import { listIntegrations } from "../integrations/list.ts";
import { withBase } from "../semantic/cube-integration.ts";
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

const NAMED_MAX = 10;

async function onlyModel(ctx: SemanticDeps): Promise<Integration> {
  const models = await listIntegrations(ctx, { type: "cube", limit: NAMED_MAX + 1, offset: 0 });
  const [only, ...others] = models;
  if (only && others.length === 0) return only;
  const names = models.slice(0, NAMED_MAX).map(({ name, id }) => `${name} (${id})`);
  const more = models.length > NAMED_MAX ? ", and others" : "";
  throw wrongPair(
    "/integration_id",
    only
      ? `Send the integration_id of one of your semantic models: ${names.join(", ")}${more}.`
      : "This team has no integration of type cube, which a cube_query is answered by. Create one, or send sql.",
  );
}
