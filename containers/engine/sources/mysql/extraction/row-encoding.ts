// A row's columns enter its digest, in MySQL's SQL, in forms by type in which different values look different.

import { entryOf, forTypes } from "../../../core/type-tables.ts";
import { quoteIdentifier } from "../sql-text.ts";
import type { MysqlTable } from "./describe-table.ts";
import type { MysqlColumn, MysqlType } from "./plan-column.ts";

/**
 * A row's columns in a form in which different rows look different: numbers and times, which hold no comma, as they are
 * printed; strings after their length in bytes; long ones by their own hash; NULL by an N where the number or the
 * length would be.
 */
export function encodeRow({ columns, declared }: MysqlTable): string {
  const encoded = columns.flatMap(({ name }) => encodeColumn(quoteIdentifier(name), declared.get(name)!));
  return `CONCAT_WS(',', ${encoded.join(", ")})`;
}

const encodeColumn = (column: string, { dataType }: MysqlColumn): string[] =>
  (entryOf(ENCODINGS, dataType) ?? encodeLong)(column);

const encodeLong = (column: string): string[] => [`IFNULL(CONCAT(LENGTH(${column}), ' ', SHA2(${column}, 256)), 'N')`];
const encodePrinted = (column: string): string[] => [`IFNULL(${column}, 'N')`];
const encodeShort = (column: string): string[] => [`IFNULL(LENGTH(${column}), 'N')`, `CAST(${column} AS BINARY)`];
const encodeGeometry = (column: string): string[] => [
  `IFNULL(CONCAT(ST_SRID(${column}), ' ', SHA2(ST_AsBinary(${column}), 256)), 'N')`,
];

const ENCODINGS: Record<MysqlType, (column: string) => string[]> = {
  // A float is cast to a double, for it would be printed with six digits only.
  float: (column) => [`IFNULL(${column} * 1e0, 'N')`],
  bit: (column) => [`IFNULL(${column} + 0, 'N')`],
  ...forTypes(["char", "varchar", "binary", "varbinary", "enum", "set"], encodeShort),
  ...forTypes(["geometry", "point", "linestring", "polygon", "multipoint", "multilinestring"], encodeGeometry),
  ...forTypes(["multipolygon", "geometrycollection", "geomcollection"], encodeGeometry),
  ...forTypes(["tinytext", "text", "mediumtext", "longtext", "json", "xmltype"], encodeLong),
  ...forTypes(["tinyblob", "blob", "mediumblob", "longblob", "vector"], encodeLong),
  ...forTypes(["tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "double", "year"], encodePrinted),
  ...forTypes(["date", "time", "datetime", "timestamp"], encodePrinted),
  // The value is cast to text: the N would be taken for a value of the type, which it can't be, and NULL would be
  // left out.
  ...forTypes(["uuid", "inet4", "inet6"], (column) => [`IFNULL(CAST(${column} AS CHAR), 'N')`]),
};
