// Redshift hashes a table by SHA2 of texts. STRTOL makes numbers of the hexadecimal digits, eight at a time, as
// Redshift knows no number beyond 63 bits. All of it runs on the compute nodes.

import type { SourceColumn, SourceTable } from "../../../extract/source-table.ts";
import { quoteIdentifier, quoteTable } from "../../postgres/sql-text.ts";
import type { DigestDialect } from "../../digests/dialect.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { quoteLiteral } from "../sql-text.ts";
import type { PlannedColumn } from "./plan-column.ts";
import { hashOf, joinTexts, orNull, rowText } from "./row-text.ts";

const BIGINT_MAX = 2n ** 63n - 1n;

/** Undefined where a column has no text to be hashed. */
export function digestDialect(snapshot: SnapshotRows, table: SourceTable): DigestDialect | undefined {
  const text = rowText(table.columns);
  if (text === undefined) return undefined;
  return {
    fetchRows: (sql, format, signal) => snapshot.fetchRows(sql, format, signal),
    from: quoteTable(table),
    rowText: text,
    keyText: (column) => keyText(column as PlannedColumn),
    joinTexts,
    ordinal,
    // No BIGINT is as large; and by a literal that is a DECIMAL it would be divided with digits behind the point.
    divide: (number, by) => (by > BIGINT_MAX ? `(${number} * 0)` : `${number} / ${by}`),
    hash: hashOf,
    firstDigits: (hash, count) => `SUBSTRING(LOWER(${hash}), 1, ${count})`,
    sumHashes: (hash) => [sumOf(hash, 1), sumOf(hash, 17)],
  };
}

/** Sums 64 bits of each hash, from the digit `at` on. The product has 31 digits at most. */
function sumOf(hash: string, at: number): string {
  const part = (from: number, precision: number) =>
    `CAST(STRTOL(SUBSTRING(${hash}, ${from}, 8), 16) AS DECIMAL(${precision},0))`;
  return `SUM(${part(at, 20)} * CAST(4294967296 AS DECIMAL(10,0)) + ${part(at + 8, 10)})`;
}

function keyText({ name, select, lake: { type }, reading }: PlannedColumn): string | undefined {
  const value = quoteIdentifier(name);
  switch (reading.as) {
    case "integer":
      return orNull(value, `CAST(${value} AS VARCHAR(64))`);
    case "decimal":
      return orNull(value, decimalText(`CAST(${value} AS VARCHAR(64))`, reading));
    case "boolean":
      return `CASE WHEN ${value} THEN 'true' WHEN NOT ${value} THEN 'false' ELSE 'N' END`;
    case "date":
      return orNull(value, `TO_CHAR(${value}, 'YYYY-MM-DD')`);
    case "timestamp":
    case "timestamptz":
      return orNull(value, `${timeText(value)}${reading.as === "timestamptz" ? " || '+00'" : ""}`);
    case "text":
      return type === "varchar" ? orNull(value, lengthAndText(select), " ") : undefined;
    default:
      return undefined;
  }
}

/** DuckDB leaves out the zero of a decimal that has digits behind the point only. */
const decimalText = (text: string, { precision, scale }: { precision: number; scale: number }): string =>
  precision === scale ? `REPLACE(${text}, '0.', '.')` : text;

/** DuckDB ends a time after its last digit that counts. */
const timeText = (value: string): string => `RTRIM(RTRIM(TO_CHAR(${value}, 'YYYY-MM-DD HH24:MI:SS.US'), '0'), '.')`;

const lengthAndText = (text: string): string => `CAST(OCTET_LENGTH(${text}) AS VARCHAR(10)) || ' ' || ${text}`;

/** Decimals of more digits than a BIGINT holds, and times, are told apart by their hashes. */
function ordinal(column: SourceColumn): ReturnType<DigestDialect["ordinal"]> {
  const compared = quoteIdentifier(column.name);
  const { reading } = column;
  if (reading.as === "integer" || (reading.as === "decimal" && reading.scale === 0 && reading.precision <= 18))
    return { sql: `CAST(${compared} AS BIGINT)`, unit: "one", compared, literal: (text) => text };
  if (reading.as === "date")
    return {
      sql: `CAST(${compared} - CAST('1970-01-01' AS DATE) AS BIGINT)`,
      unit: "day",
      compared,
      literal: (text) => `CAST(${quoteLiteral(text)} AS DATE)`,
    };
  return undefined;
}
