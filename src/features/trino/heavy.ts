// A query of one of Trino's clients for the team's own Trino, where its session says so, or it fits.

import { LIMITS } from "../../core/limits.ts";
import type { Fallback } from "../query/async/start.ts";
import { chooseEngine, planFallback } from "../query/cluster/choose-engine.ts";
import type { ClusterPlan } from "../query/cluster/plan-cluster.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import type { Statement } from "../trino-sql/parse/parse-statement.ts";
import type { Translated } from "../trino-sql/translate/place.ts";
import { namesLakeTable, type OpenedCatalog } from "../trino-sql/lake-tables.ts";
import { requireShort, type Exchange } from "./exchange.ts";
import { answerFirst } from "./first-answer.ts";

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
  const fallback = await planFallback(scoped, choice);
  return fallback && { ...fallback, ...(asked.isPrepared && { isTranslated: true }) };
}

/** Undefined where DuckDB runs it: so are all queries that name no table of the lake, by which clients look around. */
export async function beginHeavy(asked: Exchange, heavy: Heavy): Promise<Response | undefined> {
  const { session } = asked;
  if (session.engine === "duckdb") return undefined;
  if (!namesLakeTable(heavy.statement.query, heavy.catalog, session)) return undefined;
  requireShort(asked.text);
  const planned = await plan(asked, heavy);
  const { text: sql, isPrepared } = asked;
  return planned && answerFirst(asked, { sql, planned, ...(isPrepared && { isTranslated: true }) });
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
