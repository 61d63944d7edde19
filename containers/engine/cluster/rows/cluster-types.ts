// The types of a cluster's columns: those whose values DuckDB gives equally. Any other is refused by its name.

import { Failure } from "../../core/failure.ts";
import { distinctNames, type Column, type ValueKind } from "../../formats/result.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { ClusterColumn, TypeSignature } from "../connection/pages.ts";

const SCALARS = {
  boolean: "boolean",
  tinyint: "integer",
  smallint: "integer",
  integer: "integer",
  bigint: "bigint",
  real: "float",
  double: "float",
  date: "date",
  varchar: "text",
  varbinary: "binary",
  uuid: "text",
  json: "json",
  unknown: "text",
} as const satisfies Record<string, ValueKind>;
export type Scalar = keyof typeof SCALARS;

const CLOCKS = {
  time: "time",
  timestamp: "timestamp",
  "timestamp with time zone": "timestamptz",
} as const satisfies Record<string, ValueKind>;
export type Clock = keyof typeof CLOCKS;

export type ClusterType =
  | { kind: Scalar }
  | { kind: Clock; digits: number }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "array"; of: ClusterType }
  | { kind: "map"; key: ClusterType; value: ClusterType }
  | { kind: "row"; fields: { name: string; type: ClusterType }[] };

/** Fractions of a second that DuckDB's types hold. */
const DIGITS_MAX = 6;
const PRECISION_MAX = 38;
const DEPTH_MAX = 50;
/** The types whose values may be keys of a JSON object, as maps come. */
const KEYS = ["boolean", "tinyint", "smallint", "integer", "bigint", "date", "varchar", "uuid", "decimal"];

export type TypedColumn = { column: Column; type: ClusterType };

/** Throws a Failure. */
export function typedColumns(columns: readonly ClusterColumn[]): TypedColumn[] {
  const names = distinctNames(columns.map(({ name }) => name));
  return columns.map((column, i) => {
    const type = typeOf(column.typeSignature, 0);
    if (!type) throw unequal(column);
    const digits = type.kind === "decimal" ? { precision: type.precision, scale: type.scale } : {};
    return { column: { name: names[i]!, type: column.type.slice(0, 1_000), kind: kindOf(type), ...digits }, type };
  });
}

const unequal = ({ name, type }: ClusterColumn): Failure =>
  new Failure(
    "sql_error",
    `Column ${JSON.stringify(name)} has the type ${type.slice(0, 200)}, whose values can't be given as a lake's are. ` +
      "Cast it to varchar in the statement.",
  );

export function kindOf(type: ClusterType): ValueKind {
  if (type.kind === "decimal") return "decimal";
  if (isScalar(type)) return SCALARS[type.kind];
  return isClock(type) ? CLOCKS[type.kind] : "json";
}

export const isScalar = (type: ClusterType): type is { kind: Scalar } => Object.hasOwn(SCALARS, type.kind);
export const isClock = (type: ClusterType): type is { kind: Clock; digits: number } => Object.hasOwn(CLOCKS, type.kind);

/** Undefined of a type whose values DuckDB has not. */
function typeOf(signature: TypeSignature, depth: number): ClusterType | undefined {
  const { rawType: kind, arguments: parts } = signature;
  if (depth > DEPTH_MAX) return undefined;
  if (Object.hasOwn(SCALARS, kind)) return { kind: kind as Scalar };
  if (Object.hasOwn(CLOCKS, kind)) {
    const digits = numberOf(parts[0]);
    return digits <= DIGITS_MAX ? { kind: kind as Clock, digits } : undefined;
  }
  switch (kind) {
    case "decimal": {
      const [precision, scale] = [numberOf(parts[0]), numberOf(parts[1])];
      return precision <= PRECISION_MAX && scale <= precision ? { kind, precision, scale } : undefined;
    }
    case "array": {
      const of = typeOf(partOf(parts[0]), depth + 1);
      return of && { kind, of };
    }
    case "map": {
      const [key, value] = [typeOf(partOf(parts[0]), depth + 1), typeOf(partOf(parts[1]), depth + 1)];
      return key && value && KEYS.includes(key.kind) ? { kind, key, value } : undefined;
    }
    case "row":
      return rowOf(parts, depth);
    default:
      return undefined;
  }
}

/** A struct's fields are known by their names; Trino has rows whose fields have none. */
function rowOf(parts: TypeSignature["arguments"], depth: number): ClusterType | undefined {
  const fields: { name: string; type: ClusterType }[] = [];
  for (const { value } of parts) {
    const { fieldName, typeSignature } = (value ?? {}) as {
      fieldName?: { name?: unknown } | null;
      typeSignature?: unknown;
    };
    const type = typeOf(partOf({ value: typeSignature }), depth + 1);
    if (!type || typeof fieldName?.name !== "string") return undefined;
    fields.push({ name: fieldName.name, type });
  }
  return new Set(fields.map(({ name }) => name)).size === fields.length ? { kind: "row", fields } : undefined;
}

function numberOf(part: { value: unknown } | undefined): number {
  const value = part?.value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  return protocolViolation("a type has not the numbers that it has to have");
}

function partOf(part: { value: unknown } | undefined): TypeSignature {
  const { rawType, arguments: parts } = (part?.value ?? {}) as Partial<TypeSignature>;
  if (typeof rawType === "string" && Array.isArray(parts)) return { rawType, arguments: parts };
  return protocolViolation("a type has not the types that it has to have");
}
