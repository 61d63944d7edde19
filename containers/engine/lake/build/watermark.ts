// The watermark of a dataset that reads only what came since: bound as `$since`, and moved on by the rows that came.

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { decimalDigits, type ScalarName } from "../../../../kernel/lake/lake-types.ts";
import type { Watermark, WatermarkType } from "../../../../kernel/wire/builds.ts";
import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { sameName } from "../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import { WRITTEN, type Text } from "../process/write-work.ts";
import { sqlError } from "../write/table-names.ts";

export const SINCE = "since";
const VALUE_CHARACTERS_MAX = 4_096;

/** The types by which the columns of the lake can be followed: each value is exact as text, and has an order. */
const TYPES: Record<ScalarName, WatermarkType | undefined> = {
  varchar: "text",
  int8: "integer",
  int16: "integer",
  int32: "integer",
  int64: "integer",
  uint8: "integer",
  uint16: "integer",
  uint32: "integer",
  date: "date",
  timestamp: "timestamp",
  timestamp_s: "timestamp",
  timestamp_ms: "timestamp",
  timestamptz: "timestamptz",
  // A parameter holds none of their values exactly.
  int128: undefined,
  uint64: undefined,
  uint128: undefined,
  timestamp_ns: undefined,
  // Their values are not exact as text, or have no order by which a source is read.
  boolean: undefined,
  float32: undefined,
  float64: undefined,
  time: undefined,
  timetz: undefined,
  interval: undefined,
  json: undefined,
  blob: undefined,
  uuid: undefined,
};

export const sinceParameter = ({ type, value }: Watermark): BoundParameter => ({
  type,
  isList: false,
  values: [value],
});

export type WatermarkColumn = { column: LakeColumn; type: WatermarkType };

/** Throws `sql_error` for a column that is not there, or can't be followed. */
export function watermarkColumn(name: string, columns: readonly LakeColumn[]): WatermarkColumn {
  const column = columns.find((each) => sameName(each.name, name));
  if (!column) throw sqlError(`The rows have no column ${name}, which the dataset's incremental names.`);
  const type = decimalDigits(column.type) ? "decimal" : TYPES[column.type as ScalarName];
  if (!type)
    throw sqlError(
      `The column ${name} is of the type ${duckdbType(column)}, which can't be followed: incremental takes whole ` +
        "numbers, decimals, texts, dates and timestamps.",
    );
  return { column, type };
}

/** The question about rows: their greatest value, or the one before where that is greater; and how many they are. */
export function askWatermark({ column, type }: WatermarkColumn, since: Watermark | null, rows = WRITTEN): string {
  const name = quoteIdentifier(column.name);
  const before = since === null ? "NULL" : quoteLiteral(since.value);
  const isInfinite = type === "text" || type === "integer" || type === "decimal" ? "false" : `NOT isfinite(${name})`;
  return (
    `SELECT CAST(greatest(max(${name}), CAST(${before} AS ${duckdbType(column)})) AS VARCHAR), ` +
    `CAST(bool_or(${isInfinite}) AS VARCHAR), CAST(count(*) AS VARCHAR) FROM ${rows}`
  );
}

/** The watermark after the rows; the one before where none of them has a value. */
export function readWatermark(
  { column, type }: WatermarkColumn,
  [value = null, isInfinite = null]: readonly Text[],
  since: Watermark | null,
): Watermark | null {
  if (isInfinite === "true")
    throw sqlError(`The column ${column.name} holds infinity, behind which nothing would ever be read again.`);
  if (value === null) return since;
  if (value.length > VALUE_CHARACTERS_MAX)
    throw sqlError(`The greatest value of the column ${column.name} has more than ${VALUE_CHARACTERS_MAX} characters.`);
  return { type, value };
}
