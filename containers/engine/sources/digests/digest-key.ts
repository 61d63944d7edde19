// A table's key partitions are made of the key: its text, its first column's numbers, and ranges of it as conditions at
// the source and in the lake.

import * as duckdb from "../../duckdb/quoting.ts";
import type { FirstBounds } from "../../extract/changes/changes.ts";
import { keyText } from "../../extract/changes/key-checksum.ts";
import type { SourceColumn, SourceTable } from "../../extract/source-table.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import type { DigestDialect, Ordinal } from "./dialect.ts";

/** Ordinals that a database is asked to make of literals before it is trusted with rows. */
export const SAMPLES = [-5n, 7n] as const;

export type DigestKey = {
  /** The digest of the whole key, in the source's SQL. */
  text: string;
  /** The digest of the whole key in DuckDB's SQL, over the lake's rows. */
  lakeText: string;
  ordinal: KeyOrdinal | undefined;
};

export type KeyOrdinal = {
  sql: string;
  /** Whether conditions can name it. */
  holds(ordinal: bigint): boolean;
  /** The rows from `from` on and below `to`; null is no bound. */
  range(from: bigint | null, to: bigint | null): { where: string; lakeWhere: string; bounds: FirstBounds };
  /** The rows without a value. */
  none: { where: string; lakeWhere: string };
  /** Literals under the column's name, one for each ordinal of `SAMPLES`. */
  samples: string[];
};

/** Undefined where a column of the key can't be printed at the source as in the lake. */
export function planKey(dialect: DigestDialect, table: SourceTable): DigestKey | undefined {
  const columns = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key));
  const texts: string[] = [];
  for (const column of columns) {
    const text = column && dialect.keyText(column);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const [first] = columns;
  if (!first) return undefined;
  const ordinal = isOrdered(first) ? dialect.ordinal(first) : undefined;
  return {
    text: dialect.joinTexts(texts),
    lakeText: keyText(columns.map((column) => column!.lake)),
    ordinal: ordinal && ordinalOf(first, ordinal),
  };
}

/** Whether the lake compares the column's values as numbers and times are. */
const isOrdered = ({ lake: { type } }: SourceColumn): boolean =>
  /^(int(8|16|32|64)|decimal\(\d+, ?0\)|date|timestamp(tz)?)$/.test(type);

function ordinalOf(column: SourceColumn, { sql, unit, compared, literal }: Ordinal): KeyOrdinal {
  const name = duckdb.quoteIdentifier(column.lake.name);
  const type = duckdbType(column.lake);
  const isInstant = column.lake.type === "timestamptz";
  const inLake = (text: string) => `CAST(${duckdb.quoteLiteral(isInstant ? `${text}+00` : text)} AS ${type})`;
  return {
    sql,
    holds: (ordinal) => spell(unit, ordinal) !== undefined,
    range(from, to) {
      const [low, high] = [from, to].map((bound) => (bound === null ? null : spell(unit, bound)));
      if (low === undefined || high === undefined) throw new Error("a bound of a range of the key can't be written");
      const condition = (value: string, write: (text: string) => string): string =>
        [low === null ? [] : [`${value} >= ${write(low)}`], high === null ? [] : [`${value} < ${write(high)}`]]
          .flat()
          .join(" AND ") || `${value} IS NOT NULL`;
      const bound = (text: string | null): string | null =>
        text === null || !isSortable(unit, text) ? null : isInstant ? `${text}+00` : text;
      return {
        where: condition(compared, literal),
        lakeWhere: condition(name, inLake),
        bounds: { from: bound(low), upTo: bound(high) },
      };
    },
    none: { where: `${compared} IS NULL`, lakeWhere: `${name} IS NULL` },
    // Half a second later, which is to be rounded down.
    samples: SAMPLES.map((at) => `${literal(`${spell(unit, at)}${unit === "second" ? ".5" : ""}`)} AS ${compared}`),
  };
}

const DAY_SECONDS = 86_400n;
/** From 0001-01-01 to the end of 9999: years that every database writes with four digits. */
const [SECONDS_MIN, SECONDS_MAX] = [-62_135_596_800n, 253_402_300_799n];

/** Undefined where a date is of another year than people write. */
function spell(unit: Ordinal["unit"], ordinal: bigint): string | undefined {
  if (unit === "one") return String(ordinal);
  const seconds = unit === "day" ? ordinal * DAY_SECONDS : ordinal;
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) return undefined;
  const text = new Date(Number(seconds) * 1_000).toISOString();
  return unit === "day" ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}

/** The lake's catalog compares dates of these years as texts. */
const isSortable = (unit: Ordinal["unit"], text: string): boolean => unit === "one" || text >= "1000";
