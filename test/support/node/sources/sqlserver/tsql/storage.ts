// DuckDB keeps a type of SQL Server as one of its own, and its results become the server's types again.

import { DuckDBDecimalType, DuckDBTypeId as Id, type DuckDBType, type DuckDBValue } from "@duckdb/node-api";
import { parseType } from "../tds/column-types.ts";
import type { FakeValue } from "../tds/values.ts";

const STORAGE: Record<string, string> = {
  tinyint: "UTINYINT",
  smallint: "SMALLINT",
  int: "INTEGER",
  bigint: "BIGINT",
  bit: "BOOLEAN",
  real: "FLOAT",
  float: "DOUBLE",
  money: "DECIMAL(19,4)",
  smallmoney: "DECIMAL(10,4)",
  date: "DATE",
  datetime: "TIMESTAMP",
  smalldatetime: "TIMESTAMP",
  uniqueidentifier: "UUID",
  datetimeoffset: "VARCHAR",
  rowversion: "BLOB",
  binary: "BLOB",
  varbinary: "BLOB",
  image: "BLOB",
  hierarchyid: "BLOB",
  geometry: "BLOB",
  geography: "BLOB",
};

/** Times of seven digits are texts here: DuckDB's own have six. Texts of one form compare as the times do. */
export function storageOf(type: string): string {
  const { name, precision, scale } = parseType(type);
  if (name === "decimal" || name === "numeric") return `DECIMAL(${precision},${scale})`;
  if (name === "time") return scale > 6 ? "VARCHAR" : "TIME";
  if (name === "datetime2") return scale > 6 ? "VARCHAR" : "TIMESTAMP";
  return STORAGE[name] ?? "VARCHAR";
}

const TYPES: Partial<Record<Id, string>> = {
  [Id.BOOLEAN]: "bit",
  [Id.TINYINT]: "smallint",
  [Id.UTINYINT]: "tinyint",
  [Id.SMALLINT]: "smallint",
  [Id.USMALLINT]: "int",
  [Id.INTEGER]: "int",
  [Id.UINTEGER]: "bigint",
  [Id.BIGINT]: "bigint",
  [Id.UBIGINT]: "decimal(38,0)",
  [Id.HUGEINT]: "decimal(38,0)",
  [Id.FLOAT]: "real",
  [Id.DOUBLE]: "float",
  [Id.DATE]: "date",
  [Id.TIME]: "time(6)",
  [Id.TIMESTAMP]: "datetime2(6)",
  [Id.TIMESTAMP_S]: "datetime2(0)",
  [Id.TIMESTAMP_MS]: "datetime2(3)",
  [Id.TIMESTAMP_TZ]: "datetimeoffset(6)",
  [Id.BLOB]: "varbinary(max)",
  [Id.UUID]: "uniqueidentifier",
};

/** The type of a result's column that is no table's. */
export const typeOf = (type: DuckDBType): string =>
  type instanceof DuckDBDecimalType ? `decimal(${type.width},${type.scale})` : (TYPES[type.typeId] ?? "nvarchar(max)");

type WithBytes = { bytes: Uint8Array };

/** Converts a DuckDB value to what the encoders take. */
export function toFakeValue(value: DuckDBValue): FakeValue {
  if (value === null || typeof value !== "object") return value as FakeValue;
  if ("bytes" in value) return Buffer.from((value as WithBytes).bytes);
  return String(value);
}

/** A value within DuckDB's SQL. */
export function literal(value: FakeValue, storage: string): string {
  if (value === null) return "NULL";
  if (Buffer.isBuffer(value)) return `unhex('${value.toString("hex")}')`;
  return `CAST('${String(value).replaceAll("'", "''")}' AS ${storage})`;
}
