// Trino's SQL, translated and run on DuckDB; each row is one JSON list, as the engine writes it for Trino's clients.

import type { DuckDBConnection } from "@duckdb/node-api";
import { parseSql } from "../../../../src/features/trino-sql/parse/parse-statement.ts";
import { Refusal } from "../../../../src/features/trino-sql/refusal.ts";
import { encodeQuery } from "../../../../src/features/trino-sql/translate/encode.ts";
import type { Means } from "../../../../src/features/trino-sql/translate/place.ts";
import { translate } from "../../../../src/features/trino-sql/translate/translate.ts";

export type EncodedQuery = ReturnType<typeof encodeQuery>;

const DIGITS_MAX = 12;
const CONSTANTS = { now: new Date(), timeZone: "UTC", user: "ada", catalog: "lake", schema: "s" };
const noTable = () => {
  throw new Refusal("TABLE_NOT_FOUND", "There is none.");
};

/** A query as its values are encoded for Trino's clients; without `findTable` it can name no table. */
export function translated(
  sql: string,
  { findTable = noTable, ...constants }: Partial<Means["constants"] & Pick<Means, "findTable">> = {},
): EncodedQuery {
  const statement = parseSql(sql);
  if (statement.kind !== "query") throw new Error("no query");
  const means = { findTable, constants: { ...CONSTANTS, ...constants }, parameters: [] };
  return encodeQuery(translate(statement.query, means), DIGITS_MAX);
}

/** The rows as the text that a client is sent of each. */
export async function rowTexts(connection: DuckDBConnection, { sql, columns }: EncodedQuery): Promise<string[]> {
  const list = `json_array(${columns.map((_, i) => `q.c${i}`).join(", ")})`;
  const reader = await connection.runAndReadAll(`SELECT ${list} AS r FROM (${sql}) AS q`);
  return reader.getRowsJson().map(([row]) => row as string);
}

export const rowsOn = async (connection: DuckDBConnection, query: EncodedQuery): Promise<unknown[][]> =>
  (await rowTexts(connection, query)).map((row) => JSON.parse(row));
