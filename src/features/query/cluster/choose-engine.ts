// A query in Trino's SQL runs on the engine that its sender names, or else on the one that fits it.

import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { LIMITS } from "../../../core/limits.ts";
import { isProblem, type Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { Refusal } from "../../trino-sql/refusal.ts";
import { refusing } from "../../trino-sql/refused.ts";
import { findCluster, planCluster, type ClusterDeps, type ClusterPlan, type HeavyQuery } from "./plan-cluster.ts";
import type { Fallback } from "../async/start.ts";
import { inDuckDb, namesOf, openTree } from "./dialect.ts";
import { estimateQuery } from "../estimate/estimate.ts";
import type { EngineChoice, NewQuery } from "../query.ts";

type Deps = ClusterDeps & Needs<"openEngine">;

/** `translated`: the same in DuckDB's SQL. */
type Choice = { engine: EngineChoice; heavy: HeavyQuery; translated: () => Promise<NewQuery> };

/** The query for the team's own Trino; undefined where DuckDB runs it. */
export async function chooseEngine(ctx: Deps, { engine, heavy, translated }: Choice): Promise<ClusterPlan | undefined> {
  switch (engine) {
    case "duckdb":
      return undefined;
    case "trino":
      return planCluster(ctx, heavy);
    case "auto":
      return (await isHeavy(ctx, heavy, translated)) ? planWhereFit(ctx, heavy) : undefined;
  }
}

/** {@link chooseEngine} of a request's statement. Throws `validation_failed` for what a cluster is not asked for. */
export async function chooseCluster(ctx: Deps, query: NewQuery, deadlineMs: number): Promise<ClusterPlan | undefined> {
  const { engine = "duckdb", sql = "" } = query;
  if (engine === "duckdb") return undefined;
  return refusing(sql, async () => {
    const heavy = await heavyOf(ctx, query, deadlineMs);
    if (heavy) return chooseEngine(ctx, { engine, heavy, translated: () => inDuckDb(ctx, query) });
    if (engine === "auto") return undefined;
    throw new Refusal("NOT_SUPPORTED", "What writes runs on DuckDB alone.", 0);
  });
}

/**
 * What the engine is to run in the place of a statement that nobody waits for, where DuckDB has too little memory for
 * it; undefined where nothing is.
 */
export async function planFallback(
  ctx: Deps,
  { engine, heavy }: Pick<Choice, "engine" | "heavy">,
): Promise<Fallback | undefined> {
  if (engine !== "auto") return undefined;
  const cluster = await findCluster(ctx, heavy.catalog);
  const planned = cluster?.route.after_memory_failure ? await planWhereFit(ctx, heavy) : undefined;
  return planned && { sql: planned.asked.sql, target: planned.target };
}

/** {@link planFallback} of a request's statement. */
export async function chooseFallback(
  ctx: Deps,
  query: NewQuery,
  { target, deadlineMs }: Pick<StatementRequest, "target" | "deadlineMs">,
): Promise<Fallback | undefined> {
  const { engine = "duckdb" } = query;
  const isOnDuckDb = engine === "auto" && target.kind === "lake";
  const heavy = isOnDuckDb ? await heavyOf(ctx, query, deadlineMs) : undefined;
  return heavy && planFallback(ctx, { engine, heavy });
}

/** The statement for the team's own Trino, once DuckDB had too little memory for it; undefined: it has failed. */
export async function chooseAfterFailure(
  ctx: Deps,
  query: NewQuery,
  { isOutOfMemory }: Problem,
): Promise<ClusterPlan | undefined> {
  if (query.engine !== "auto" || !isOutOfMemory) return undefined;
  try {
    const heavy = await heavyOf(ctx, query, query.timeout_ms ?? LIMITS.queryDeadlineMsDefault);
    const cluster = heavy && (await findCluster(ctx, heavy.catalog));
    return cluster?.route.after_memory_failure ? await planWhereFit(ctx, heavy!) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where it writes. */
async function heavyOf(
  ctx: Deps,
  { sql = "", integration_id: id }: NewQuery,
  deadlineMs: number,
): Promise<HeavyQuery | undefined> {
  const { statement, catalog } = await openTree(ctx, sql, id);
  if (statement.kind === "write") return undefined;
  const { query } = statement;
  const form = { timeZone: "UTC", form: "cells", isParametric: true } as const;
  return { text: sql, query, values: [], catalog, names: namesOf(catalog), deadlineMs, ...form };
}

/** What a cluster is not asked for stays on DuckDB. */
async function planWhereFit(ctx: Deps, heavy: HeavyQuery): Promise<ClusterPlan | undefined> {
  try {
    return await planCluster(ctx, heavy);
  } catch (error) {
    if (error instanceof Refusal || (isProblem(error) && UNFIT.includes(error.code))) return undefined;
    throw error;
  }
}

/** The cluster may be gone by then, and a role new. */
const UNFIT: readonly Problem["code"][] = ["validation_failed", "resource_not_found", "heavy_engine_restricted"];

/** Whether it reads more than its cluster's route leaves to DuckDB. What can't be estimated is not heavy. */
async function isHeavy(ctx: Deps, { catalog }: HeavyQuery, translated: () => Promise<NewQuery>): Promise<boolean> {
  const above = (await findCluster(ctx, catalog))?.route.above_bytes ?? null;
  if (above === null) return false;
  const { sql, integration_id: id } = await translated();
  const asked = { ...(sql !== undefined && { sql }), ...(id !== undefined && { integration_id: id }) };
  const estimate = await estimateQuery(ctx, asked).catch(() => undefined);
  return estimate !== undefined && estimate.refusal === null && estimate.total.bytes > above;
}
