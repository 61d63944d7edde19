// A parameter's value as a request brings it, read as what is bound to a statement. Pure.

import { PARAMETER_TYPES, type ParameterType } from "../../kernel/wire/parameter-types.ts";
import type { BoundParameter } from "../../kernel/wire/parameters.ts";

export const PARAMETER_LIMITS = {
  parametersMax: 200,
  /** The values of all lists of a statement: as many as every database takes, and the lake within a second. */
  valuesMax: 2_000,
};

/** `path` leads from the parameter to the value that is wrong. */
export type ParameterFlaw = { path: (string | number)[]; message: string };

/** Bound, or what is wrong with it. */
export type ReadParameter = { parameter: BoundParameter } | { flaw: ParameterFlaw };

type Scalar = string | number | boolean | null;

const EXPECTED: Record<ParameterType, string> = {
  text: "a text",
  integer: "a whole number of 64 bits; in quotes beyond 2^53",
  decimal: 'a number of at most 38 digits, in quotes so that it keeps all of them: "12.50"',
  number: "a finite number",
  boolean: "true or false",
  date: "a date such as 2026-01-31",
  timestamp: "a local time such as 2026-01-31 12:30:00, without a zone",
  timestamptz: "an instant such as 2026-01-31T12:30:00Z, with a zone",
};

/** A value of JSON, a list of them, or `{type, value}`, which says its type. */
export function readParameter(raw: unknown): ReadParameter {
  if (isScalar(raw) || Array.isArray(raw)) return read(raw, undefined, []);
  const { type, value, ...others } = raw as { type?: unknown; value?: unknown };
  if (!PARAMETER_TYPES.includes(type as ParameterType))
    return { flaw: { path: ["type"], message: `Send one of ${PARAMETER_TYPES.join(", ")}.` } };
  const [superfluous] = Object.keys(others);
  if (superfluous !== undefined)
    return { flaw: { path: [superfluous], message: "A parameter has a type and a value." } };
  if (value === undefined) return { flaw: { path: ["value"], message: "The value is missing; NULL is null." } };
  return read(value, type as ParameterType, ["value"]);
}

const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== "object";

function read(value: unknown, type: ParameterType | undefined, path: (string | number)[]): ReadParameter {
  if (!Array.isArray(value)) return readAll([value], { type, isList: false, pathOf: () => path });
  if (value.length === 0 && type === undefined)
    return { flaw: { path, message: 'An empty list needs a type: {"type": "text", "value": []}.' } };
  return readAll(value, { type, isList: true, pathOf: (i) => [...path, i] });
}

type Reading = { type: ParameterType | undefined; isList: boolean; pathOf: (i: number) => (string | number)[] };

function readAll(raw: readonly unknown[], { type: given, isList, pathOf }: Reading): ReadParameter {
  const type = given ?? typeOf(raw);
  const values: (string | null)[] = [];
  for (const [i, value] of raw.entries()) {
    const text = isScalar(value) ? textOf(value, type) : undefined;
    if (text === undefined)
      return { flaw: { path: pathOf(i), message: `Send ${type === "inferred" ? "a text" : EXPECTED[type]}.` } };
    values.push(text);
  }
  return { parameter: { type, isList, values } };
}

/** By the first value that is not null: the others must be of its type. One fraction makes all numbers doubles. */
function typeOf(values: readonly unknown[]): BoundParameter["type"] {
  const first = values.find((value) => value !== null);
  if (typeof first === "boolean") return "boolean";
  if (typeof first !== "number") return "inferred";
  return values.every((value) => typeof value !== "number" || Number.isInteger(value)) ? "integer" : "number";
}

/** The canonical text; undefined for a value that is not of the type. */
function textOf(value: Scalar, type: BoundParameter["type"]): string | null | undefined {
  if (value === null) return null;
  if (typeof value === "boolean") return type === "boolean" ? String(value) : undefined;
  if (typeof value === "number") return NUMERIC.includes(type) && isExact(value, type) ? plain(value, type) : undefined;
  if (!value.isWellFormed()) return undefined;
  return type === "inferred" ? value : FROM_TEXT[type](value);
}

const NUMERIC: readonly BoundParameter["type"][] = ["integer", "decimal", "number"];

const isExact = (value: number, type: BoundParameter["type"]): boolean =>
  type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);

const plain = (value: number, type: BoundParameter["type"]): string | undefined =>
  type === "decimal" ? FROM_TEXT.decimal(String(value)) : type === "number" ? doubleText(value) : String(value);

/** With the sign of zero, which `String` leaves out. */
const doubleText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

/** More than any double needs for all of its digits, but for the smallest. */
const NUMBER_CHARACTERS_MAX = 400;

const FROM_TEXT: Record<ParameterType, (text: string) => string | undefined> = {
  text: (text) => text,
  integer: (text) => (/^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)) ? String(BigInt(text)) : undefined),
  decimal: (text) =>
    /^-?\d{1,38}(\.\d{1,37})?$/.test(text) && text.replace(/\D/g, "").length <= 38 ? text : undefined,
  number: (text) =>
    text.length <= NUMBER_CHARACTERS_MAX &&
    /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) &&
    Number.isFinite(Number(text))
      ? doubleText(Number(text))
      : undefined,
  boolean: (text) => (text === "true" || text === "false" ? text : undefined),
  date: (text) => (DATE.test(text) && isDate(text) ? text : undefined),
  timestamp: (text) => {
    const [, date, time, zone] = TIME.exec(text) ?? [];
    return date && isDate(date) && zone === undefined ? `${date} ${withSeconds(time!)}` : undefined;
  },
  timestamptz: (text) => {
    const [, date, time, zone] = TIME.exec(text) ?? [];
    if (!date || !isDate(date) || zone === undefined) return undefined;
    const [minutes, fraction = ""] = withSeconds(time!).split(".") as [string, string?];
    const instant = new Date(`${date}T${minutes}${zone.length === 3 ? `${zone}:00` : zone}`);
    if (Number.isNaN(instant.getTime())) return undefined;
    const utc = instant.toISOString();
    // Beyond these years the text would have another form.
    if (!/^(?!0000)\d{4}-/.test(utc)) return undefined;
    return `${utc.slice(0, 10)} ${utc.slice(11, 19)}${fraction === "" ? "" : `.${fraction}`}+00:00`;
  },
};

const INT64_MAX = 2n ** 63n - 1n;
const isInt64 = (value: bigint): boolean => value >= -INT64_MAX - 1n && value <= INT64_MAX;

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^((?!0000)\d{4}-\d{2}-\d{2})[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
