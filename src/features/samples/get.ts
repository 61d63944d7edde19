import { LIMITS } from "../../core/limits.ts";
import { invalidAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { openReader } from "../../lake/lake.ts";
import { resolveAccess } from "../access/resolve.ts";
import { getIntegration } from "../integrations/get.ts";
import { SAMPLE_LEASE, SAMPLE_SCHEMA, sampleOf, type LoadState, type Sample } from "./sample.ts";

type Deps = Needs<"scope" | "db" | "openLake" | "openEngine">;

/**
 * The sample of one of the team's lakes, as far as the caller may read its tables. Throws 404 for another team's
 * integration, 422 for one that is no lake.
 */
export async function getSample(ctx: Deps, integrationId: string): Promise<Sample> {
  await requireLake(ctx, integrationId);
  const [sample, access] = await Promise.all([
    readSample(ctx, integrationId),
    resolveAccess(ctx, { id: integrationId.toLowerCase() }),
  ]);
  if (access.kind === "all" || sample.status === "loading") return sample;
  const lake = ctx.openLake(integrationId.toLowerCase());
  const reader = await openReader(lake, access);
  const { tables } = valueOf(await lake.browseTables(LIMITS.catalogTablesMax, reader.reader));
  const counted = new Set(tables.filter(({ rows }) => rows !== null).map(({ schema, name }) => `${schema}.${name}`));
  return sampleOf(
    sample.tables.filter(({ schema, name }) => counted.has(`${schema}.${name}`)),
    undefined,
  );
}

export async function requireLake(ctx: Deps, integrationId: string): Promise<void> {
  const { type } = await getIntegration(ctx, integrationId);
  if (type !== "lake") {
    const message = `The sample is loaded into a lake; an integration of type ${type} is none.`;
    throw invalidAt("/path/integration_id", message);
  }
}

export async function readSample(ctx: Deps, lakeId: string): Promise<Sample> {
  const [tables, load] = await Promise.all([ctx.openLake(lakeId).listTables(SAMPLE_SCHEMA), findLoad(ctx, lakeId)]);
  return sampleOf(tables, load);
}

/** The load that holds the lease, as the engine sees it; undefined when there is none. */
export async function findLoad(
  { openLake, openEngine, scope }: Pick<Deps, "openLake" | "openEngine" | "scope">,
  lakeId: string,
): Promise<(LoadState & { fence: number }) | undefined> {
  const lease = await openLake(lakeId).findHeldLease(SAMPLE_LEASE);
  if (!lease?.holder) return undefined;
  return { jobId: lease.holder, fence: lease.fence, job: await openEngine(scope.teamId).getJob(lease.holder) };
}
