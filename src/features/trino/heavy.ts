// A query of one of Trino's clients for the team's own Trino, where its session says so, or it fits.

import { LIMITS } from "../../core/limits.ts";
import type { Fallback } from "../query/async/start.ts";
import { chooseEngine, planFallback } from "../query/cluster/choose-engine.ts";
import type { ClusterPlan } from "../query/cluster/plan-cluster.ts";
import { runQueryAsync } from "../query/run.ts";
import { answerOf } from "./answer.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import type { Statement } from "../trino-sql/parse/parse-statement.ts";
import type { Translated } from "../trino-sql/translate/place.ts";
import { namesLakeTable, type OpenedCatalog } from "../trino-sql/lake-tables.ts";
import { requireRunnable, type Exchange } from "./exchange.ts";
import { pageAddress } from "./page-address.ts";

type Heavy = {
  statement: Extract<Statement, { kind: "query" }>;
  values: readonly Expression[];
  catalog: OpenedCatalog;
  translated: () => Translated;
};

/** What the engine runs where DuckDB has too little memory for the query; undefined where nothing is to run. */
export async function planHeavier(asked: Exchange, heavy: Heavy): Promise<Fallback | undefined> {
  if (!namesLakeTable(heavy.statement.query, heavy.catalog, asked.session)) return undefined;
  const { scoped, ...choice } = choiceOf(asked, heavy);
  return planFallback(scoped, choice);
}

/** Undefined where DuckDB runs it: so are all queries that name no table of the lake, by which clients look around. */
export async function beginHeavy(asked: Exchange, heavy: Heavy): Promise<Response | undefined> {
  const { session } = asked;
  if (session.engine === "duckdb") return undefined;
  if (!namesLakeTable(heavy.statement.query, heavy.catalog, session)) return undefined;
  // Whatever is planned holds snapshots.
  await requireRunnable(asked.ctx, asked.text);
  const planned = await plan(asked, heavy);
  return planned && beginPlanned(asked, planned);
}

function plan(asked: Exchange, heavy: Heavy): Promise<ClusterPlan | undefined> {
  const { scoped, ...choice } = choiceOf(asked, heavy);
  return chooseEngine(scoped, choice);
}

function choiceOf({ ctx, session, text, id }: Exchange, { statement, values, catalog, translated }: Heavy) {
  const { timeZone, engine } = session;
  const names = { catalog: session.catalog ?? catalog.catalog, schema: session.schema };
  const isParametric = session.digitsMax > DIGITS_OF_MILLISECONDS;
  const query = {
    ...{ text, query: statement.query, values, catalog, names },
    ...({ timeZone, form: "trino", isParametric, deadlineMs: LIMITS.queryDeadlineMsMax } as const),
  };
  const { integrationId } = catalog;
  const inDuckDb = async () => ({
    sql: translated().sql,
    ...(integrationId !== undefined && { integration_id: integrationId }),
  });
  const scoped = { ...ctx, scope: { ...ctx.scope, requestId: id } };
  return { scoped, engine, heavy: query, translated: inDuckDb };
}

const DIGITS_OF_MILLISECONDS = 3;

async function beginPlanned({ ctx, text, id, origin }: Exchange, planned: ClusterPlan): Promise<Response> {
  const { waitUntil } = ctx;
  const waiting = { waitMs: 0, leaseMs: LIMITS.trinoLeaseMs, waitUntil, isAnsweredAtOnce: true } as const;
  const scoped = { ...ctx, scope: { ...ctx.scope, requestId: id } };
  await runQueryAsync(scoped, { sql: text, planned }, { format: "ndjson", numbers: "exact" }, waiting);
  const nextUri = await pageAddress(ctx, { origin, queryId: id, offset: 0 });
  return answerOf({ id, origin, state: "QUEUED", elapsedMs: 0, nextUri });
}
