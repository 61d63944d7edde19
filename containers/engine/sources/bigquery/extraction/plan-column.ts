// BigQuery's types: what the lake holds of each, and how it is read without loss.

import { plannedColumn } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceColumn } from "../../../extract/source-table.ts";
import { entryOf, forTypes } from "../../../core/type-tables.ts";
import {
  ALWAYS_READ,
  decimalPlan,
  NEVER_READ,
  plainPlan,
  type Readings,
  type TypePlan,
} from "../../../extract/type-plans.ts";
import type { Field } from "../connection/resources.ts";
import { digitsOf, isRepeated, sqlType, typeText, type BigQueryType } from "../rows/column-types.ts";
import { quoteIdentifier } from "../sql-text.ts";

type Plan = TypePlan & { select?: (column: string) => string };

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  ...forTypes(["int8", "int16", "int32", "float32", "uuid", "list"], undefined),
  boolean: "boolean",
  time: "time",
} as const satisfies Readings;

const plain = plainPlan(READINGS);
const asString = (column: string): string => `CAST(${column} AS STRING)`;

const PLANS: Readonly<Record<BigQueryType, (field: Field) => Plan>> = {
  INT64: () => plain("int64"),
  FLOAT64: () => plain("float64"),
  BOOL: () => plain("boolean"),
  BYTES: () => plain("blob"),
  DATE: () => plain("date"),
  TIME: () => plain("time"),
  DATETIME: () => plain("timestamp"),
  TIMESTAMP: ({ timestampPrecision: digits = "6" }) =>
    digits === "6" ? plain("timestamptz") : { ...plain("varchar"), select: asString },
  ...forTypes(["NUMERIC", "BIGNUMERIC"], planDecimal),
  ...forTypes(["JSON", "STRUCT"], () => plain("json")),
  ...forTypes(["STRING", "GEOGRAPHY", "INTERVAL", "RANGE"], () => plain("varchar")),
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
  const source = { name: field.name, type: typeText(field), nullable, select: select ? select(column) : column };
  // The expression in `readAs` makes canonical text already.
  return plannedColumn(source, lakeName, readAs ? { type: readAs, reading: { as: "text" } } : { type, reading });
}

function planType(field: Field): Plan {
  if (isRepeated(field)) return plain("json");
  return entryOf(PLANS, sqlType(field))?.(field) ?? plain("varchar");
}

function planDecimal(field: Field): Plan {
  const { precision, scale } = digitsOf(field);
  return precision === undefined || scale === undefined ? plain("varchar") : decimalPlan(precision, scale);
}
