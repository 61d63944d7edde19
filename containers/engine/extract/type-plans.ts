// Every kind of source decides the same about its types, in tables that the compiler holds to be complete: one by the
// types of the source (what the lake holds of each), one by the types of the lake (how a value on its way to each is
// read).

import type { ScalarName } from "../../../kernel/lake/lake-types.ts";
import { forTypes } from "../core/type-tables.ts";
import type { Reading } from "./source-table.ts";

/** A type of the lake without its digits or children. */
type LakeTypeName = ScalarName | "decimal" | "list";

/** How a kind of source reads its values into each type of the lake; undefined where it hands over none of a type. */
export type Readings = Readonly<Record<LakeTypeName, Reading["as"] | undefined>>;

/** The types without digits and children that a kind of source hands over. */
export type PlainType<R extends Readings> = {
  [T in ScalarName]: R[T] extends undefined ? never : T;
}[ScalarName];

/** What the lake holds of a column, and how it is read. */
export type TypePlan = { type: string; reading: Reading };

/** Plans a column whose type has neither digits nor children. */
export const plainPlan =
  <R extends Readings>(readings: R) =>
  (type: PlainType<R>): TypePlan => ({
    type,
    reading: { as: readings[type] as Exclude<Reading["as"], "decimal" | "list"> },
  });

export const decimalPlan = (precision: number, scale: number): TypePlan => ({
  type: `decimal(${precision},${scale})`,
  reading: { as: "decimal", precision, scale },
});

/** The types of the lake that no source hands over: such values are read as text, or as decimals. */
export const NEVER_READ = forTypes(
  [
    "int128",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint128",
    "timetz",
    "timestamp_s",
    "timestamp_ms",
    "timestamp_ns",
    "interval",
  ],
  undefined,
);

/** How values are read on their way to the types of the lake that every kind of source hands over. */
export const ALWAYS_READ = {
  int64: "integer",
  float64: "float",
  decimal: "decimal",
  date: "date",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
  varchar: "text",
  json: "text",
  blob: "blob",
} as const satisfies Partial<Readings>;
