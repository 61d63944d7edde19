// The columns of a BigQuery result, read from its schema, with their kinds.

import { distinctNames, type Column, type ValueKind } from "../../../formats/result.ts";
import { entryOf } from "../../../core/type-tables.ts";
import type { Field } from "../connection/resources.ts";
import { DECIMAL_DIGITS_MAX } from "../../../../../kernel/lake/lake-types.ts";

export type ResultColumn = Column;

/** The REST API's older names of types. */
const SQL_NAMES: Record<string, string> = { INTEGER: "INT64", FLOAT: "FLOAT64", BOOLEAN: "BOOL", RECORD: "STRUCT" };

/**
 * | BigQuery | kind | |
 * |---|---|---|
 * | INT64 | bigint | |
 * | NUMERIC, BIGNUMERIC | decimal | NUMERIC is (38,9); BIGNUMERIC has up to 76 digits |
 * | FLOAT64 | float | |
 * | DATE, TIME | date, time | |
 * | DATETIME | timestamp | |
 * | TIMESTAMP | timestamptz | in microseconds |
 * | BYTES | binary | |
 * | JSON, STRUCT, ARRAY | json | every digit as it is; a NULL array is an empty one, as the service has it |
 * | STRING, INTERVAL, GEOGRAPHY, RANGE | text | |
 */
export function describeColumns(fields: readonly Field[]): ResultColumn[] {
  const names = distinctNames(fields.map(({ name }) => name));
  return fields.map((field, i) => ({ name: names[i]!, type: typeText(field), ...kindOf(field) }));
}

const KINDS = {
  INT64: "bigint",
  FLOAT64: "float",
  NUMERIC: "decimal",
  BIGNUMERIC: "decimal",
  BOOL: "boolean",
  DATE: "date",
  TIME: "time",
  DATETIME: "timestamp",
  TIMESTAMP: "timestamptz",
  BYTES: "binary",
  JSON: "json",
  STRUCT: "json",
  STRING: "text",
  INTERVAL: "text",
  GEOGRAPHY: "text",
  RANGE: "text",
} satisfies Record<string, ValueKind>;

/** The types that columns may have. One that the service adds later is read as its text. */
export type BigQueryType = keyof typeof KINDS;

/** Digits of a NUMERIC that declares none. */
const NUMERIC = { precision: 38, scale: 9 };

function kindOf(field: Field): { kind: ValueKind; precision?: number; scale?: number } {
  if (isRepeated(field)) return { kind: "json" };
  const kind = entryOf<ValueKind>(KINDS, sqlType(field)) ?? "text";
  return { kind, ...(kind === "decimal" ? digitsOf(field) : {}) };
}

/** The digits that a decimal declares, or that its type has; empty where they are more than 38. */
export function digitsOf(field: Field): { precision?: number; scale?: number } {
  if (field.precision === undefined) return sqlType(field) === "NUMERIC" ? NUMERIC : {};
  const digits = { precision: Number(field.precision), scale: Number(field.scale ?? 0) };
  return digits.precision <= DECIMAL_DIGITS_MAX && digits.scale <= digits.precision ? digits : {};
}

export const isRepeated = ({ mode }: Field): boolean => mode === "REPEATED";

/** GoogleSQL's name of a field's type, without what it holds. */
export const sqlType = ({ type }: Field): string => SQL_NAMES[type] ?? type;

/** Spells a type as GoogleSQL does: `ARRAY<STRUCT<a INT64, b NUMERIC(10, 2)>>`. */
export function typeText(field: Field): string {
  const type = sqlType(field);
  const text =
    type === "STRUCT"
      ? `STRUCT<${(field.fields ?? []).map((part) => `${part.name} ${typeText(part)}`).join(", ")}>`
      : type === "RANGE" && field.rangeElementType
        ? `RANGE<${field.rangeElementType.type}>`
        : type + parametersOf(field);
  return isRepeated(field) ? `ARRAY<${text}>` : text;
}

function parametersOf({ precision, scale, maxLength, timestampPrecision = "6" }: Field): string {
  if (precision !== undefined) return `(${precision}${scale === undefined ? "" : `, ${scale}`})`;
  if (maxLength !== undefined) return `(${maxLength})`;
  return timestampPrecision === "6" ? "" : `(${timestampPrecision})`;
}
