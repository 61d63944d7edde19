// Casts that are proven to have the same values in DuckDB as in Trino.

import { unsupported, type Refusal } from "../refusal.ts";
import { clockOf } from "./zones.ts";
import { castTo, coerce, rowAs, type Typed } from "./typed.ts";
import { asDecimal, commonType, duckTypeOf, isInteger, isSame, nameOf, type Type } from "../trino-types.ts";
import { castToCarried } from "./values/carried-casts.ts";
import { withoutBlanks } from "./values/blanks.ts";
import { withDigits } from "./values/digits.ts";
import { literalOf } from "./values/literals.ts";

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
  if (type.kind === "carried") return castToCarried(of, type, at, refused);
  if (type.kind === "varchar") return made(varcharOf(of, type.length, refused));
  if (from.kind === "varchar" && type.kind === "varbinary") return made(`encode(${sql})`);
  if (from.kind === "varchar") {
    if (of.constant === undefined) return made(ofText(sql, type, isTried, refused));
    return literalOf(withoutBlanks(of.constant, type), type, at);
  }
  const digits = asDecimal(from);
  // Both round half away from zero, and both fail where the value does not fit.
  if (digits && (isInteger(type) || type.kind === "decimal")) return fallible(sql);
  if (digits && type.kind === "double") return made(coerce(of, type));
  if (from.kind === "double" && isInteger(type)) return fallible(`round(${sql})`);
  if (from.kind === "real" && type.kind === "double") return made(castTo(sql, type));
  if (from.kind === "double" && type.kind === "real") return made(realOf(sql));
  if (from.kind === "boolean" && isInteger(type)) return made(castTo(sql, type));
  if (isInteger(from) && type.kind === "boolean") return made(castTo(sql, type));
  if (from.kind === "timestamp" && type.kind === "date") return made(castTo(sql, type));
  if (from.kind === "date" && type.kind === "timestamp") return made(castTo(sql, type));
  if ((from.kind === "timestamp" || from.kind === "timestamptz") && type.kind === "time")
    return made(timeOf(clockOf(of), from.digits, type));
  // A moment keeps the zone that it is shown in.
  if ("digits" in from && "digits" in type && from.kind === type.kind && from.kind !== "time")
    return { sql: withDigits(sql, from.digits, type.digits), type: { ...from, digits: type.digits }, at };
  if (from.kind === "timestamptz" && type.kind === "timestamp")
    return made(withDigits(clockOf(of), from.digits, type.digits));
  if (from.kind === "timestamptz" && type.kind === "date") return made(castTo(clockOf(of), type));
  if (commonType(from, type) && isSame(commonType(from, type)!, type)) return made(coerce(of, type));
  // Tried, a row is NULL as a whole where one of its fields fails.
  if (from.kind === "row" && type.kind === "row" && !isTried)
    return rowAs(of, from, type, (field, into) => cast(field, into, at));
  throw refused;
}

/** Trino 476 has another second of a time before 1970. */
const timeOf = (clock: string, digits: number, type: Extract<Type, { digits: number }>): string =>
  `(CASE WHEN ${clock} < TIMESTAMP '1970-01-01' THEN error('A time of a moment before 1970 is not supported here.') ` +
  `ELSE ${castTo(withDigits(clock, digits, type.digits), type)} END)`;

/** From here on a double is nearer to infinity than to the greatest real, where DuckDB fails. */
const REAL_END = "CAST('3.4028235677973366e38' AS DOUBLE)";

const realOf = (sql: string): string =>
  `(CASE WHEN isnan(${sql}) THEN CAST('NaN' AS FLOAT) WHEN ${sql} >= ${REAL_END} THEN CAST('Infinity' AS FLOAT) ` +
  `WHEN ${sql} <= -${REAL_END} THEN CAST('-Infinity' AS FLOAT) ELSE CAST(${sql} AS FLOAT) END)`;

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
