// Snowflake's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import { quoteIdentifier } from "../sql-text.ts";

/** A column as `information_schema.columns` has it. */
export type SnowflakeColumn = {
  name: string;
  /** `NUMBER`, `TEXT`, `TIMESTAMP_NTZ` … */
  dataType: string;
  /** The declared type with its settings: `NUMBER(38,0)`. */
  declaredType: string;
  precision: number;
  scale: number;
  /** The length of a text in characters; 0 for other types. */
  length: number;
  isCollated: boolean;
  nullable: boolean;
};

type Plan = { type: string; reading: Reading; fallback?: ReadAs };

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">, fallback?: ReadAs): Plan => ({
  type,
  reading: { as },
  ...(fallback ? { fallback } : {}),
});

/** Values that are whole JSON in themselves, and what is sent as such. */
const DOCUMENTS = ["VARIANT", "OBJECT", "ARRAY", "MAP", "VECTOR", "GEOGRAPHY", "GEOMETRY"];

/**
 * | Snowflake | lake | |
 * |---|---|---|
 * | NUMBER(p, 0), p up to 4, 9, 18 | int16, int32, int64 | |
 * | NUMBER(p, s), INTEGER and its like, which are NUMBER(38, 0) | decimal(p,s) | |
 * | FLOAT | float64 | |
 * | BOOLEAN, DATE, BINARY | boolean, date, blob | |
 * | TIME | time | varchar where a value is finer than microseconds |
 * | TIMESTAMP_NTZ | timestamp | the same |
 * | TIMESTAMP_LTZ, TIMESTAMP_TZ | timestamptz | the same; the instant, without the offset it was written with |
 * | VARIANT, OBJECT, ARRAY, MAP, VECTOR | json | |
 * | GEOGRAPHY, GEOMETRY | json | GeoJSON |
 * | TEXT, and what is not known here | varchar | |
 */
export function planColumn(column: SnowflakeColumn, lakeName: string, readAs?: ReadAs): SourceColumn {
  const { type, reading, fallback } = readAs ? plain(readAs, "text") : planType(column);
  const lake: LakeColumn = { id: 0, name: lakeName, type, nullable: column.nullable, children: [] };
  return {
    name: column.name,
    type: column.declaredType,
    lake,
    select: quoteIdentifier(column.name),
    reading,
    width: cellWidth(lake),
    ...(fallback ? { fallback } : {}),
  };
}

function planType({ dataType, precision, scale }: SnowflakeColumn): Plan {
  switch (dataType) {
    case "NUMBER":
      return planNumber(precision, scale);
    case "FLOAT":
      return plain("float64", "float");
    case "BOOLEAN":
      return plain("boolean", "boolean");
    case "BINARY":
      return plain("blob", "blob");
    case "DATE":
      return plain("date", "date", "varchar");
    case "TIME":
      return plain("time", "time", "varchar");
    case "TIMESTAMP_NTZ":
      return plain("timestamp", "timestamp", "varchar");
    case "TIMESTAMP_LTZ":
    case "TIMESTAMP_TZ":
      return plain("timestamptz", "timestamptz", "varchar");
    default:
      return DOCUMENTS.includes(dataType) ? plain("json", "text", "varchar") : plain("varchar", "text");
  }
}

function planNumber(precision: number, scale: number): Plan {
  if (scale > 0 || precision > 18)
    return { type: `decimal(${precision},${scale})`, reading: { as: "decimal", precision, scale } };
  return plain(precision <= 4 ? "int16" : precision <= 9 ? "int32" : "int64", "integer");
}
