// How a row's columns enter its digest, in MySQL's SQL: every type in a form in which different values look different.

import { quoteIdentifier } from "../sql-text.ts";
import type { MysqlTable } from "./describe-table.ts";
import type { MysqlColumn } from "./plan-column.ts";

/**
 * A row's columns in a form in which different rows look different: numbers and times, which hold no comma, as they are
 * printed; strings after their length in bytes; long ones by their own hash; NULL by an N where the number or the
 * length would be.
 */
export function encodeRow({ columns, declared }: MysqlTable): string {
  const encoded = columns.flatMap(({ name }) => encodeColumn(quoteIdentifier(name), declared.get(name)!));
  return `CONCAT_WS(',', ${encoded.join(", ")})`;
}

function encodeColumn(column: string, { dataType }: MysqlColumn): string[] {
  switch (dataType) {
    case "float":
      // A float is cast to a double, for it would be printed with six digits only.
      return [`IFNULL(${column} * 1e0, 'N')`];
    case "bit":
      return [`IFNULL(${column} + 0, 'N')`];
    case "char":
    case "varchar":
    case "binary":
    case "varbinary":
    case "enum":
    case "set":
      return [`IFNULL(LENGTH(${column}), 'N')`, `CAST(${column} AS BINARY)`];
    case "geometry":
    case "point":
    case "linestring":
    case "polygon":
    case "multipoint":
    case "multilinestring":
    case "multipolygon":
    case "geometrycollection":
    case "geomcollection":
      return [`IFNULL(CONCAT(ST_SRID(${column}), ' ', SHA2(ST_AsBinary(${column}), 256)), 'N')`];
    case "tinytext":
    case "text":
    case "mediumtext":
    case "longtext":
    case "tinyblob":
    case "blob":
    case "mediumblob":
    case "longblob":
    case "json":
    case "vector":
    case "xmltype":
      return encodeLong(column);
    case "tinyint":
    case "smallint":
    case "mediumint":
    case "int":
    case "bigint":
    case "decimal":
    case "double":
    case "year":
    case "date":
    case "time":
    case "datetime":
    case "timestamp":
      return [`IFNULL(${column}, 'N')`];
    case "uuid":
    case "inet4":
    case "inet6":
      // The value is cast to text: the N would be taken for a value of the type, which it can't be, and NULL would be
      // left out.
      return [`IFNULL(CAST(${column} AS CHAR), 'N')`];
    default:
      return encodeLong(column);
  }
}

const encodeLong = (column: string): string[] => [`IFNULL(CONCAT(LENGTH(${column}), ' ', SHA2(${column}, 256)), 'N')`];
