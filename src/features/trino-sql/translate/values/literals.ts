// Texts that are values of a type, as in `DATE '2024-02-29'`, or in a cast of one.

import { Refusal, unsupported } from "../../refusal.ts";
import type { TypeName } from "../../parse/tree.ts";
import { decimal, DECIMAL_DIGITS_MAX, isInteger, nameOf, VARCHAR, type Type } from "../../trino-types.ts";
import { castTo, textLiteral, type Typed } from "../typed.ts";
import { atZone, zoneNamed } from "../zones.ts";
import { DIGITS_MAX, withDigits } from "./digits.ts";
import { typeNamed } from "./type-names.ts";

/** Java's words for what is no number of digits. */
const ODD_NUMBERS = /^(NaN|[+-]?Infinity)$/;

export function literalOf(text: string, type: Type, at: number): Typed {
  const invalid = () => new Refusal("INVALID_LITERAL", `'${text}' is not a valid ${nameOf(type)} literal`, at);
  if (type.kind === "varchar") return { sql: textLiteral(text), type, at };
  if (type.kind === "boolean" && /^(true|false)$/i.test(text)) return { sql: text.toLowerCase(), type, at };
  if ((type.kind === "double" || type.kind === "real") && ODD_NUMBERS.test(text))
    return { sql: castTo(textLiteral(text), type), type, at };
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
  const { clock, zone } = readMoment(text) ?? {};
  if (type.kind === "timestamp" && clock !== undefined && zone === undefined)
    return { sql: withDigits(castTo(textLiteral(clock), type), digitsOf(clock), type.digits), type, at };
  if (type.kind === "timestamptz" && clock !== undefined && zone !== undefined) return zoned(clock, zone, type, at);
  const [, minutes, seconds] = type.kind === "time" ? (TIME.exec(text) ?? []) : [];
  if (type.kind === "time" && minutes !== undefined && isTime(minutes, seconds) && digitsOf(text) <= type.digits)
    return { sql: castTo(textLiteral(text), type), type, at };
  if (type.kind === "time" && ZONED_TIME.test(text)) throw unsupported("A time with a zone", at);
  throw invalid();
}

const ZONED_TIME = / ?[+-]\d\d:\d\d$/;
const TIME = /^(\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?$/;
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?)?(?:((?<=:.*) ?| )(Z|[A-Za-z][A-Za-z/_+-]*|[+-]\d\d:\d\d))?$/;

/** The zone is the last of a moment, behind a blank or right after its time. */
function readMoment(text: string): { clock: string; zone: string | undefined } | undefined {
  const [, date, minutes, seconds, , zone] = MOMENT.exec(text) ?? [];
  if (date === undefined || !isDate(date) || !isTime(minutes, seconds)) return undefined;
  return { clock: `${date} ${minutes ?? "00:00"}${seconds ?? ":00"}`, zone };
}

/** The moment at which the clocks of a zone, as it is written, show a time. */
export function zoned(clock: string, zone: string, { digits }: { digits: number }, at: number): Typed {
  const text: Typed = { sql: textLiteral(clock), type: VARCHAR, at };
  const moment = atZone(text, digits, zoneNamed(zone, at));
  return { ...moment, sql: withDigits(moment.sql, digitsOf(clock), digits) };
}

const digitsOf = (text: string): number => /[.](\d+)/.exec(text)?.[1]?.length ?? 0;

const isTime = (minutes = "00:00", seconds = ":00"): boolean => {
  const [hour, minute, second] = `${minutes}${seconds}`.split(":").map(Number) as [number, number, number];
  return hour < 24 && minute < 60 && second < 60;
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `DECIMAL '…'`, `TIME '…'` and `TIMESTAMP '…'` have as many digits as are written. */
export function typedLiteral(type: TypeName, text: string, at: number): Typed {
  if (type.name === "decimal") {
    const [, whole = "", fraction = ""] = /^[+-]?(\d*)\.?(\d*)$/.exec(text) ?? [];
    const precision = Math.max(1, whole.replace(/^0+/, "").length + fraction.length);
    if (precision > DECIMAL_DIGITS_MAX) throw new Refusal("INVALID_LITERAL", `Invalid decimal literal: ${text}`, at);
    return literalOf(text, decimal(precision, fraction.length), at);
  }
  if (type.name !== "timestamp" && type.name !== "time") return literalOf(text, typeNamed(type), at);
  const digits = digitsOf(text);
  if (digits > DIGITS_MAX) throw unsupported("A second with more than six digits", at);
  if (type.name === "time") return literalOf(text, { kind: "time", digits }, at);
  const isZoned = readMoment(text)?.zone !== undefined;
  return literalOf(text, { kind: isZoned ? "timestamptz" : "timestamp", digits }, at);
}
