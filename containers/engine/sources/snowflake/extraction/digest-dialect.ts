// Snowflake hashes a table's rows in this dialect, of which `sources/digests/` makes statements.
//
// Rows are told apart by texts that Snowflake makes of their values. A value that it prints with fewer digits than it
// keeps (a FLOAT) goes in as Snowflake's own hash of it, and long texts and documents as their SHA-256, for a row of
// several would be longer than any text may be.

import type { SourceColumn } from "../../../extract/source-table.ts";
import { entryOf, forTypes } from "../../../core/type-tables.ts";
import type { DigestDialect, Ordinal } from "../../digests/dialect.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";
import type { SnowflakeTable } from "./describe-table.ts";
import type { SnowflakeColumn, SnowflakeType } from "./plan-column.ts";

/** Longer texts are hashed by themselves. */
const LENGTH_MAX = 256;
/** Stands for NULL; nothing else begins so. */
const NOTHING = "'N'";

/** `from`: the table as of the snapshot's moment. Undefined where a column's values can't be told apart for sure. */
export function digestDialect(table: SnowflakeTable, from: string, snapshot: SnapshotRows): DigestDialect | undefined {
  const texts = [...table.declared.values()].map(rowText);
  if (texts.some((text) => text === undefined)) return undefined;
  return {
    fetchRows: (sql, format, signal) => snapshot.fetchRows(sql, format, signal),
    from,
    rowText: joinTexts(texts as string[]),
    keyText: (column) => keyText(column, table.declared.get(column.name)),
    joinTexts,
    ordinal: (column) => ordinal(column, table.declared.get(column.name)),
    // Division would round.
    divide: (number, by) => `BITSHIFTRIGHT(${number}, ${by.toString(2).length - 1})`,
    hash: (text) => `SHA2(${text}, 256)`,
    firstDigits: (hash, count) => `SUBSTR(${hash}, 1, ${count})`,
    sumHashes: (hash) => [sumHalf(hash, 1), sumHalf(hash, 17)],
  };
}

const sumHalf = (hash: string, at: number): string =>
  `SUM(TO_NUMBER(SUBSTR(${hash}, ${at}, 16), 'XXXXXXXXXXXXXXXX', 20, 0))`;

const joinTexts = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `CONCAT_WS(',', ${texts.join(", ")})`;

/** A text that ends where it says, or holds no comma; undefined of types whose values are not known. */
const rowText = (column: SnowflakeColumn): string | undefined =>
  entryOf(ROW_TEXTS, column.dataType)?.(quoteIdentifier(column.name), column);

const orNothing = (text: string): string => `COALESCE(${text}, ${NOTHING})`;
const hashed = (text: string): string => orNothing(`SHA2(${text}, 256)`);
const printed = (value: string): string => orNothing(`TO_VARCHAR(${value})`);

const ROW_TEXTS: Record<SnowflakeType, (value: string, column: SnowflakeColumn) => string | undefined> = {
  // The session's format prints times with all nine digits.
  ...forTypes(["NUMBER", "BOOLEAN", "TIME"], printed),
  // The hash of NULL is one too.
  FLOAT: (value) => `CASE WHEN ${value} IS NULL THEN ${NOTHING} ELSE TO_VARCHAR(HASH(${value})) END`,
  TEXT: (value, { length, isCollated }) => {
    const text = plainText(value, isCollated);
    return length > 0 && length <= LENGTH_MAX ? orNothing(`LENGTH(${text}) || ' ' || ${text}`) : hashed(text);
  },
  BINARY: hashed,
  DATE: (value) => printed(`DATEDIFF('day', '1970-01-01'::DATE, ${value})`),
  ...forTypes(["TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"], (value) =>
    printed(`DATE_PART('epoch_nanosecond', ${value})`),
  ),
  // JSON's null is no NULL, and may have no text.
  ...forTypes(
    ["VARIANT", "OBJECT", "ARRAY"],
    (value) => `CASE WHEN ${value} IS NULL THEN ${NOTHING} ELSE COALESCE(SHA2(TO_JSON(${value}), 256), 'null') END`,
  ),
  MAP: (value) => hashed(`TO_JSON(${value}::VARIANT)`),
  ...forTypes(["GEOGRAPHY", "GEOMETRY"], (value) => hashed(`ST_ASWKB(${value})`)),
  ...forTypes(["VECTOR", "UUID", "DECFLOAT"], () => undefined),
};

/** Texts of different collations can't be joined. */
const plainText = (value: string, isCollated: boolean): string => (isCollated ? `COLLATE(${value}, '')` : value);

/** The key's text as DuckDB prints the lake's column. */
function keyText({ lake, select: value }: SourceColumn, declared: SnowflakeColumn | undefined): string | undefined {
  const digits = /^decimal\((\d+),(\d+)\)$/.exec(lake.type);
  if (digits)
    return orNothing(digits[1] === digits[2] ? `REPLACE(TO_VARCHAR(${value}), '0.', '.')` : `TO_VARCHAR(${value})`);
  switch (lake.type) {
    case "int16":
    case "int32":
    case "int64":
    case "boolean":
      return orNothing(`TO_VARCHAR(${value})`);
    case "date":
      return orNothing(`TO_VARCHAR(${value}, 'YYYY-MM-DD')`);
    case "timestamp":
      return orNothing(withoutZeros(`TO_VARCHAR(${value}, 'YYYY-MM-DD HH24:MI:SS.FF6')`));
    case "timestamptz":
      return orNothing(
        `${withoutZeros(`TO_VARCHAR(CONVERT_TIMEZONE('UTC', ${value}), 'YYYY-MM-DD HH24:MI:SS.FF6')`)} || '+00'`,
      );
    case "blob":
      return orNothing(`HEX_ENCODE(${value})`);
    case "varchar": {
      if (declared?.dataType !== "TEXT") return undefined;
      const text = plainText(value, declared.isCollated);
      return `COALESCE(OCTET_LENGTH(${text}) || ' ' || ${text}, ' ')`;
    }
    default:
      return undefined;
  }
}

const withoutZeros = (time: string): string => `RTRIM(RTRIM(${time}, '0'), '.')`;

function ordinal({ lake, select }: SourceColumn, declared: SnowflakeColumn | undefined): Ordinal | undefined {
  const whole = declared?.dataType === "NUMBER" && declared.scale === 0;
  if (whole && /^(int|decimal)/.test(lake.type))
    return { sql: select, unit: "one", compared: select, literal: (text) => text };
  const literal = LITERALS[lake.type];
  if (!literal) return undefined;
  const unit = lake.type === "date" ? "day" : "second";
  return {
    // Counts the days or seconds that begin in between, which rounds down on both sides of the epoch.
    sql: `DATEDIFF('${unit}', ${literal(unit === "day" ? "1970-01-01" : "1970-01-01 00:00:00")}, ${select})`,
    unit,
    compared: select,
    literal,
  };
}

/** How a value that DuckDB has printed is written, by the lake's type. */
export const LITERALS: Record<string, ((text: string) => string) | undefined> = {
  date: (text) => `${quoteLiteral(text)}::DATE`,
  timestamp: (text) => `${quoteLiteral(text)}::TIMESTAMP_NTZ`,
  timestamptz: (text) => instantSql(text.replace(/\+00(:00)?$/, "")),
};

/** Writes a time in UTC in the one form that is read alike whatever the session's formats are. */
export const instantSql = (text: string): string => `${quoteLiteral(`${text.replace(" ", "T")}+00:00`)}::TIMESTAMP_TZ`;
