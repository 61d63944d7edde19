// Redshift's types: what the lake holds of each, and how it is read without loss.

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
import { numericModifiers } from "../../postgres/rows/column-types.ts";
import { quoteIdentifier } from "../../postgres/sql-text.ts";
import type { RedshiftOid } from "../rows/column-types.ts";
import { DECIMAL_DIGITS_MAX } from "../../../../../kernel/lake/lake-types.ts";

/** A column as the server describes the result of reading its table. */
export type RedshiftColumn = { name: string; type: string; oid: number; typmod: number; notNull: boolean };

/** A source column with Redshift's own type. */
export type PlannedColumn = SourceColumn & { oid: number };

/** `cast`: the type to which its value is cast first. */
type Plan = TypePlan & { cast?: string; fallback?: ReadAs };

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  ...forTypes(["int8", "uuid", "list"], undefined),
  boolean: "boolean",
  int16: "integer",
  int32: "integer",
  float32: "float",
  time: "time",
} as const satisfies Readings;

const plain = plainPlan(READINGS);
const orText = (type: PlainType<typeof READINGS>): Plan => ({ ...plain(type), fallback: "varchar" });
/** The plan of a column that is read as the server prints it, in the session's settings. */
const printed = (): Plan => plain("varchar");

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
  const plan = readAs ? readInstead(readAs, column) : planType(column);
  const { cast, fallback } = plan;
  const { name, type, oid, notNull } = column;
  const quoted = quoteIdentifier(name);
  const select = cast === undefined ? quoted : `CAST(${quoted} AS ${cast})`;
  const planned = plannedColumn({ name, type, nullable: !notNull, select }, lakeName, plan);
  return { ...planned, oid, ...(fallback ? { fallback } : {}) };
}

const CHARACTER = 1042;
export const SUPER = 4000;
const VARBYTE = 6551;
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

/** The plans of types by OID, as `rows/column-types.ts` names them. */
const PLANS: Readonly<Record<RedshiftOid, (typmod: number) => Plan>> = {
  16: () => plain("boolean"),
  ...forTypes([20, 26], () => plain("int64")),
  21: () => plain("int16"),
  23: () => plain("int32"),
  700: () => plain("float32"),
  701: () => plain("float64"),
  [CHARACTER]: (typmod) => ({ ...printed(), cast: `VARCHAR(${typmod > 4 ? typmod - 4 : 65_535})` }),
  1082: () => orText("date"),
  1083: () => plain("time"),
  1114: () => orText("timestamp"),
  1184: () => orText("timestamptz"),
  1700: planDecimal,
  [SUPER]: () => plain("json"),
  [VARBYTE]: () => plain("blob"),
  // VARCHAR, TIMETZ, intervals, geometries and sketches; then what only PostgreSQL has for columns.
  ...forTypes([1043, 1266, 1186, 1188, 1190, 2935, 3000, 3001, 3999], printed),
  ...forTypes([17, 18, 19, 22, 25, 30, 114, 142, 650, 705, 790, 829, 869, 2249, 2278, 2950, 3802], printed),
};

const planType = ({ oid, typmod }: RedshiftColumn): Plan => (entryOf(PLANS, oid) ?? printed)(typmod);

function planDecimal(typmod: number): Plan {
  const [precision, scale] = typmod < 4 ? [0, 0] : numericModifiers(typmod);
  if (precision < 1 || precision > DECIMAL_DIGITS_MAX || scale < 0 || scale > precision)
    return { ...printed(), cast: SHORT_TEXT };
  return { ...decimalPlan(precision, scale), fallback: "varchar" };
}
