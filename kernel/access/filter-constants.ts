// The values of row filters as constants of a column's type: read here, once for every database, so that none of them
// guesses or rounds. Pure.

import type { Order } from "./filter-grammar.ts";

/**
 * `scale`: how many digits it has behind the point, of whole numbers none. `min` and `max` count in units of the last
 * of them.
 */
export type NumberType = { kind: "number"; scale: number | "any" | "float" | "double"; min?: bigint; max?: bigint };

/**
 * Instants count from 1970 in UTC, with or without a zone. `years`: the first and the last year that the type holds
 * completely.
 */
export type InstantType = { kind: "instant"; years?: readonly [number, number] };

/** A filter's view of a column's type. A column of `other` types can only be tested for having a value. */
export type FilterType = { kind: "text" | "boolean" | "uuid" | "date" | "other" } | NumberType | InstantType;

const MICROSECONDS_PER_DAY = 86_400_000_000n;
const TEXT_CHARACTERS_MAX = 10_000;
const DIGITS_MAX = 400;
const EXPONENT_MAX = 999;

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]00:?00)?)?$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** The constant that `value` is equal to; undefined where a column of the type holds nothing that equals it. */
export function equalConstant(type: FilterType, value: string): string | undefined {
  if (type.kind === "number") return numberConstant(type, value)?.exact;
  if (type.kind === "text") return isPlainText(value) ? value : undefined;
  if (type.kind === "boolean") return readBoolean(value)?.toString();
  if (type.kind === "uuid") return UUID.test(value) ? value.toLowerCase() : undefined;
  const instant = instantOf(value);
  if (instant === undefined) return undefined;
  if (type.kind === "instant") return instantText(type, instant.from);
  return type.kind === "date" && instant.from % MICROSECONDS_PER_DAY === 0n ? dayText(instant.from) : undefined;
}

/** Undefined for texts that are neither true nor false. */
export const readBoolean = (value: string): boolean | undefined => BOOLEANS.get(value.toLowerCase());

/** A text that every database can search for; undefined for an empty one, which nobody would mean. */
export const partConstant = (type: FilterType, value: string): string | undefined =>
  type.kind === "text" && value !== "" && isPlainText(value) ? value : undefined;

/** Whether all databases keep the text as it is: some end a text at its first zero, and none holds half a character. */
const isPlainText = (value: string): boolean =>
  value.length <= TEXT_CHARACTERS_MAX && !value.includes("\0") && value.isWellFormed();

export type Bound = { op: Order; constant: string };

/** The comparison that a number or an instant has to satisfy; undefined where the type can't express it. */
export function boundOf(type: FilterType, op: Order, value: string): Bound | undefined {
  if (type.kind === "date" || type.kind === "instant") {
    const instant = instantOf(value);
    return instant && instantBound(type, op, instant.from);
  }
  const number = type.kind === "number" ? numberConstant(type, value) : undefined;
  if (!number) return undefined;
  // The bound lies between two neighbours of the type: an integer less than 1.5 is at most 1.
  if (number.exact === undefined) return { op: op.startsWith("<") ? "<=" : ">", constant: number.floor };
  return { op, constant: number.exact };
}

/** A day, from its first instant to that of the next day, or an instant with a time of day. */
export type Instant = { from: bigint; until: bigint; isDay: boolean };

/**
 * Reads a day or an instant, in microseconds since 1970, UTC. Undefined for other texts, and outside the years 1 to
 * 9999.
 */
export function instantOf(value: string): Instant | undefined {
  const [, day, minute, second = "00", fraction = ""] = INSTANT.exec(value) ?? [];
  if (day === undefined || day < "0001") return undefined;
  const at = new Date(`${day}T${minute ?? "00:00"}:${second}Z`);
  // This refuses the 31st of February and leap seconds.
  if (Number.isNaN(at.getTime()) || at.toISOString() !== `${day}T${minute ?? "00:00"}:${second}.000Z`) return undefined;
  const from = BigInt(at.getTime()) * 1_000n + BigInt(fraction.padEnd(6, "0"));
  const isDay = minute === undefined;
  return { from, until: isDay ? from + MICROSECONDS_PER_DAY : from, isDay };
}

/** A day stands for its first instant. */
export function instantBound(type: FilterType, op: Order, at: bigint): Bound | undefined {
  if (type.kind === "instant") return writtenBound(op, instantText(type, at));
  if (type.kind !== "date") return undefined;
  const past = ((at % MICROSECONDS_PER_DAY) + MICROSECONDS_PER_DAY) % MICROSECONDS_PER_DAY;
  const day = dayText(at - past);
  return writtenBound(past === 0n ? op : op.startsWith("<") ? "<=" : ">", day);
}

const writtenBound = (op: Order, constant: string | undefined): Bound | undefined =>
  constant === undefined ? undefined : { op, constant };

/** Undefined for the first instant past the year 9999. */
const instantText = (
  { years: [first, last] = [1, 9999] }: Pick<InstantType, "years">,
  at: bigint,
): string | undefined => {
  const fraction = ((at % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const instant = new Date(Number((at - fraction) / 1_000n));
  if (instant.getUTCFullYear() < first || instant.getUTCFullYear() > last) return undefined;
  const text = instant.toISOString();
  const digits = fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`;
  return `${text.slice(0, 10)} ${text.slice(11, 19)}${digits}`;
};

const dayText = (at: bigint): string | undefined => instantText({}, at)?.slice(0, 10);

/** `exact`: the number itself, where the type holds it. `floor`: the next one below that it holds. */
type NumberConstant = { exact: string | undefined; floor: string };

function numberConstant({ scale, min, max }: NumberType, value: string): NumberConstant | undefined {
  const parts = readNumber(value);
  if (!parts || Math.abs(parts.exponent ?? 0) > EXPONENT_MAX) return undefined;
  if (scale === "float" || scale === "double") {
    const number = Number(value);
    const fits = Number.isFinite(scale === "float" ? Math.fround(number) : number);
    return fits ? { exact: String(number), floor: String(number) } : undefined;
  }
  const digits = scale === "any" ? Math.max(0, parts.fraction.length - (parts.exponent ?? 0)) : scale;
  const scaled = scaledOf(parts, digits);
  if (!scaled || (min !== undefined && scaled.floor < min) || (max !== undefined && scaled.floor > max))
    return undefined;
  const floor = decimalText(scaled.floor, digits);
  return { exact: scaled.isExact ? floor : undefined, floor };
}

/** The digits before and after a number's point, and its exponent where it is written with one. */
export type NumberParts = { isNegative: boolean; whole: string; fraction: string; exponent: number | undefined };

/** Reads a number, with blanks around it; undefined for other texts. */
export function readNumber(value: string): NumberParts | undefined {
  const [matched, sign, whole = "", fraction = "", exponent] = NUMBER.exec(value.trim()) ?? [];
  if (matched === undefined || whole + fraction === "") return undefined;
  return { isNegative: sign === "-", whole, fraction, exponent: exponent === undefined ? undefined : Number(exponent) };
}

/** The number times ten to the `scale`. */
function scaledOf(
  { isNegative, whole, fraction, exponent = 0 }: NumberParts,
  scale: number,
): { floor: bigint; isExact: boolean } | undefined {
  const shift = exponent + scale - fraction.length;
  const digits = whole + fraction;
  if (digits.length + Math.abs(shift) > DIGITS_MAX) return undefined;
  const [kept, rest] =
    shift >= 0
      ? [digits + "0".repeat(shift), ""]
      : [digits.slice(0, Math.max(0, digits.length + shift)), digits.slice(Math.max(0, digits.length + shift))];
  const isExact = /^0*$/.test(rest);
  const size = BigInt(kept === "" ? "0" : kept);
  return { floor: isNegative ? -size - (isExact ? 0n : 1n) : size, isExact };
}

function decimalText(scaled: bigint, scale: number): string {
  if (scale === 0) return String(scaled);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, "0");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
