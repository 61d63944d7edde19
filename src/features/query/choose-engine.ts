// Which engine runs a statement in Trino's SQL: what its sender says, or else what fits it.

import { isProblem, type Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { refusing } from "../trino-sql/refused.ts";
import { findCluster, planCluster, type ClusterDeps, type ClusterPlan } from "./cluster.ts";
import { inDuckDb, namesOf, openStatement } from "./dialect.ts";
import { estimateQuery } from "./estimate.ts";
import type { NewQuery } from "./query.ts";
import { Refusal } from "../trino-sql/refusal.ts";

type Deps = ClusterDeps & Needs<"openEngine">;

/** The statement for the team's own Trino; undefined where DuckDB runs it. */
export async function chooseCluster(ctx: Deps, query: NewQuery, deadlineMs: number): Promise<ClusterPlan | undefined> {
  switch (query.engine) {
    case undefined:
    case "duckdb":
      return undefined;
    case "trino":
      return planFor(ctx, query, deadlineMs);
    case "auto":
      return (await isHeavy(ctx, query)) ? planWhereFit(ctx, query, deadlineMs) : undefined;
  }
}

/** The statement for the team's own Trino, once DuckDB had too little memory for it; undefined where it is not to be. */
export async function chooseAfterFailure(
  ctx: Deps,
  query: NewQuery,
  { problem, deadlineMs }: { problem: Problem; deadlineMs: number },
): Promise<ClusterPlan | undefined> {
  if (query.engine !== "auto" || !problem.isOutOfMemory) return undefined;
  const { statement, catalog } = await openStatement(ctx, query.sql!, query.integration_id);
  const cluster = await findCluster(ctx, catalog);
  if (statement.kind !== "query" || !cluster?.route.after_memory_failure) return undefined;
  return planWhereFit(ctx, query, deadlineMs);
}

function planFor(ctx: Deps, { sql = "", integration_id: id }: NewQuery, deadlineMs: number): Promise<ClusterPlan> {
  return refusing(sql, async () => {
    const { statement, catalog } = await openStatement(ctx, sql, id);
    if (statement.kind === "write") throw new Refusal("NOT_SUPPORTED", "What writes runs on DuckDB alone.", 0);
    const form = { timeZone: "UTC", form: "cells", isParametric: true } as const;
    const { query } = statement;
    return planCluster(ctx, { text: sql, query, values: [], catalog, names: namesOf(catalog), deadlineMs, ...form });
  });
}

/** What a cluster is not asked for stays on DuckDB. */
async function planWhereFit(ctx: Deps, query: NewQuery, deadlineMs: number): Promise<ClusterPlan | undefined> {
  try {
    return await planFor(ctx, query, deadlineMs);
  } catch (error) {
    if (isProblem(error) && UNFIT.includes(error.code)) return undefined;
    throw error;
  }
}

const UNFIT: readonly Problem["code"][] = ["validation_failed", "heavy_engine_restricted"];

/** Whether it reads more than the route of the lake's cluster leaves to DuckDB. What can't be estimated is not heavy. */
async function isHeavy(ctx: Deps, query: NewQuery): Promise<boolean> {
  const { statement, catalog } = await openStatement(ctx, query.sql!, query.integration_id);
  if (statement.kind !== "query") return false;
  const above = (await findCluster(ctx, catalog))?.route.above_bytes ?? null;
  if (above === null) return false;
  const translated = await inDuckDb(ctx, query);
  const { dialect: _, engine: __, ...asked } = translated;
  const estimate = await estimateQuery(ctx, asked).catch(() => undefined);
  return estimate !== undefined && estimate.refusal === null && estimate.total.bytes > above;
}
