// MySQL's and MariaDB's types: what the lake holds of each, and how it is read without loss.

import type { ScalarName } from "../../../../../kernel/lake/lake-types.ts";
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
import { DECIMAL_DIGITS_MAX } from "../../../../../kernel/lake/lake-types.ts";

/** A column as `information_schema.columns` has it. */
export type MysqlColumn = {
  name: string;
  /** `bigint`, `enum` …, in small letters. */
  dataType: string;
  /** `bigint(20) unsigned`, `enum('a','b')` … */
  columnType: string;
  precision: number;
  scale: number;
  nullable: boolean;
  /** MariaDB's JSON is a text with a check. */
  isJsonText: boolean;
};

type Plan = TypePlan & { select?: (column: string) => string; mayBeNull?: boolean; unsigned?: ScalarName };

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  ...forTypes(["boolean", "time", "list"], undefined),
  int8: "integer",
  int16: "integer",
  int32: "integer",
  float32: "float",
  uuid: "uuid",
} as const satisfies Readings;

const plain = plainPlan(READINGS);

/** Other engines that read a lake's files know no unsigned numbers: each is kept in the next wider type. */
const whole =
  (signed: PlainType<typeof READINGS>, unsigned: () => TypePlan, before: ScalarName) =>
  ({ columnType }: MysqlColumn): Plan =>
    / unsigned/.test(columnType) ? { ...unsigned(), unsigned: before } : plain(signed);
/** MySQL's dates may be in no calendar: they are NULL in the lake. */
const dated = (type: PlainType<typeof READINGS>) => (): Plan => ({ ...plain(type), mayBeNull: true });
const character = ({ isJsonText }: MysqlColumn): Plan =>
  isJsonText ? { ...plain("json"), select: asJson } : plain("varchar");

const PLANS = {
  tinyint: whole("int8", () => plain("int16"), "uint8"),
  smallint: whole("int16", () => plain("int32"), "uint16"),
  mediumint: whole("int32", () => plain("int32"), "uint32"),
  int: whole("int32", () => plain("int64"), "uint32"),
  bigint: whole("int64", () => decimalPlan(20, 0), "uint64"),
  decimal: ({ precision, scale }) =>
    precision <= DECIMAL_DIGITS_MAX ? decimalPlan(precision, scale) : plain("varchar"),
  float: () => ({ ...plain("float32"), select: asDouble }),
  double: () => ({ ...plain("float64"), select: asDouble }),
  bit: ({ precision }) => ({
    type: precision < 64 ? "int64" : "decimal(20,0)",
    reading: { as: "bits" },
    unsigned: "uint64",
  }),
  year: () => plain("int16"),
  date: dated("date"),
  datetime: dated("timestamp"),
  timestamp: dated("timestamptz"),
  json: () => plain("json"),
  uuid: () => plain("uuid"),
  ...forTypes(["char", "varchar", "tinytext", "text", "mediumtext", "longtext"], character),
  ...forTypes(["time", "enum", "set", "inet4", "inet6", "xmltype"], () => plain("varchar")),
  ...forTypes(["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "vector"], () => plain("blob")),
  ...forTypes(["geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"], () =>
    plain("blob"),
  ),
  ...forTypes(["geometrycollection", "geomcollection"], () => plain("blob")),
} satisfies Record<string, (column: MysqlColumn) => Plan>;

/** The types of MySQL and MariaDB. One that a later server adds is read as it is stored. */
export type MysqlType = keyof typeof PLANS;

/**
 * | MySQL, MariaDB | lake | |
 * |---|---|---|
 * | tinyint … bigint | int8 … int64 | `tinyint(1)` too: 2 is as good a value as 1 |
 * | unsigned: tinyint, smallint, mediumint, int, bigint | int16, int32, int32, int64, decimal(20,0) | |
 * | decimal(p,s), p ≤ 38 | decimal(p,s) | wider ones: varchar |
 * | float, double | float32, float64 | |
 * | bit(n) | int64 | bit(64): decimal(20,0) |
 * | year | int16 | |
 * | date, datetime, timestamp | date, timestamp, timestamptz | zero and impossible dates become NULL, counted in a note
 * |
 * | time | varchar | up to 838 hours, either sign |
 * | json | json | MariaDB's text that is not JSON becomes a JSON string |
 * | binary, blob, geometry, vector | blob | geometry in the server's own form |
 * | uuid (MariaDB) | uuid | |
 * | char, text, enum, set, inet … | varchar | |
 */
export function planColumn(column: MysqlColumn, lakeName: string, readAs?: ReadAs): SourceColumn {
  const plan: Plan = readAs ? { ...plain(readAs), select: asText } : planType(column);
  const { select = same, mayBeNull = false, unsigned } = plan;
  const { name, columnType: type } = column;
  const nullable = column.nullable || mayBeNull;
  const planned = plannedColumn({ name, type, nullable, select: select(quoteIdentifier(name)) }, lakeName, plan);
  return { ...planned, ...(unsigned ? { unsigned: { ...planned.lake, type: unsigned } } : {}) };
}

const same = (column: string) => column;
const asText = (column: string) => `CAST(${column} AS CHAR)`;
/** A float is printed with six digits, a double with all that it takes. A sum would make 0 of -0. */
const asDouble = (column: string) => `(${column} * 1e0)`;
const asJson = (column: string) => `IF(JSON_VALID(${column}), ${column}, JSON_QUOTE(${column}))`;

const planType = (column: MysqlColumn): Plan =>
  entryOf<(column: MysqlColumn) => Plan>(PLANS, column.dataType)?.(column) ?? plain("blob");
