// Redshift's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import { numericModifiers } from "../../postgres/rows/column-types.ts";
import { quoteIdentifier } from "../../postgres/sql-text.ts";

/** A column as the server describes the result of reading its table. */
export type RedshiftColumn = { name: string; type: string; oid: number; typmod: number; notNull: boolean };

/** A source column with Redshift's own type. */
export type PlannedColumn = SourceColumn & { oid: number };

/** `cast`: the type to which its value is cast first. */
type Plan = { type: string; reading: Reading; cast?: string; fallback?: ReadAs };

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">): Plan => ({ type, reading: { as } });
/** The plan of a column that is read as the server prints it, in the session's settings. */
const printed = (): Plan => plain("varchar", "text");

/**
 * | Redshift | lake | |
 * |---|---|---|
 * | SMALLINT, INTEGER, BIGINT | int16, int32, int64 | |
 * | REAL, DOUBLE PRECISION | float32, float64 | NaN and infinities too |
 * | DECIMAL(p,s) | decimal(p,s) | p is at most 38 |
 * | BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMPTZ | the same | years the lake's type lacks: read as varchar |
 * | CHAR(n) | varchar | without its padding, which is no part of the value |
 * | VARCHAR(n) | varchar | |
 * | SUPER | json | |
 * | VARBYTE | blob | |
 * | TIMETZ, INTERVAL … | varchar | as printed |
 * | GEOMETRY, GEOGRAPHY | varchar | as printed: EWKB in hexadecimal digits |
 * | HLLSKETCH | varchar | as printed |
 */
export function planColumn(column: RedshiftColumn, lakeName: string, readAs?: ReadAs): PlannedColumn {
  const { type, reading, cast, fallback } = readAs ? readInstead(readAs, column) : planType(column);
  const lake: LakeColumn = { id: 0, name: lakeName, type, nullable: !column.notNull, children: [] };
  const quoted = quoteIdentifier(column.name);
  return {
    name: column.name,
    type: column.type,
    oid: column.oid,
    lake,
    select: cast === undefined ? quoted : `CAST(${quoted} AS ${cast})`,
    reading,
    width: cellWidth(lake),
    ...(fallback ? { fallback } : {}),
  };
}

const CHARACTER = 1042;
export const SUPER = 4000;
const VARBYTE = 6551;
const PRECISION_MAX = 38;
/** More than a number, a time or a truth takes. */
const SHORT_TEXT = "VARCHAR(64)";
/** The casts of types whose printed text is canonical already. */
const CASTS: Readonly<Record<number, string>> = Object.fromEntries(
  [16, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1700].map((oid) => [oid, SHORT_TEXT]),
);

/** SUPER is JSON however it is read; bytes are read as such. */
function readInstead(readAs: ReadAs, column: RedshiftColumn): Plan {
  if (readAs === "json" || column.oid === VARBYTE || column.oid === CHARACTER) return planType(column);
  const cast = CASTS[column.oid];
  return { ...printed(), ...(cast === undefined ? {} : { cast }) };
}

function planType({ oid, typmod }: RedshiftColumn): Plan {
  switch (oid) {
    case 16:
      return plain("boolean", "boolean");
    case 20:
    case 26:
      return plain("int64", "integer");
    case 21:
      return plain("int16", "integer");
    case 23:
      return plain("int32", "integer");
    case 700:
      return plain("float32", "float");
    case 701:
      return plain("float64", "float");
    case CHARACTER:
      return { ...printed(), cast: `VARCHAR(${typmod > 4 ? typmod - 4 : 65_535})` };
    case 1082:
      return { ...plain("date", "date"), fallback: "varchar" };
    case 1083:
      return plain("time", "time");
    case 1114:
      return { ...plain("timestamp", "timestamp"), fallback: "varchar" };
    case 1184:
      return { ...plain("timestamptz", "timestamptz"), fallback: "varchar" };
    case 1700:
      return planDecimal(typmod);
    case SUPER:
      return plain("json", "text");
    case VARBYTE:
      return plain("blob", "blob");
    default:
      return printed();
  }
}

function planDecimal(typmod: number): Plan {
  const [precision, scale] = typmod < 4 ? [0, 0] : numericModifiers(typmod);
  if (precision < 1 || precision > PRECISION_MAX || scale < 0 || scale > precision)
    return { ...printed(), cast: SHORT_TEXT };
  return { type: `decimal(${precision},${scale})`, reading: { as: "decimal", precision, scale }, fallback: "varchar" };
}
