// The protocol's values become canonical text, type by type, as DuckDB prints them. A value that has not the form of
// its type ends the reading: no value is guessed at.

import { Failure } from "../../core/failure.ts";
import { isJson } from "../../sources/json-syntax.ts";
import { protocolViolation } from "../connection/errors.ts";
import { isClock, isScalar, type ClusterType, type Clock, type Scalar } from "./cluster-types.ts";

/** A value's canonical text; undefined where the value has not the type's form. */
type ReadText = (value: unknown) => string | undefined;

/** The reader of a type that holds no others. Throws a Failure for a value that is none of the type's. */
export function textReader(type: ClusterType): (value: unknown) => string {
  const read = readerOf(type);
  return (value) => read(value) ?? protocolViolation(`a value has not the form of its type ${type.kind}`);
}

function readerOf(type: ClusterType): ReadText {
  if (type.kind === "decimal") return decimalReader(type.scale);
  if (isClock(type)) return clockReader(type.kind, type.digits);
  return isScalar(type) ? SCALARS[type.kind] : () => undefined;
}

const wholeWithin =
  (max: bigint): ReadText =>
  (value) => {
    if (typeof value !== "number" && typeof value !== "string") return undefined;
    const text = Object.is(value, -0) ? "0" : String(value);
    if (!/^-?\d{1,19}$/.test(text)) return undefined;
    const number = BigInt(text);
    return number <= max && number >= -max - 1n ? text : undefined;
  };

const matching =
  (form: RegExp): ReadText =>
  (value) =>
    typeof value === "string" && form.test(value) ? value : undefined;

const SCALARS: Record<Scalar, ReadText> = {
  boolean: (value) => (typeof value === "boolean" ? String(value) : undefined),
  tinyint: wholeWithin(0x7fn),
  smallint: wholeWithin(0x7fffn),
  integer: wholeWithin(0x7fff_ffffn),
  bigint: wholeWithin(0x7fff_ffff_ffff_ffffn),
  real: floatText,
  double: floatText,
  date: (value) => (typeof value === "string" ? dateText(value) : undefined),
  varchar: (value) => (typeof value === "string" ? value : undefined),
  varbinary: (value) =>
    typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? value : undefined,
  uuid: matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  json: jsonText,
  unknown: () => undefined,
};

function decimalReader(scale: number): ReadText {
  const form = scale === 0 ? /^-?\d{1,38}$/ : new RegExp(`^-?\\d{1,38}\\.\\d{${scale}}$`);
  return matching(form);
}

const WORDS = ["NaN", "Infinity", "-Infinity"];

/**
 * A double is printed as DuckDB prints it: by its shortest digits, with a point, and with an exponent from 10^16 and
 * below 10^-4.
 */
function floatText(value: unknown): string | undefined {
  if (typeof value === "string" && WORDS.includes(value)) return value;
  const number =
    typeof value === "number" ? value : typeof value === "string" && NUMBER.test(value) ? Number(value) : NaN;
  if (!Number.isFinite(number)) return undefined;
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const [digits = "", power = "0"] = Math.abs(number).toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const written = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${written}`;
  }
  const plain = Math.abs(number).toString();
  return sign + (plain.includes(".") ? plain : `${plain}.0`);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Trino counts years astronomically, DuckDB has them before Christ. */
function dateText(text: string): string | undefined {
  const [, sign = "", year, rest] = /^([+-]?)(\d{4,7})(-\d\d-\d\d)$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const number = sign === "-" ? -Number(year) : Number(year);
  const shown = (value: number): string => String(value).padStart(4, "0") + rest!;
  return number > 0 ? shown(number) : `${shown(1 - number)} (BC)`;
}

function clockReader(kind: Clock, digits: number): ReadText {
  const fraction = digits === 0 ? "" : `\\.\\d{${digits}}`;
  const clock = `\\d\\d:\\d\\d:\\d\\d${fraction}`;
  if (kind === "time") {
    const form = new RegExp(`^${clock}$`);
    return (value) => (typeof value === "string" && form.test(value) ? withoutZeros(value) : undefined);
  }
  const zone = kind === "timestamp" ? "" : " (\\S{1,64})";
  const form = new RegExp(`^([+-]?\\d{4,7}-\\d\\d-\\d\\d) (${clock})${zone}$`);
  return (value) => {
    const [, day, time, zoneName = "UTC"] = (typeof value === "string" && form.exec(value)) || [];
    const date = day === undefined ? undefined : dateText(day);
    if (date === undefined) return undefined;
    if (zoneName !== "UTC") throw inZone(zoneName);
    const [years, era = ""] = date.split(" ");
    const text = `${years}T${withoutZeros(time!)}${era && ` ${era}`}`;
    return kind === "timestamp" ? text : `${text}Z`;
  };
}

const inZone = (zone: string): Failure =>
  new Failure(
    "sql_error",
    `A moment is shown in the zone ${zone}, and moments are given in UTC here. Write AT TIME ZONE 'UTC' behind it.`,
  );

/** A fraction without the zeros at its end, and without its point where nothing is left. */
const withoutZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

function jsonText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const bytes = Buffer.from(value);
  return isJson(bytes, 0, bytes.length) ? value.replace(/[\n\r\t]/g, " ") : undefined;
}
