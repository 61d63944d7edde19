// Texts that are values of a type, as in `DATE '2024-02-29'`, or in a cast of one.

import { carriedNamed } from "../../carried-types.ts";
import { Refusal, unsupported } from "../../refusal.ts";
import type { TypeName } from "../../parse/tree.ts";
import { decimal, DECIMAL_DIGITS_MAX, isInteger, nameOf, VARCHAR, type Type } from "../../trino-types.ts";
import { castTo, textLiteral, type Typed } from "../typed.ts";
import { atZone, isFixed, zoneNamed, type OfTwo } from "../zones.ts";
import { carriedLiteral, isBeforeChanges } from "./carried-literals.ts";
import { dayOf, digitsOf, readMoment, readTime } from "./clocks.ts";
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
        ? /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
        : /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
    if (!form.test(text)) throw invalid();
    return { sql: castTo(textLiteral(text), type), type, at };
  }
  if (type.kind === "uuid" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    return { sql: castTo(textLiteral(text), type), type, at };
  const day = type.kind === "date" ? dayOf(text) : undefined;
  if (day !== undefined) return { sql: castTo(textLiteral(day), type), type, at };
  if (type.kind === "carried") return carriedLiteral(text, type, at);
  const { clock, zone } = (type.kind === "time" ? readTime(text) : readMoment(text)) ?? {};
  if (clock === undefined || digitsOf(clock) > DIGITS_MAX || !("digits" in type)) throw invalid();
  if (type.kind === "timestamp" && zone === undefined)
    return { sql: withDigits(castTo(textLiteral(clock), type), digitsOf(clock), type.digits), type, at };
  if (type.kind === "timestamptz" && zone !== undefined) return momentOf(text, { clock, zone }, type, at);
  if (type.kind === "time" && zone === undefined && digitsOf(clock) <= type.digits)
    return { sql: castTo(textLiteral(clock), type), type, at };
  throw invalid();
}

/** A moment in the years of which the clocks of places are not compared is carried as it is written. */
function momentOf(text: string, { clock, zone }: { clock: string; zone: string }, type: ZonedType, at: number): Typed {
  const isOfPlace = !isFixed({ ...type, zone: zoneNamed(zone, at) });
  if (isOfPlace && isBeforeChanges(clock) && digitsOf(clock) <= type.digits)
    return carriedLiteral(text, { kind: "carried", name: "timestamp with time zone", size: type.digits }, at);
  return zoned(clock, zone, { digits: type.digits, ofTwo: "earlier" }, at);
}

type ZonedType = Extract<Type, { kind: "timestamptz" }>;

/** The moment at which the clocks of a zone, as it is written, show a time. */
export function zoned(
  clock: string,
  zone: string,
  { digits, ofTwo }: { digits: number; ofTwo?: OfTwo },
  at: number,
): Typed {
  const text: Typed = { sql: textLiteral(clock), type: VARCHAR, at };
  const moment = atZone(text, digits, zoneNamed(zone, at), ofTwo);
  return { ...moment, sql: withDigits(moment.sql, digitsOf(clock), digits) };
}

/** `DECIMAL '…'`, `TIME '…'` and `TIMESTAMP '…'` have as many digits as are written. */
export function typedLiteral(type: TypeName, text: string, at: number): Typed {
  if (type.name === "decimal") {
    const [, whole = "", fraction = ""] = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
    const precision = Math.max(1, whole.replace(/^0+/, "").length + fraction.length);
    if (precision > DECIMAL_DIGITS_MAX) throw new Refusal("INVALID_LITERAL", `Invalid decimal literal: ${text}`, at);
    return literalOf(text, decimal(precision, fraction.length), at);
  }
  if (type.name === "char") return literalOf(text, charOf(text, at), at);
  const read = Object.hasOwn(CLOCKS, type.name) ? CLOCKS[type.name]! : undefined;
  if (!read) return literalOf(text, typeNamed(type), at);
  const { clock = "", zone } = read(text) ?? {};
  const name = zone === undefined ? type.name : `${type.name} with time zone`;
  return literalOf(text, typeNamed({ ...type, name, args: [digitsOf(clock)] }), at);
}

/** Trino counts halves of characters here, and fills up with blanks. */
function charOf(text: string, at: number): Type {
  if (text === "") return { kind: "carried", name: "char", size: 0 };
  const char = carriedNamed("char", [text.length]);
  if (!char) throw unsupported("A char of so many characters", at);
  return char;
}

const CLOCKS: Record<string, typeof readTime> = { time: readTime, timestamp: readMoment };
