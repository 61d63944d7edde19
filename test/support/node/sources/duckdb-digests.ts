// A database that can hash its tables, as further kinds of source do: DuckDB, on a connection of a test's own.

import type { DuckDBConnection } from "@duckdb/node-api";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { quoteIdentifier, quoteLiteral } from "../../../../containers/engine/duckdb/quoting.ts";
import type { SourceColumn, SourceTable } from "../../../../containers/engine/extract/source-table.ts";
import type { DigestDialect, Ordinal } from "../../../../containers/engine/sources/digests/dialect.ts";
import { duckdbType } from "../../../../containers/engine/parquet/lake-types.ts";

/** `statements` gets each that it runs. */
export function duckdbDigests(
  connection: DuckDBConnection,
  table: SourceTable,
  statements: string[] = [],
): DigestDialect {
  return {
    from: quoteIdentifier(table.name),
    rowText: concat(table.columns.map(({ name }) => `coalesce(${withLength(name)}, 'N')`)),
    keyText,
    joinTexts: concat,
    ordinal,
    divide: (number, by) => `(${number} // CAST(${by} AS HUGEINT))`,
    hash: (text) => `sha256(${text})`,
    firstDigits: (hash, count) => `left(${hash}, ${count})`,
    sumHashes: (hash) => [sumOf(hash, 1), sumOf(hash, 17)],
    async fetchRows(sql, format) {
      statements.push(sql);
      if (sql.includes("no_such_function")) throw new Failure("sql_error", "no such function");
      const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`);
      const rows = reader.getRows() as (string | null)[][];
      for (const row of rows) if (row.length !== format.length) throw new Error("another number of columns");
      return rows;
    },
  };
}

const concat = (texts: readonly string[]): string => `(${texts.join(" || ',' || ")})`;

const sumOf = (hash: string, from: number): string =>
  `CAST(sum(CAST('0x' || substr(${hash}, ${from}, 16) AS UBIGINT)) AS VARCHAR)`;

function withLength(name: string): string {
  const text = `CAST(${quoteIdentifier(name)} AS VARCHAR)`;
  return `CAST(strlen(${text}) AS VARCHAR) || ' ' || ${text}`;
}

function keyText({ name, lake: { type } }: SourceColumn): string | undefined {
  if (type.startsWith("float")) return undefined;
  if (type === "blob") return `upper(hex(${quoteIdentifier(name)}))`;
  if (type === "varchar") return `coalesce(${withLength(name)}, ' ')`;
  return `coalesce(CAST(${quoteIdentifier(name)} AS VARCHAR), 'N')`;
}

function ordinal({ name, lake }: SourceColumn): Ordinal | undefined {
  const compared = quoteIdentifier(name);
  const literal = (text: string) => `CAST(${quoteLiteral(text)} AS ${duckdbType(lake)})`;
  if (/^(int|decimal)/.test(lake.type)) return { sql: `CAST(${compared} AS HUGEINT)`, unit: "one", compared, literal };
  if (lake.type === "date") {
    const sql = `CAST(${compared} - DATE '1970-01-01' AS HUGEINT)`;
    return { sql, unit: "day", compared, literal };
  }
  const sql = `CAST(epoch_us(date_trunc('second', ${compared})) // 1000000 AS HUGEINT)`;
  return {
    sql,
    unit: "second",
    compared,
    literal: (text) => literal(lake.type === "timestamptz" ? `${text}+00` : text),
  };
}
