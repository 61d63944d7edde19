// PostgreSQL's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { ScalarName } from "../../../../../kernel/lake/lake-types.ts";
import { cellWidth, plannedColumn } from "../../../extract/plan-columns.ts";
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
import type { PostgresOid } from "../rows/column-types.ts";
import { quoteIdentifier } from "../sql-text.ts";
import { DECIMAL_DIGITS_MAX } from "../../../../../kernel/lake/lake-types.ts";

/** A column as the catalog has it; domains are replaced by what they are made of. */
export type PostgresColumn = {
  name: string;
  /** `format_type`, domains by their own name. */
  type: string;
  oid: number;
  typmod: number;
  /** The element's type of an array, beneath its domains; 0 for others. */
  elementOid: number;
  /** The declared dimensions; the server holds no value to them. */
  dimensions: number;
  notNull: boolean;
};

/** `casts`: to which types, one after the other. `unsigned`: of an array, its elements'. */
type Plan = TypePlan & {
  children?: LakeColumn[];
  casts?: readonly string[];
  isToJson?: boolean;
  fallback?: ReadAs;
  unsigned?: ScalarName;
  changedIn?: number;
};

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  int8: undefined,
  boolean: "boolean",
  int16: "integer",
  int32: "integer",
  float32: "float",
  time: "time",
  uuid: "uuid",
  list: "list",
} as const satisfies Readings;

const plain = plainPlan(READINGS);
/** The plan of a column that is read as the server prints it, in the session's settings. */
const text = (): Plan => ({ ...plain("varchar"), casts: ["text"] });

/**
 * | PostgreSQL | lake | |
 * |---|---|---|
 * | smallint, integer, bigint, oid | int16, int32, int64, int64 | |
 * | real, double precision | float32, float64 | NaN and infinities too |
 * | numeric(p,s), p ≤ 38, 0 ≤ s ≤ p | decimal(p,s) | NaN and infinities do not fit: {@link TypeMismatch} |
 * | numeric without bounds, or others | varchar | exact, as printed |
 * | boolean, date, time, timestamp, timestamptz, uuid | the same | infinities too; 294247 and later do not fit |
 * | json, jsonb | json | |
 * | bytea | blob | |
 * | text, varchar, char(n), name | varchar | char(n) without its padding, which is no part of the value |
 * | arrays | list of the element's | more than one dimension, as declared or as met: json; json[] too |
 * | money | varchar | the amount alone: `-1234.50` |
 * | interval | varchar | ISO 8601, `P1Y2M3DT4H5M6.7S` |
 * | enum, timetz, inet, bit, ranges, composites, xml, geometry … | varchar | as printed |
 */
export function planColumn(column: PostgresColumn, lakeName: string, readAs?: ReadAs): SourceColumn {
  const plan = readAs ? readInstead(readAs, column) : planType(column);
  const { casts = [], isToJson = false, fallback, unsigned, changedIn } = plan;
  const { name, type, notNull } = column;
  const quoted = quoteIdentifier(name);
  const value = casts.length === 0 ? quoted : `(${quoted})${casts.map((to) => `::pg_catalog.${to}`).join("")}`;
  const select = isToJson ? `pg_catalog.to_json(${value})` : value;
  const planned = plannedColumn({ name, type, nullable: !notNull, select }, lakeName, plan);
  return {
    ...planned,
    ...(fallback ? { fallback } : {}),
    ...(unsigned ? { unsigned: withType(planned.lake, unsigned) } : {}),
    ...(changedIn ? { changedIn } : {}),
  };
}

const withType = (column: LakeColumn, type: string): LakeColumn =>
  column.children.length > 0
    ? { ...column, children: column.children.map((child) => withType(child, type)) }
    : { ...column, type };

/** Without an element's padding, which is no part of its value. */
function readInstead(readAs: ReadAs, { elementOid }: PostgresColumn): Plan {
  if (readAs === "varchar") return text();
  return { ...plain("json"), isToJson: true, ...(elementOid === CHARACTER ? { casts: ["text[]"], changedIn: 1 } : {}) };
}

function planType(column: PostgresColumn): Plan {
  const { oid, typmod, elementOid, dimensions } = column;
  if (elementOid === 0) return planScalar(oid, typmod);
  if (dimensions > 1 || elementOid === JSON_TEXT) return readInstead("json", column);
  const { type, reading, casts, unsigned, changedIn } = planScalar(elementOid, typmod);
  const child: LakeColumn = { id: 0, name: "element", type, nullable: true, children: [] };
  return {
    type: "list",
    children: [child],
    reading: { as: "list", element: { ...reading, width: cellWidth(child) } },
    fallback: "json",
    ...(casts ? { casts: casts.map((to) => `${to}[]`) } : {}),
    ...(unsigned ? { unsigned } : {}),
    ...(changedIn ? { changedIn } : {}),
  };
}

const CHARACTER = 1042;
/** The text of a JSON value is checked as a whole. */
const JSON_TEXT = 114;

const orText = (type: PlainType<typeof READINGS>): Plan => ({ ...plain(type), fallback: "varchar" });

/** The plans of types by OID, as `rows/column-types.ts` names them. */
const PLANS: Readonly<Record<PostgresOid, (typmod: number) => Plan>> = {
  16: () => plain("boolean"),
  17: () => plain("blob"),
  20: () => plain("int64"),
  21: () => plain("int16"),
  23: () => plain("int32"),
  26: () => ({ ...plain("int64"), casts: ["int8"], unsigned: "uint32" }),
  700: () => plain("float32"),
  701: () => plain("float64"),
  // Text whose value is what the server has.
  ...forTypes([19, 25, 1043], () => plain("varchar")),
  [CHARACTER]: () => ({ ...text(), changedIn: 1 }),
  [JSON_TEXT]: () => plain("json"),
  3802: () => ({ type: "json", reading: { as: "jsonb" } }),
  // The amount of money alone, without the currency that the server's locale has.
  790: () => ({ ...plain("varchar"), casts: ["numeric", "text"] }),
  1082: () => plain("date"),
  1083: () => plain("time"),
  1114: () => orText("timestamp"),
  1184: () => orText("timestamptz"),
  1700: planNumeric,
  2950: () => plain("uuid"),
  ...forTypes([18, 22, 30, 142, 650, 705, 829, 869, 1186, 1266, 2249, 2278], text),
};

/** Enums, ranges, composites, and types of extensions have no OID of their own: they are read as they are printed. */
const planScalar = (oid: number, typmod: number): Plan => (entryOf(PLANS, oid) ?? text)(typmod);

/** Precision in the upper half; scale as an 11-bit signed number, negative from PostgreSQL 15 on. */
function planNumeric(typmod: number): Plan {
  if (typmod < 4) return text();
  const precision = ((typmod - 4) >> 16) & 0xffff;
  const scale = (((typmod - 4) & 0x7ff) ^ 0x400) - 0x400;
  if (precision > DECIMAL_DIGITS_MAX || scale < 0 || scale > precision) return text();
  return { ...decimalPlan(precision, scale), fallback: "varchar" };
}
