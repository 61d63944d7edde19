// The names that a link may have: tables of a lake and members of a semantic model, as the caller's roles show them.

import { LIMITS } from "../../../core/limits.ts";
import { ifMissing } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { valueOf } from "../../../core/answer.ts";
import { openReader } from "../../../lake/lake.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { getIntegration } from "../../integrations/get.ts";
import type { Integration } from "../../integrations/integration.ts";
import { getSemanticMeta } from "../../semantic/get-meta.ts";
import { showCube } from "../../semantic/model-cube.ts";

export type NameDeps = Needs<"scope" | "db" | "openLake">;

/**
 * `schema.table` of a lake, `cube.member` of a model. Undefined where the team has no such integration, or one of
 * another kind.
 */
export async function visibleNames(ctx: NameDeps, integrationId: string): Promise<ReadonlySet<string> | undefined> {
  const integration = await getIntegration(ctx, integrationId).catch(ifMissing(undefined));
  if (integration?.type === "lake") return tablesOf(ctx, integration);
  return integration?.type === "cube" ? membersOf(ctx, integration) : undefined;
}

/** Whether no role keeps anything from the caller: only then is a name that they do not see one that is not there. */
export const seesEverything = async (ctx: Needs<"scope" | "db">): Promise<boolean> =>
  (await resolveAccess(ctx, { id: "" })).kind === "all";

async function tablesOf(ctx: NameDeps, integration: Integration): Promise<ReadonlySet<string>> {
  const lake = ctx.openLake(integration.id);
  const { reader } = await openReader(lake, await resolveAccess(ctx, integration));
  const { tables } = valueOf(await lake.browseTables(LIMITS.catalogTablesMax, reader));
  return new Set(tables.map(({ schema, name }) => `${schema}.${name}`));
}

/** An integration whose model was not put to it yet has no members. */
async function membersOf(ctx: NameDeps, { id }: Integration): Promise<ReadonlySet<string>> {
  const cubes = await getSemanticMeta(ctx, id).catch(ifMissing([]));
  return new Set(
    cubes
      .map(showCube)
      .flatMap((cube) => [...cube.measures, ...cube.dimensions, ...cube.segments])
      .map(({ name }) => name),
  );
}
