// DuckDB's types as the lake keeps them: exactly, or not at all.

import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId as Id,
  type DuckDBType,
} from "@duckdb/node-api";
import { forTypes } from "../../core/type-tables.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { type ScalarName, scalarType } from "../../../../kernel/lake/lake-types.ts";

/**
 * Parquet has no whole number of 128 bits; DuckDB would write a double. A value that does not fit the decimal is
 * refused as it is cast.
 */
const WIDEST = "decimal(38,0)";

/** No type: TIMETZ loses its offset in Parquet; BIT, BIGNUM, UNION and the like have none in the lake. */
const TYPES: Record<Id, ScalarName | typeof WIDEST | undefined> = {
  [Id.BOOLEAN]: "boolean",
  [Id.TINYINT]: "int8",
  [Id.SMALLINT]: "int16",
  [Id.INTEGER]: "int32",
  [Id.BIGINT]: "int64",
  [Id.UTINYINT]: "uint8",
  [Id.USMALLINT]: "uint16",
  [Id.UINTEGER]: "uint32",
  [Id.UBIGINT]: "uint64",
  [Id.HUGEINT]: WIDEST,
  [Id.UHUGEINT]: WIDEST,
  [Id.FLOAT]: "float32",
  [Id.DOUBLE]: "float64",
  [Id.DATE]: "date",
  [Id.TIME]: "time",
  [Id.TIMESTAMP]: "timestamp",
  [Id.TIMESTAMP_S]: "timestamp_s",
  [Id.TIMESTAMP_MS]: "timestamp_ms",
  [Id.TIMESTAMP_NS]: "timestamp_ns",
  [Id.TIMESTAMP_TZ]: "timestamptz",
  [Id.VARCHAR]: "varchar",
  [Id.ENUM]: "varchar",
  [Id.BLOB]: "blob",
  [Id.UUID]: "uuid",
  // A bare NULL, which DuckDB's own tables take for an INTEGER too.
  [Id.SQLNULL]: "int32",
  ...forTypes([Id.TIME_TZ, Id.TIME_NS, Id.INTERVAL, Id.BIT, Id.BIGNUM, Id.UNION, Id.GEOMETRY, Id.VARIANT], undefined),
  // Types with parameters or children are read from their own classes, below.
  ...forTypes([Id.DECIMAL, Id.LIST, Id.ARRAY, Id.STRUCT, Id.MAP], undefined),
  // No value has one of these.
  ...forTypes([Id.INVALID, Id.ANY, Id.STRING_LITERAL, Id.INTEGER_LITERAL], undefined),
};

/** A column of the type, as yet without an id; undefined where the lake has no type that holds it exactly. */
export function lakeColumn(name: string, type: DuckDBType): LakeColumn | undefined {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType)
    return nested(name, "list", [lakeColumn("element", type.valueType)]);
  if (type instanceof DuckDBMapType)
    return nested(name, "map", [lakeColumn("key", type.keyType), lakeColumn("value", type.valueType)]);
  if (type instanceof DuckDBStructType)
    return nested(
      name,
      "struct",
      type.entryNames.map((each, i) => lakeColumn(each, type.entryTypes[i]!)),
    );
  const plain =
    type.alias === "JSON"
      ? "json"
      : type instanceof DuckDBDecimalType
        ? `decimal(${type.width},${type.scale})`
        : TYPES[type.typeId];
  // A struct's fields are known by their names.
  return plain === undefined || name === "" ? undefined : { id: 0, name, type: plain, nullable: true, children: [] };
}

function nested(name: string, type: string, children: Array<LakeColumn | undefined>): LakeColumn | undefined {
  return children.every((child) => child !== undefined) ? { id: 0, name, type, nullable: true, children } : undefined;
}

/** The first column, or part of one, that can't be written exactly. */
export function findInexact(columns: readonly LakeColumn[]): LakeColumn | undefined {
  for (const column of columns) {
    if (scalarType(column.type)?.isExactInParquet === false) return column;
    const inner = findInexact(column.children);
    if (inner) return inner;
  }
  return undefined;
}
