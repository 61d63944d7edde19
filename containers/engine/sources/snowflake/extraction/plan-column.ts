// Snowflake's types: what the lake holds of each, and how it is read without loss.

import { plannedColumn } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceColumn } from "../../../extract/source-table.ts";
import { entryOf, forTypes } from "../../../core/type-tables.ts";
import {
  ALWAYS_READ,
  decimalPlan,
  NEVER_READ,
  plainPlan,
  type PlainType,
  type Readings,
  type TypePlan,
} from "../../../extract/type-plans.ts";
import { quoteIdentifier } from "../sql-text.ts";

/** A column as `information_schema.columns` has it. */
export type SnowflakeColumn = {
  name: string;
  /** `NUMBER`, `TEXT`, `TIMESTAMP_NTZ` … */
  dataType: string;
  /** The declared type with its settings: `NUMBER(38,0)`. */
  declaredType: string;
  precision: number;
  scale: number;
  /** The length of a text in characters; 0 for other types. */
  length: number;
  isCollated: boolean;
  nullable: boolean;
};

type Plan = TypePlan & { fallback?: ReadAs };

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  ...forTypes(["int8", "float32", "uuid", "list"], undefined),
  boolean: "boolean",
  int16: "integer",
  int32: "integer",
  time: "time",
} as const satisfies Readings;

const plain = plainPlan(READINGS);
const orText = (type: PlainType<typeof READINGS>): Plan => ({ ...plain(type), fallback: "varchar" });

const PLANS = {
  NUMBER: ({ precision, scale }) => planNumber(precision, scale),
  FLOAT: () => plain("float64"),
  BOOLEAN: () => plain("boolean"),
  BINARY: () => plain("blob"),
  DATE: () => orText("date"),
  TIME: () => orText("time"),
  TIMESTAMP_NTZ: () => orText("timestamp"),
  ...forTypes(["TIMESTAMP_LTZ", "TIMESTAMP_TZ"], () => orText("timestamptz")),
  // Values that are whole JSON in themselves, and what is sent as such.
  ...forTypes(["VARIANT", "OBJECT", "ARRAY", "MAP", "VECTOR", "GEOGRAPHY", "GEOMETRY"], () => orText("json")),
  ...forTypes(["TEXT", "UUID", "DECFLOAT"], () => plain("varchar")),
} satisfies Record<string, (column: SnowflakeColumn) => Plan>;

/** The types that columns may have. One that is not listed, such as the many of intervals, is read as text. */
export type SnowflakeType = keyof typeof PLANS;

/**
 * | Snowflake | lake | |
 * |---|---|---|
 * | NUMBER(p, 0), p up to 4, 9, 18 | int16, int32, int64 | |
 * | NUMBER(p, s), INTEGER and its like, which are NUMBER(38, 0) | decimal(p,s) | |
 * | FLOAT | float64 | |
 * | BOOLEAN, DATE, BINARY | boolean, date, blob | |
 * | TIME | time | varchar where a value is finer than microseconds |
 * | TIMESTAMP_NTZ | timestamp | the same |
 * | TIMESTAMP_LTZ, TIMESTAMP_TZ | timestamptz | the same; the instant, without the offset it was written with |
 * | VARIANT, OBJECT, ARRAY, MAP, VECTOR | json | |
 * | GEOGRAPHY, GEOMETRY | json | GeoJSON |
 * | TEXT, and what is not known here | varchar | |
 */
export function planColumn(column: SnowflakeColumn, lakeName: string, readAs?: ReadAs): SourceColumn {
  const plan: Plan = readAs ? plain(readAs) : planType(column);
  const { name, declaredType: type, nullable } = column;
  const planned = plannedColumn({ name, type, nullable, select: quoteIdentifier(name) }, lakeName, plan);
  return { ...planned, ...(plan.fallback ? { fallback: plan.fallback } : {}) };
}

const planType = (column: SnowflakeColumn): Plan =>
  entryOf<(column: SnowflakeColumn) => Plan>(PLANS, column.dataType)?.(column) ?? plain("varchar");

function planNumber(precision: number, scale: number): Plan {
  if (scale > 0 || precision > 18) return decimalPlan(precision, scale);
  return plain(precision <= 4 ? "int16" : precision <= 9 ? "int32" : "int64");
}
