// A statement in Trino's SQL, run by a real Trino, and as it is translated by DuckDB.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { Refusal } from "../../../../../src/features/trino-sql/refusal.ts";
import type { Table } from "../../../../../src/features/trino-sql/translate/scope.ts";
import { nameOf } from "../../../../../src/features/trino-sql/trino-types.ts";
import { parsePage } from "../trino-values.ts";
import { rowTexts, translated, type EncodedQuery } from "../../trino/on-duckdb.ts";

/** What became of a statement: its rows with their columns' types, or why it has none. */
export type Answer =
  | { kind: "rows"; names: string[]; types: string[]; rows: unknown[][] }
  | { kind: "failed"; message: string }
  | { kind: "refused"; message: string };

const STATEMENT_MS = 120_000;

type Page = {
  nextUri?: string;
  columns?: { name: string; type: string }[];
  data?: unknown[][];
  error?: { message: string; errorName: string };
};

export async function askTrino(url: string, sql: string, timeZone = "UTC"): Promise<Answer> {
  const signal = AbortSignal.timeout(STATEMENT_MS);
  const headers = {
    "x-trino-user": "fjord",
    "x-trino-time-zone": timeZone,
    "x-trino-catalog": "lake",
    "x-trino-schema": "shop",
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
  };
  const ask = async (address: string, init: RequestInit): Promise<Page> =>
    parsePage(await (await fetch(address, { ...init, headers, signal })).text()) as Page;
  let page = await ask(`${url}/v1/statement`, { method: "POST", body: sql });
  let columns: Page["columns"] = [];
  const rows: unknown[][] = [];
  for (;;) {
    if (page.error) return { kind: "failed", message: `${page.error.errorName}: ${page.error.message}` };
    columns = page.columns ?? columns;
    rows.push(...(page.data ?? []));
    if (!page.nextUri) break;
    // Trino answers this request once there are rows, or after a second.
    page = await ask(page.nextUri, { method: "GET" });
  }
  return { kind: "rows", names: columns.map(({ name }) => name), types: columns.map(({ type }) => type), rows };
}

export async function connectDuckDb(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
  return connection;
}

/** A query as DuckDB runs it, or why it is refused. */
export type Translated = EncodedQuery | Extract<Answer, { kind: "refused" }>;

const CONSTANTS = { now: new Date(), user: "fjord", catalog: "lake", schema: "shop" };

export function translateOver(tables: ReadonlyMap<string, Table>, sql: string, timeZone: string): Translated {
  const findTable = (path: { text: string; at: number }[]): Table => {
    const names = path.map(({ text }) => text.toLowerCase());
    const found = tables.get(names.length === 1 ? `shop.${names[0]}` : names.slice(-2).join("."));
    if (!found) throw new Refusal("TABLE_NOT_FOUND", `There is no table ${names.join(".")}.`, path[0]!.at);
    return found;
  };
  try {
    return translated(sql, { findTable, ...CONSTANTS, timeZone });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", message: `${error.error}: ${error.message}` };
  }
}

export async function runOnDuckDb(connection: DuckDBConnection, query: EncodedQuery): Promise<Answer> {
  try {
    const rows = await rowTexts(connection, query);
    return {
      kind: "rows",
      names: query.columns.map(({ name }) => name!),
      types: query.columns.map(({ type }) => nameOf(type)),
      rows: rows.map((row) => parsePage(row) as unknown[]),
    };
  } catch (error) {
    return { kind: "failed", message: String(error).split("\n")[0]! };
  }
}
