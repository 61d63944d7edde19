// BigQuery's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import type { Field } from "../connection/resources.ts";
import { digitsOf, isRepeated, sqlType, typeText } from "../rows/column-types.ts";
import { quoteIdentifier } from "../sql-text.ts";

type Plan = { type: string; reading: Reading; select?: (column: string) => string };

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">): Plan => ({ type, reading: { as } });
const asString = (column: string): string => `CAST(${column} AS STRING)`;

const PLANS: Readonly<Record<string, Plan>> = {
  INT64: plain("int64", "integer"),
  FLOAT64: plain("float64", "float"),
  BOOL: plain("boolean", "boolean"),
  BYTES: plain("blob", "blob"),
  DATE: plain("date", "date"),
  TIME: plain("time", "time"),
  DATETIME: plain("timestamp", "timestamp"),
  TIMESTAMP: plain("timestamptz", "timestamptz"),
  JSON: plain("json", "text"),
  STRUCT: plain("json", "text"),
};

/**
 * | BigQuery | lake | |
 * |---|---|---|
 * | INT64, FLOAT64, BOOL | int64, float64, boolean | |
 * | NUMERIC, NUMERIC(p,s) | decimal(38,9), decimal(p,s) | |
 * | BIGNUMERIC(p,s), p ≤ 38 | decimal(p,s) | others: varchar, exact, as printed |
 * | STRING, BYTES | varchar, blob | |
 * | DATE, TIME, DATETIME | date, time, timestamp | |
 * | TIMESTAMP | timestamptz | with 12 digits after its seconds: varchar |
 * | JSON, STRUCT, ARRAY | json | every digit as it is |
 * | GEOGRAPHY, INTERVAL, RANGE | varchar | GEOGRAPHY as well-known text |
 */
export function planColumn(field: Field, lakeName: string, readAs?: ReadAs): SourceColumn {
  const { type, reading, select } = planType(field);
  const column = quoteIdentifier(field.name);
  const nullable = field.mode !== "REQUIRED" && !isRepeated(field);
  const lake: LakeColumn = { id: 0, name: lakeName, type: readAs ?? type, nullable, children: [] };
  return {
    name: field.name,
    type: typeText(field),
    lake,
    select: select ? select(column) : column,
    // The expression in `readAs` makes canonical text already.
    reading: readAs ? { as: "text" } : reading,
    width: cellWidth(lake),
  };
}

function planType(field: Field): Plan {
  if (isRepeated(field)) return plain("json", "text");
  const type = sqlType(field);
  if (type === "TIMESTAMP" && (field.timestampPrecision ?? "6") !== "6")
    return { ...plain("varchar", "text"), select: asString };
  if (type !== "NUMERIC" && type !== "BIGNUMERIC") return PLANS[type] ?? plain("varchar", "text");
  const { precision, scale } = digitsOf(field);
  return precision === undefined || scale === undefined
    ? plain("varchar", "text")
    : { type: `decimal(${precision},${scale})`, reading: { as: "decimal", precision, scale } };
}
