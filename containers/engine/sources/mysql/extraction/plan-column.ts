// MySQL's and MariaDB's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import { quoteIdentifier } from "../sql-text.ts";

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

type Plan = {
  type: string;
  reading: Reading;
  select?: (column: string) => string;
  mayBeNull?: boolean;
  unsigned?: string;
};

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">): Plan => ({ type, reading: { as } });

const PRECISION_MAX = 38;
const SIGNED: Record<string, string> = {
  tinyint: "int8",
  smallint: "int16",
  mediumint: "int32",
  int: "int32",
  bigint: "int64",
};
/** Other engines that read a lake's files know no unsigned numbers: each is kept in the next wider type. */
const UNSIGNED: Record<string, [type: string, before: string]> = {
  tinyint: ["int16", "uint8"],
  smallint: ["int32", "uint16"],
  mediumint: ["int32", "uint32"],
  int: ["int64", "uint32"],
  bigint: ["decimal(20,0)", "uint64"],
};

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
  const {
    type,
    reading,
    select = same,
    mayBeNull = false,
    unsigned,
  } = readAs ? { ...plain(readAs, "text"), select: asText } : planType(column);
  const lake: LakeColumn = { id: 0, name: lakeName, type, nullable: column.nullable || mayBeNull, children: [] };
  return {
    name: column.name,
    type: column.columnType,
    lake,
    select: select(quoteIdentifier(column.name)),
    reading,
    width: cellWidth(lake),
    ...(unsigned ? { unsigned: { ...lake, type: unsigned } } : {}),
  };
}

const same = (column: string) => column;
const asText = (column: string) => `CAST(${column} AS CHAR)`;
/** A float is printed with six digits, a double with all that it takes. A sum would make 0 of -0. */
const asDouble = (column: string) => `(${column} * 1e0)`;
const asJson = (column: string) => `IF(JSON_VALID(${column}), ${column}, JSON_QUOTE(${column}))`;

function planType({ dataType, columnType, precision, scale, isJsonText }: MysqlColumn): Plan {
  const [unsigned, before] = (/ unsigned/.test(columnType) && UNSIGNED[dataType]) || [];
  if (dataType === "bigint" && unsigned)
    return { type: unsigned, reading: { as: "decimal", precision: 20, scale: 0 }, unsigned: before! };
  if (unsigned) return { ...plain(unsigned, "integer"), unsigned: before! };
  const signed = SIGNED[dataType];
  if (signed !== undefined) return plain(signed, "integer");
  switch (dataType) {
    case "decimal":
      return precision <= PRECISION_MAX
        ? { type: `decimal(${precision},${scale})`, reading: { as: "decimal", precision, scale } }
        : plain("varchar", "text");
    case "float":
      return { ...plain("float32", "float"), select: asDouble };
    case "double":
      return { ...plain("float64", "float"), select: asDouble };
    case "bit":
      return { ...plain(precision < 64 ? "int64" : "decimal(20,0)", "bits"), unsigned: "uint64" };
    case "year":
      return plain("int16", "integer");
    case "date":
      return { ...plain("date", "date"), mayBeNull: true };
    case "datetime":
      return { ...plain("timestamp", "timestamp"), mayBeNull: true };
    case "timestamp":
      return { ...plain("timestamptz", "timestamptz"), mayBeNull: true };
    case "json":
      return plain("json", "text");
    case "uuid":
      return plain("uuid", "uuid");
    case "char":
    case "varchar":
    case "tinytext":
    case "text":
    case "mediumtext":
    case "longtext":
      return isJsonText ? { ...plain("json", "text"), select: asJson } : plain("varchar", "text");
    case "time":
    case "enum":
    case "set":
    case "inet4":
    case "inet6":
    case "xmltype":
      return plain("varchar", "text");
    default:
      // Bytes, geometries, vectors, and what is not known: as it is stored.
      return plain("blob", "blob");
  }
}
