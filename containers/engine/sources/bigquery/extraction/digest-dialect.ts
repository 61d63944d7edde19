// BigQuery hashes the rows of a table in this dialect, of which `sources/digests/` makes statements.

import type { SourceColumn } from "../../../extract/source-table.ts";
import { entryOf, forTypes } from "../../../core/type-tables.ts";
import type { DigestDialect, Ordinal } from "../../digests/dialect.ts";
import type { Field } from "../connection/resources.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { isRepeated, sqlType, type BigQueryType } from "../rows/column-types.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";

const INT64_MAX = 2n ** 63n - 1n;

/** `from`: a FROM clause of the rows that the snapshot has. */
export const digestDialect = (rows: SnapshotRows, from: string, fields: readonly Field[]): DigestDialect => ({
  fetchRows: (sql, format, signal) => rows.fetchRows(sql, format, signal),
  from,
  rowText: joinTexts(fields.map((field) => `IFNULL(${rowText(field, quoteIdentifier(field.name))}, 'N')`)),
  keyText,
  joinTexts,
  ordinal,
  // No INT64 is as large, and neither is its literal.
  divide: (number, by) => (by > INT64_MAX ? `(${number} * 0)` : `DIV(${number}, ${by})`),
  hash: (text) => `SHA256(${text})`,
  firstDigits: (hash, count) => `SUBSTR(TO_HEX(${hash}), 1, ${count})`,
  sumHashes: (hash) => [sumOf(hash, 1), sumOf(hash, 17)],
});

const joinTexts = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `CONCAT(${texts.join(", ',', ")})`;

/**
 * A value's text, by which no two of a column are alike; NULL of NULL. One that may hold a comma comes after its
 * length. A FLOAT64 is printed with as many digits as tell each from its neighbours, which CAST does not.
 */
function rowText(field: Field, column: string): string {
  if (isRepeated(field) || sqlType(field) === "STRUCT") return hashed(nestedText(field, column, 1));
  return (entryOf(ROW_TEXTS, sqlType(field)) ?? measuredText)(column, field);
}

const castText = (column: string): string => `CAST(${column} AS STRING)`;
const measuredText = (column: string): string => measured(castText(column));

const ROW_TEXTS: Record<Exclude<BigQueryType, "STRUCT">, (column: string, field: Field) => string> = {
  STRING: measured,
  BYTES: (column) => `TO_HEX(${column})`,
  FLOAT64: (column) => `FORMAT('%.17g', ${column})`,
  // A TIMESTAMP with more than six digits has none of them in UNIX_MICROS.
  TIMESTAMP: (column, { timestampPrecision: digits = "6" }) =>
    digits === "6" ? `CAST(UNIX_MICROS(${column}) AS STRING)` : castText(column),
  JSON: (column) => measured(`TO_JSON_STRING(${column})`),
  GEOGRAPHY: (column) => `TO_HEX(ST_ASBINARY(${column}))`,
  ...forTypes(["INT64", "NUMERIC", "BIGNUMERIC", "BOOL", "DATE", "TIME", "DATETIME"], castText),
  ...forTypes(["INTERVAL", "RANGE"], measuredText),
};

function measured(text: string): string {
  return `CONCAT(CAST(BYTE_LENGTH(${text}) AS STRING), ' ', ${text})`;
}

/** A hash is equally long for every text, and the text is written once, however deep it is nested. */
const hashed = (text: string): string => `TO_HEX(SHA256(${text}))`;

/** A STRUCT or an ARRAY is written from its parts: TO_JSON_STRING would print some numbers inexactly. */
function nestedText(field: Field, value: string, depth: number): string {
  if (isRepeated(field)) {
    const element = `e${depth}`;
    const text = nestedText({ ...field, mode: "NULLABLE" }, element, depth + 1);
    const [order, texts] = [`o${depth}`, `IFNULL(${sqlType(field) === "STRUCT" ? hashed(text) : text}, 'N')`];
    return `ARRAY_TO_STRING(ARRAY(SELECT ${texts} FROM UNNEST(${value}) AS ${element} WITH OFFSET AS ${order}
      ORDER BY ${order}), ',')`;
  }
  if (sqlType(field) !== "STRUCT") return rowText(field, value);
  const parts = (field.fields ?? []).map((part) => {
    const path = `${value}.${quoteIdentifier(part.name)}`;
    const text =
      isRepeated(part) || sqlType(part) === "STRUCT" ? hashed(nestedText(part, path, depth)) : rowText(part, path);
    return `IFNULL(${text}, 'N')`;
  });
  return `IF(${value} IS NULL, NULL, ${parts.length === 0 ? "''" : joinTexts(parts)})`;
}

/** The types that a primary key may have, but for decimals with digits behind the point, or too many of them. */
function keyText({ name, type: declared, lake: { type } }: SourceColumn): string | undefined {
  const column = quoteIdentifier(name);
  const orN = (text: string): string => `IFNULL(${text}, 'N')`;
  if (type === "int64" || type === "boolean" || type === "date" || /^decimal\(\d+, ?0\)$/.test(type))
    return orN(`CAST(${column} AS STRING)`);
  // Years have four digits, seconds as many behind the point as are not nought.
  if (type === "timestamp") return orN(`FORMAT_DATETIME('%E4Y-%m-%d %H:%M:%E*S', ${column})`);
  if (type === "timestamptz") return orN(`CONCAT(FORMAT_TIMESTAMP('%E4Y-%m-%d %H:%M:%E*S', ${column}, 'UTC'), '+00')`);
  if (/^STRING\b/.test(declared)) return `IFNULL(${measured(column)}, ' ')`;
  return undefined;
}

function ordinal({ name, lake: { type } }: SourceColumn): Ordinal | undefined {
  const compared = quoteIdentifier(name);
  switch (type) {
    case "int64":
      return { sql: compared, unit: "one", compared, literal: (text) => `CAST(${quoteLiteral(text)} AS INT64)` };
    case "date":
      return { sql: `UNIX_DATE(${compared})`, unit: "day", compared, literal: (text) => `DATE ${quoteLiteral(text)}` };
    case "timestamp":
      return {
        sql: `UNIX_SECONDS(TIMESTAMP(${compared}, 'UTC'))`,
        unit: "second",
        compared,
        literal: (text) => `DATETIME ${quoteLiteral(text)}`,
      };
    case "timestamptz":
      return {
        sql: `UNIX_SECONDS(${compared})`,
        unit: "second",
        compared,
        literal: (text) => `TIMESTAMP ${quoteLiteral(`${text}+00`)}`,
      };
    default:
      return undefined;
  }
}

/** Sums the 64 bits of each hash that begin at a digit: in halves, for INT64 has a sign, and added as BIGNUMERIC. */
function sumOf(hash: string, digit: number): string {
  const half = (from: number): string =>
    `PARSE_BIGNUMERIC(CAST(CAST(CONCAT('0x', SUBSTR(TO_HEX(${hash}), ${from}, 8)) AS INT64) AS STRING))`;
  return `CAST(SUM(${half(digit)}) * 4294967296 + SUM(${half(digit + 8)}) AS STRING)`;
}
