// Casts that are proven to have the same values in DuckDB as in Trino.

import { unsupported, Refusal } from "../refusal.ts";
import type { TypeName } from "../parse/tree.ts";
import { clockOf } from "./zones.ts";
import { castTo, coerce, textLiteral, type Typed } from "./typed.ts";
import {
  asDecimal,
  commonType,
  decimal,
  DECIMAL_DIGITS_MAX,
  duckTypeOf,
  isInteger,
  isSame,
  nameOf,
  simple,
  type Simple,
  type Type,
} from "../trino-types.ts";

const NAMED: Record<string, Simple> = {
  boolean: "boolean",
  tinyint: "tinyint",
  smallint: "smallint",
  int: "integer",
  integer: "integer",
  bigint: "bigint",
  real: "real",
  double: "double",
  date: "date",
  varbinary: "varbinary",
  uuid: "uuid",
};

const DIGITS_DEFAULT = 3;
const DIGITS_MAX = 6;

export function typeNamed({ name, args, at, of, fields }: TypeName): Type {
  const [first, second] = args;
  if (fields)
    return {
      kind: "row",
      fields: fields.map((field) => ({ name: field.name.text.toLowerCase(), type: typeNamed(field.type) })),
    };
  if (name === "array" && of?.length === 1) return { kind: "array", of: typeNamed(of[0]!) };
  if (Object.hasOwn(NAMED, name) && args.length === 0) return simple(NAMED[name]!);
  if (name === "varchar") return first === undefined ? { kind: "varchar" } : { kind: "varchar", length: first };
  if (name === "decimal" || name === "numeric" || name === "dec") {
    const [precision, scale] = [first ?? 38, second ?? 0];
    if (precision >= 1 && precision <= 38 && scale <= precision) return decimal(precision, scale);
  }
  const digits = first ?? DIGITS_DEFAULT;
  if (name.startsWith("time") && digits <= DIGITS_MAX) {
    if (name === "timestamp") return { kind: "timestamp", digits };
    if (name === "timestamp with time zone") return { kind: "timestamptz", digits };
    if (name === "time") return { kind: "time", digits };
  }
  throw unsupported(`The type ${name}`, at);
}

/** A text as a value of a type, as in `DATE '2024-02-29'`, or in a cast of it. */
export function literalOf(text: string, type: Type, at: number): Typed {
  const invalid = () => new Refusal("INVALID_LITERAL", `'${text}' is not a valid ${nameOf(type)} literal`, at);
  if (type.kind === "varchar") return { sql: textLiteral(text), type, at };
  if (type.kind === "boolean" && /^(true|false)$/i.test(text)) return { sql: text.toLowerCase(), type, at };
  if (type.kind === "decimal" || isInteger(type) || type.kind === "double") {
    const form = isInteger(type)
      ? /^[+-]?\d+$/
      : type.kind === "double"
        ? /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
        : /^[+-]?(\d+\.?\d*|\.\d+)$/;
    if (!form.test(text)) throw invalid();
    return { sql: castTo(textLiteral(text), type), type, at };
  }
  if (type.kind === "uuid" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    return { sql: castTo(textLiteral(text), type), type, at };
  if (type.kind === "date" && isDate(text)) return { sql: castTo(textLiteral(text), type), type, at };
  const moment = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d(?:\.(\d{1,6}))?)?)?( UTC)?$/.exec(text);
  const isOf = type.kind === "timestamp" || type.kind === "timestamptz";
  if (
    isOf &&
    moment &&
    isDate(moment[1]!) &&
    isTime(moment[2], moment[3]) &&
    (moment[5] !== undefined) === (type.kind === "timestamptz")
  )
    return { sql: castTo(textLiteral(text.replace(" UTC", "+00")), type), type, at };
  throw invalid();
}

const isTime = (minutes = "00:00", seconds = ":00"): boolean => {
  const [hour, minute, second] = `${minutes}${seconds}`.split(":").map(Number) as [number, number, number];
  return hour < 24 && minute < 60 && second < 60;
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `DECIMAL '…'` and `TIMESTAMP '…'` have as many digits as are written. */
export function typedLiteral(type: TypeName, text: string, at: number): Typed {
  if (type.name === "decimal") {
    const [, whole = "", fraction = ""] = /^[+-]?(\d*)\.?(\d*)$/.exec(text) ?? [];
    const precision = Math.max(1, whole.replace(/^0+/, "").length + fraction.length);
    if (precision > DECIMAL_DIGITS_MAX) throw new Refusal("INVALID_LITERAL", `Invalid decimal literal: ${text}`, at);
    return literalOf(text, decimal(precision, fraction.length), at);
  }
  if (type.name !== "timestamp") return literalOf(text, typeNamed(type), at);
  const digits = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  if (digits > DIGITS_MAX) throw unsupported("A second with more than six digits", at);
  return literalOf(text, { kind: text.endsWith(" UTC") ? "timestamptz" : "timestamp", digits }, at);
}

/** A cast, which fails where the value has no place in the type. */
export const cast = (of: Typed, type: Type, at: number): Typed => changed(of, type, at, false);

/** A cast that is NULL where it would fail. */
export const tryCast = (of: Typed, type: Type, at: number): Typed => changed(of, type, at, true);

function changed(of: Typed, type: Type, at: number, isTried: boolean): Typed {
  const { sql, type: from } = of;
  const refused = unsupported(`A cast of ${nameOf(from)} to ${nameOf(type)}`, at);
  const made = (text: string): Typed => ({ sql: text, type, at });
  const fallible = (text: string): Typed => made(`${isTried ? "TRY_" : ""}CAST(${text} AS ${duckTypeOf(type)})`);
  if (isSame(from, type)) return { ...of, type };
  if (from.kind === "unknown") return made(castTo("NULL", type));
  if (type.kind === "varchar") return made(varcharOf(of, type.length, refused));
  if (from.kind === "varchar") {
    if (of.constant === undefined) return made(ofText(sql, type, isTried, refused));
    // Blanks around a decimal are refused, around all else they are left out.
    return { ...literalOf(type.kind === "decimal" ? of.constant : of.constant.trim(), type, at), type };
  }
  const digits = asDecimal(from);
  // Both round half away from zero, and both fail where the value does not fit.
  if (digits && (isInteger(type) || type.kind === "decimal")) return fallible(sql);
  if (digits && type.kind === "double") return made(coerce(of, type));
  if (from.kind === "double" && isInteger(type)) return fallible(`round(${sql})`);
  if (from.kind === "real" && type.kind === "double") return made(castTo(sql, type));
  if (from.kind === "boolean" && isInteger(type)) return made(castTo(sql, type));
  if (isInteger(from) && type.kind === "boolean") return made(castTo(sql, type));
  if (from.kind === "timestamp" && type.kind === "date") return made(castTo(sql, type));
  if (from.kind === "date" && type.kind === "timestamp") return made(castTo(sql, type));
  // A moment keeps the zone that it is shown in.
  if ("digits" in from && "digits" in type && from.kind === type.kind && from.kind !== "time")
    return { sql: withDigits(sql, from.digits, type.digits), type: { ...from, digits: type.digits }, at };
  if (from.kind === "timestamptz" && type.kind === "timestamp")
    return made(withDigits(clockOf(of), from.digits, type.digits));
  if (from.kind === "timestamptz" && type.kind === "date") return made(castTo(clockOf(of), type));
  if (commonType(from, type) && isSame(commonType(from, type)!, type)) return made(coerce(of, type));
  throw refused;
}

const WHOLE = "[ ]*[+-]?[0-9]+[ ]*";
/** Texts of which both engines make the same value. */
const FORMS: Partial<Record<Type["kind"], string>> = {
  ...{ tinyint: WHOLE, smallint: WHOLE, integer: WHOLE, bigint: WHOLE },
  double: "[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ ]*",
  decimal: "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)",
  date: "[0-9]{4}-[0-9]{2}-[0-9]{2}",
};

/** A text that is computed, in the forms alone that both engines take; it fails with any other. */
function ofText(sql: string, type: Type, isTried: boolean, refused: Refusal): string {
  const form = FORMS[type.kind];
  if (form === undefined || (isTried && !isInteger(type))) throw refused;
  const target = duckTypeOf(type);
  const fails = `error('A text is not taken for ${nameOf(type)} here: ' || ${sql})`;
  const isTaken = `regexp_full_match(${sql}, '${form}')`;
  if (!isTried)
    return `(CASE WHEN ${sql} IS NULL THEN NULL WHEN ${isTaken} THEN CAST(trim(${sql}) AS ${target}) ELSE ${fails} END)`;
  // Trino knows the digits and the blanks of other scripts, too, but no letters.
  return (
    `(CASE WHEN ${isTaken} THEN TRY_CAST(trim(${sql}) AS ${target}) ` +
    `WHEN ${sql} IS NULL OR regexp_full_match(${sql}, '[ -~]*') OR regexp_matches(${sql}, '\\p{L}') THEN NULL ELSE ${fails} END)`
  );
}

/** A moment with fewer digits of its second, rounded half up. */
export function withDigits(sql: string, from: number, into: number): string {
  if (into >= from) return sql;
  const unit = 10 ** (DIGITS_MAX - into);
  const shifted = `(${sql} + to_microseconds(${unit / 2}))`;
  return `(${shifted} - to_microseconds(((epoch_us(${shifted}) % ${unit}) + ${unit}) % ${unit}))`;
}

/** A value that is no moment, as Trino writes it. */
export function textOf(sql: string, type: Type): string {
  const text = castTo(sql, { kind: "varchar" });
  if (type.kind === "date") return `(${yearOf(sql)} || strftime(${sql}, '-%m-%d'))`;
  // DuckDB writes no zero before the point of a decimal that has no digit there.
  if (type.kind === "decimal" && type.precision === type.scale) return `regexp_replace(${text}, '^(-?)[.]', '\\10.')`;
  return text;
}

/** A year of four digits at the least, signed beyond 0000 and 9999, where DuckDB says BC, or nothing. */
export const yearOf = (moment: string): string =>
  `(CASE WHEN year(${moment}) > 9999 THEN '+' WHEN year(${moment}) < 0 THEN '-' ELSE '' END || ` +
  `CASE WHEN abs(year(${moment})) > 9999 THEN CAST(abs(year(${moment})) AS VARCHAR) ` +
  `ELSE lpad(CAST(abs(year(${moment})) AS VARCHAR), 4, '0') END)`;

function varcharOf({ sql, type: from, constant }: Typed, length: number | undefined, refused: Refusal): string {
  const isText = from.kind === "varchar";
  const isPlain = isInteger(from) || from.kind === "decimal" || from.kind === "boolean" || from.kind === "uuid";
  if (!isText && !isPlain && from.kind !== "date") throw refused;
  const text = isText ? sql : textOf(sql, from);
  if (length === undefined || (constant !== undefined && [...constant].length <= length && isText)) return text;
  if (!isText) throw refused;
  return `substring(${text}, 1, ${length})`;
}
