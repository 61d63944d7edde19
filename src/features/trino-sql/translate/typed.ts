// An expression in DuckDB's SQL with the type that it has in Trino, and its change to another type.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { Refusal } from "../refusal.ts";
import { asDecimal, commonType, duckTypeOf, isInteger, isSame, nameOf, UNKNOWN, type Type } from "../trino-types.ts";

/** `constant`: the text of a number or text that the statement has in its words. */
export type Typed = { sql: string; type: Type; at: number; constant?: string };

export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const castTo = (sql: string, type: Type): string => `CAST(${sql} AS ${duckTypeOf(type)})`;

export const mismatch = (message: string, at: number): Refusal => new Refusal("TYPE_MISMATCH", message, at);

/** The expression as one of a type that takes all of its values, as Trino changes it by itself. */
export function coerce(typed: Typed, type: Type): string {
  const { sql, type: from, at, constant } = typed;
  if (isSame(from, type)) return sql;
  if (from.kind === "unknown") return castTo("NULL", type);
  if (from.kind === "varchar" && type.kind === "varchar") return sql;
  if ("digits" in from && "digits" in type && from.kind === type.kind) return sql;
  if (from.kind === "date" && type.kind === "timestamp") return castTo(sql, type);
  if (from.kind === "array" && type.kind === "array") {
    const element = coerce({ sql: "e", type: from.of, at }, type.of);
    return element === "e" ? sql : `list_transform(${sql}, lambda e: ${element})`;
  }
  if (from.kind === "row" && type.kind === "row")
    return rowAs(typed, from, type, (field, into) => ({ ...field, sql: coerce(field, into) })).sql;
  if (from.kind === "map" && type.kind === "map") return mapAs(typed, from, type);
  const digits = asDecimal(from);
  if (digits && (isInteger(type) || type.kind === "decimal")) return castTo(sql, type);
  if (digits && type.kind === "double")
    return constant === undefined ? toDouble(typed, digits) : castTo(textLiteral(constant), type);
  if (digits && type.kind === "real" && constant !== undefined) return castTo(textLiteral(constant), type);
  if (from.kind === "real" && type.kind === "double") return castTo(sql, type);
  throw mismatch(`Cannot take ${nameOf(from)} for ${nameOf(type)}.`, at);
}

type MapType = Extract<Type, { kind: "map" }>;

function mapAs({ sql, at }: Typed, from: MapType, type: MapType): string {
  const [keys, values] = (["key", "value"] as const).map((part) => {
    const list = `map_${part}s(${sql})`;
    const changed = coerce(
      { sql: list, type: { kind: "array", of: from[part] }, at },
      { kind: "array", of: type[part] },
    );
    return { changed, isSame: changed === list };
  }) as [{ changed: string; isSame: boolean }, { changed: string; isSame: boolean }];
  if (keys.isSame && values.isSame) return sql;
  return `(CASE WHEN ${sql} IS NULL THEN NULL ELSE map(${keys.changed}, ${values.changed}) END)`;
}

/** Up to this many digits an integer is exact as a double, so that one division rounds once. */
const EXACT_DIGITS_MAX = 15;
/** Up to this many Trino makes a double of a decimal by one division of a 64-bit integer. */
export const SHORT_DIGITS_MAX = 18;

function toDouble({ sql, type }: Typed, { precision, scale }: { precision: number; scale: number }): string {
  if (isInteger(type) || precision <= EXACT_DIGITS_MAX) return `CAST(${sql} AS DOUBLE)`;
  // Both engines read a longer decimal from its text, or divide where that is exact: either is the nearest double.
  if (precision > SHORT_DIGITS_MAX) return `CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)`;
  return `(CAST(${unscaled(sql, scale)} AS DOUBLE) / CAST('1e${scale}' AS DOUBLE))`;
}

/** The digits of a decimal as an integer. */
export const unscaled = (sql: string, scale: number): string =>
  scale === 0
    ? `CAST(${sql} AS HUGEINT)`
    : `CAST(CAST(${sql} AS DECIMAL(38, ${scale})) * CAST(1${"0".repeat(scale)} AS DECIMAL(${scale + 1}, 0)) AS HUGEINT)`;

/**
 * The quotient of two decimals with `scale` digits after its point, rounded half away from zero, as Trino has it; a
 * division by zero fails.
 */
export function quotient(
  left: { sql: string; scale: number },
  right: { sql: string; scale: number },
  into: { precision: number; scale: number },
): string {
  const shift = into.scale - left.scale + right.scale;
  const numerator = `(${unscaled(left.sql, left.scale)} * CAST('1${"0".repeat(shift)}' AS HUGEINT))`;
  const divisor = unscaled(right.sql, right.scale);
  const rounded = `((2 * abs(${numerator}) + abs(${divisor})) // (2 * abs(${divisor})))`;
  const signed = `(${rounded} * sign(${numerator}) * sign(${divisor}))`;
  const scaled =
    into.scale === 0
      ? signed
      : `CAST(${signed} AS DECIMAL(38, 0)) * CAST('0.${"0".repeat(into.scale - 1)}1' AS DECIMAL(${into.scale}, ${into.scale}))`;
  return (
    `CASE WHEN ${divisor} = 0 THEN error('Division by zero') ELSE ` +
    `CAST(${scaled} AS DECIMAL(${into.precision}, ${into.scale})) END`
  );
}

/** Whether a number that the statement has in its words is exactly a value of the type. */
export function fits(constant: string, type: Type): boolean {
  const digits = asDecimal(type);
  const parts = /^(-?)(\d*)(?:\.(\d*))?$/.exec(constant);
  if (!digits || !parts) return false;
  const [, , whole = "", fraction = ""] = parts;
  // One digit less than an integer may have: all of those numbers are in its range.
  const wholeMax = digits.precision - digits.scale - (isInteger(type) ? 1 : 0);
  return whole.replace(/^0+/, "").length <= wholeMax && fraction.replace(/0+$/, "").length <= digits.scale;
}

export function commonOfAll(values: readonly Typed[], at: number): Type {
  let type: Type = UNKNOWN;
  for (const value of values) {
    const common = commonType(type, value.type);
    if (!common) throw mismatch(`All results must be of one type: ${nameOf(type)}, ${nameOf(value.type)}`, at);
    type = common;
  }
  return type;
}

type RowType = Extract<Type, { kind: "row" }>;

/** Each field as one of the type's, by `castField`. */
export function rowAs(of: Typed, from: RowType, type: RowType, castField: (field: Typed, into: Type) => Typed): Typed {
  if (from.fields.length !== type.fields.length) throw mismatch("The rows have not as many fields each.", of.at);
  if (isSame(from, type)) return of;
  const values = from.fields.map((field, i) => {
    const value: Typed = { sql: `r.${quoteIdentifier(field.name)}`, type: field.type, at: of.at };
    const into = type.fields[i]!;
    return `${quoteIdentifier(into.name)} := ${castField(value, into.type).sql}`;
  });
  const sql = `list_transform([${of.sql}], lambda r: CASE WHEN r IS NULL THEN NULL ELSE struct_pack(${values.join(", ")}) END)[1]`;
  return { sql, type, at: of.at };
}
