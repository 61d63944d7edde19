// PostgreSQL's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import { quoteIdentifier } from "../sql-text.ts";

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
type Plan = {
  type: string;
  children?: LakeColumn[];
  reading: Reading;
  casts?: readonly string[];
  isToJson?: boolean;
  fallback?: ReadAs;
  unsigned?: string;
  changedIn?: number;
};

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">): Plan => ({ type, reading: { as } });
/** The plan of a column that is read as the server prints it, in the session's settings. */
const text = (): Plan => ({ ...plain("varchar", "text"), casts: ["text"] });

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
  const {
    type,
    children = [],
    reading,
    casts = [],
    isToJson = false,
    fallback,
    unsigned,
    changedIn,
  } = readAs ? readInstead(readAs, column) : planType(column);
  const lake: LakeColumn = { id: 0, name: lakeName, type, nullable: !column.notNull, children };
  const quoted = quoteIdentifier(column.name);
  const value = casts.length === 0 ? quoted : `(${quoted})${casts.map((to) => `::pg_catalog.${to}`).join("")}`;
  return {
    name: column.name,
    type: column.type,
    lake,
    select: isToJson ? `pg_catalog.to_json(${value})` : value,
    reading,
    width: cellWidth(lake),
    ...(fallback ? { fallback } : {}),
    ...(unsigned ? { unsigned: withType(lake, unsigned) } : {}),
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
  return {
    ...plain("json", "text"),
    isToJson: true,
    ...(elementOid === CHARACTER ? { casts: ["text[]"], changedIn: 1 } : {}),
  };
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
const MONEY = 790;
/** The text of a JSON value is checked as a whole. */
const JSON_TEXT = 114;

function planScalar(oid: number, typmod: number): Plan {
  switch (oid) {
    case 16:
      return plain("boolean", "boolean");
    case 17:
      return plain("blob", "blob");
    case 20:
      return plain("int64", "integer");
    case 21:
      return plain("int16", "integer");
    case 23:
      return plain("int32", "integer");
    case 26:
      return { ...plain("int64", "integer"), casts: ["int8"], unsigned: "uint32" };
    case 700:
      return plain("float32", "float");
    case 701:
      return plain("float64", "float");
    case 19:
    case 25:
    case 1043:
      return plain("varchar", "text");
    case CHARACTER:
      return { ...text(), changedIn: 1 };
    case JSON_TEXT:
      return plain("json", "text");
    case 3802:
      return plain("json", "jsonb");
    case MONEY:
      return { ...plain("varchar", "text"), casts: ["numeric", "text"] };
    case 1082:
      return plain("date", "date");
    case 1083:
      return plain("time", "time");
    case 1114:
      return { ...plain("timestamp", "timestamp"), fallback: "varchar" };
    case 1184:
      return { ...plain("timestamptz", "timestamptz"), fallback: "varchar" };
    case 1700:
      return planNumeric(typmod);
    case 2950:
      return plain("uuid", "uuid");
    default:
      return text();
  }
}

const PRECISION_MAX = 38;

/** Precision in the upper half; scale as an 11-bit signed number, negative from PostgreSQL 15 on. */
function planNumeric(typmod: number): Plan {
  if (typmod < 4) return text();
  const precision = ((typmod - 4) >> 16) & 0xffff;
  const scale = (((typmod - 4) & 0x7ff) ^ 0x400) - 0x400;
  if (precision > PRECISION_MAX || scale < 0 || scale > precision) return text();
  return { type: `decimal(${precision},${scale})`, reading: { as: "decimal", precision, scale }, fallback: "varchar" };
}
