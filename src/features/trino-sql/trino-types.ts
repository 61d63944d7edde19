// Trino's types: how they are written, told to clients, and spelled in DuckDB.

import { quoteIdentifier } from "../../lake/format/names.ts";
import type { Carried } from "./carried-types.ts";

export type Simple =
  | "unknown"
  | "boolean"
  | "tinyint"
  | "smallint"
  | "integer"
  | "bigint"
  | "real"
  | "double"
  | "date"
  | "varbinary"
  | "uuid";

export type Clock = "timestamp" | "timestamptz" | "time";

/** `length` of a varchar is absent where it has no bound; `digits` are those of the second's fraction. */
export type Type =
  | { kind: Simple }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "varchar"; length?: number }
  | { kind: Exclude<Clock, "timestamptz">; digits: number }
  /** `zone`: in which its values are shown, where that is not UTC. */
  | { kind: "timestamptz"; digits: number; zone?: string }
  /** DuckDB has no such type: a value is the text that clients read. */
  | Carried
  | { kind: "array"; of: Type }
  | { kind: "map"; key: Type; value: Type }
  | { kind: "row"; fields: RowField[] };

/** `isNameless`: its name is DuckDB's alone. `shown`: its name in Trino, where two fields of a row have the same. */
export type RowField = { name: string; type: Type; isNameless?: true; shown?: string };

export const simple = (kind: Simple): Type => ({ kind });
export const BIGINT = simple("bigint");
export const INTEGER = simple("integer");
export const DOUBLE = simple("double");
export const BOOLEAN = simple("boolean");
export const DATE = simple("date");
export const UNKNOWN = simple("unknown");
export const VARCHAR: Type = { kind: "varchar" };
export const decimal = (precision: number, scale: number): Type => ({ kind: "decimal", precision, scale });

/** Integers in the order in which each takes all of those before it, with the digits that each may have. */
const INTEGERS = ["tinyint", "smallint", "integer", "bigint"] as const;
const DIGITS = { tinyint: 3, smallint: 5, integer: 10, bigint: 19 } as const;
type IntegerKind = (typeof INTEGERS)[number];

export const isInteger = (type: Type): type is { kind: IntegerKind } =>
  (INTEGERS as readonly string[]).includes(type.kind);
export const isFloating = ({ kind }: Type): boolean => kind === "real" || kind === "double";
export const isNumeric = (type: Type): boolean => isInteger(type) || type.kind === "decimal" || isFloating(type);

/** The decimal that an integer is taken for beside one. */
export const asDecimal = (type: Type): { precision: number; scale: number } | undefined =>
  type.kind === "decimal" ? type : isInteger(type) ? { precision: DIGITS[type.kind], scale: 0 } : undefined;

export const DECIMAL_DIGITS_MAX = 38;
const VARCHAR_UNBOUNDED = 2_147_483_647;

/** The type as Trino writes it. */
export function nameOf(type: Type, isCompact = false): string {
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision},${isCompact ? "" : " "}${type.scale})`;
    case "varchar":
      return type.length === undefined ? "varchar" : `varchar(${type.length})`;
    case "timestamp":
      return `timestamp(${type.digits})`;
    case "timestamptz":
      return `timestamp(${type.digits}) with time zone`;
    case "time":
      return `time(${type.digits})`;
    case "carried":
      return carriedName(type, isCompact);
    case "array":
      return `array(${nameOf(type.of, isCompact)})`;
    case "map":
      return `map(${nameOf(type.key, isCompact)}, ${nameOf(type.value, isCompact)})`;
    case "row":
      return `row(${type.fields.map((field) => `${rowField(field)}${nameOf(field.type, isCompact)}`).join(", ")})`;
    default:
      return type.kind;
  }
}

/** Trino writes an interval's type in capitals beside its values, and else like any other. */
function carriedName({ name, size }: Carried, isCompact: boolean): string {
  if (size !== undefined) return name.replace(/^\w+/, (word) => `${word}(${size})`);
  return name.startsWith("interval") && !isCompact ? name.toUpperCase() : name;
}

/** The field's name in Trino; undefined where it has none. */
export const shownName = ({ name, isNameless, shown = name }: RowField): string | undefined =>
  isNameless ? undefined : shown;

function rowField(field: RowField): string {
  const name = shownName(field);
  if (name === undefined) return "";
  return `${/^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name)} `;
}

/** What a column's type is made of, as clients are told it. */
export function signatureOf(type: Type): object {
  const long = (value: number) => ({ kind: "LONG", value });
  const signature = (rawType: string, args: object[] = []) => ({ rawType, arguments: args });
  switch (type.kind) {
    case "decimal":
      return signature("decimal", [long(type.precision), long(type.scale)]);
    case "varchar":
      return signature("varchar", [long(type.length ?? VARCHAR_UNBOUNDED)]);
    case "timestamp":
    case "time":
      return signature(type.kind, [long(type.digits)]);
    case "timestamptz":
      return signature("timestamp with time zone", [long(type.digits)]);
    case "carried":
      return signature(type.name, type.size === undefined ? [] : [long(type.size)]);
    case "array":
      return signature("array", [{ kind: "TYPE", value: signatureOf(type.of) }]);
    case "map":
      return signature(
        "map",
        [type.key, type.value].map((of) => ({ kind: "TYPE", value: signatureOf(of) })),
      );
    case "row":
      return signature(
        "row",
        type.fields.map((field) => {
          const name = shownName(field);
          const named = name === undefined ? {} : { fieldName: { name } };
          return { kind: "NAMED_TYPE", value: { ...named, typeSignature: signatureOf(field.type) } };
        }),
      );
    default:
      return signature(type.kind);
  }
}

const SPELLED: Record<Simple, string> = {
  unknown: "VARCHAR",
  boolean: "BOOLEAN",
  tinyint: "TINYINT",
  smallint: "SMALLINT",
  integer: "INTEGER",
  bigint: "BIGINT",
  real: "FLOAT",
  double: "DOUBLE",
  date: "DATE",
  varbinary: "BLOB",
  uuid: "UUID",
};

/** The type in DuckDB. */
export function duckTypeOf(type: Type): string {
  switch (type.kind) {
    case "decimal":
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case "varchar":
    case "carried":
      return "VARCHAR";
    case "timestamp":
      return "TIMESTAMP";
    case "timestamptz":
      return "TIMESTAMPTZ";
    case "time":
      return "TIME";
    case "array":
      return `${duckTypeOf(type.of)}[]`;
    case "map":
      return `MAP(${duckTypeOf(type.key)}, ${duckTypeOf(type.value)})`;
    case "row":
      return `STRUCT(${type.fields.map((field) => `${quoteIdentifier(field.name)} ${duckTypeOf(field.type)}`).join(", ")})`;
    default:
      return SPELLED[type.kind];
  }
}

export const isSame = (one: Type, other: Type): boolean =>
  nameOf(one) === nameOf(other) && zonesOf(one).join() === zonesOf(other).join();

/** The zones in which the moments of a value are shown, in their order; a type by another name where it is carried. */
function zonesOf(type: Type): string[] {
  switch (type.kind) {
    case "carried":
      return [type.kind];
    case "array":
      return zonesOf(type.of);
    case "map":
      return [...zonesOf(type.key), ...zonesOf(type.value)];
    case "row":
      return type.fields.flatMap((field) => zonesOf(field.type));
    default:
      return [zoneOf(type)];
  }
}

/** The zone in which a moment is shown. */
export const zoneOf = (type: Type): string => (type.kind === "timestamptz" ? (type.zone ?? "UTC") : "UTC");

/** The type that values of both are taken for where they meet, as Trino does it; undefined where they can't. */
export function commonType(one: Type, other: Type): Type | undefined {
  if (isSame(one, other)) return one;
  if (one.kind === "unknown") return other;
  if (other.kind === "unknown") return one;
  if (isNumeric(one) && isNumeric(other)) return commonNumber(one, other);
  if (one.kind === "varchar" && other.kind === "varchar")
    return one.length === undefined || other.length === undefined
      ? VARCHAR
      : { kind: "varchar", length: Math.max(one.length, other.length) };
  if (one.kind === "array" && other.kind === "array") {
    const of = commonType(one.of, other.of);
    return of && { kind: "array", of };
  }
  if (one.kind === "map" && other.kind === "map") {
    const [key, value] = [commonType(one.key, other.key), commonType(one.value, other.value)];
    return key && value && { kind: "map", key, value };
  }
  if (one.kind === "row" && other.kind === "row") return commonRow(one.fields, other.fields);
  if (one.kind === "date" && other.kind === "timestamp") return other;
  if (one.kind === "timestamp" && other.kind === "date") return one;
  if ("digits" in one && "digits" in other && one.kind === other.kind && zoneOf(one) === zoneOf(other))
    return { ...one, digits: Math.max(one.digits, other.digits) };
  return undefined;
}

/** Rows have the same names, or none. */
function commonRow(one: readonly RowField[], other: readonly RowField[]): Type | undefined {
  if (one.length !== other.length) return undefined;
  const fields = one.map((field, i) => {
    const [type, { name }] = [commonType(field.type, other[i]!.type), other[i]!];
    return type && name === field.name && !field.isNameless === !other[i]!.isNameless ? { ...field, type } : undefined;
  });
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? { kind: "row", fields: known } : undefined;
}

function commonNumber(one: Type, other: Type): Type {
  if (one.kind === "double" || other.kind === "double") return DOUBLE;
  if (one.kind === "real" || other.kind === "real") return simple("real");
  if (isInteger(one) && isInteger(other))
    return INTEGERS.indexOf(one.kind) > INTEGERS.indexOf(other.kind) ? one : other;
  const [a, b] = [asDecimal(one)!, asDecimal(other)!];
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  return decimal(Math.min(DECIMAL_DIGITS_MAX, whole + scale), scale);
}
