// Bounds of columns in Iceberg's single-value serialization. A text that can't be turned into a value exactly gives no
// bound: a wrong one would lose rows. Pure. https://iceberg.apache.org/spec/#binary-single-value-serialization

import { decimalDigits, SCALAR_TYPES, type ScalarName } from "../../../../kernel/lake/lake-types.ts";
import { icebergType } from "./column-types.ts";

/** Longer texts prune little, and writers may have cut them. */
export const BOUND_BYTES_MAX = 128;

type Encode = (text: string) => Uint8Array | undefined;

/** The bound of a column of a DuckLake type, from DuckLake's text of it. */
export function encodeBound(lakeType: string, text: string): Uint8Array | undefined {
  const scale = decimalDigits(lakeType)?.scale;
  if (scale !== undefined) return encodeDecimal(text, scale);
  const type =
    Object.hasOwn(SCALAR_TYPES, lakeType) && icebergType({ type: lakeType as ScalarName, children: [] }, "full");
  return typeof type === "string" ? ENCODERS[type]?.(text) : undefined;
}

/** Types that are missing have no bounds: floats for their NaNs, the others for texts that say too little. */
const ENCODERS: Readonly<Record<string, Encode>> = {
  boolean: (text) => {
    const value = { true: 1, "1": 1, false: 0, "0": 0 }[text];
    return value === undefined ? undefined : Uint8Array.of(value);
  },
  int: (text) => {
    const value = wholeNumber(text);
    return value === undefined ? undefined : int32(Number(value));
  },
  long: (text) => {
    const value = wholeNumber(text);
    return value === undefined ? undefined : int64(value);
  },
  date: (text) => {
    const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
    return Number.isNaN(ms) ? undefined : int32(ms / 86_400_000);
  },
  timestamp: encodeInstant,
  timestamptz: encodeInstant,
  string: (text) => {
    const bytes = new TextEncoder().encode(text);
    return bytes.length <= BOUND_BYTES_MAX && text.isWellFormed() ? bytes : undefined;
  },
};

const wholeNumber = (text: string): bigint | undefined => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined);

const INSTANT = /^(?<date>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d{1,6}))?(?:\+00(?::00)?)?$/;

/** Microseconds since 1970. Years of other than four digits, infinities and other offsets have no bound. */
function encodeInstant(text: string): Uint8Array | undefined {
  const { date, time, fraction = "" } = INSTANT.exec(text)?.groups ?? {};
  const ms = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(ms) ? undefined : int64(BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, "0")));
}

/** The unscaled value, big-endian in two's complement, in as few bytes as hold it. */
function encodeDecimal(text: string, scale: number): Uint8Array | undefined {
  const {
    sign,
    whole = "",
    fraction = "",
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/.exec(text)?.groups ?? {};
  if (sign === undefined || fraction.length > scale) return undefined;
  const unscaled = BigInt(sign + whole + fraction.padEnd(scale, "0"));
  const bytes: number[] = [];
  for (let left = unscaled; ; left >>= 8n) {
    bytes.unshift(Number(left & 255n));
    const isNegative = bytes[0]! >= 128;
    if ((left >> 8n === 0n && !isNegative) || (left >> 8n === -1n && isNegative)) return Uint8Array.from(bytes);
  }
}

function int32(value: number): Uint8Array | undefined {
  if ((value | 0) !== value) return undefined;
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

function int64(value: bigint): Uint8Array | undefined {
  if (BigInt.asIntN(64, value) !== value) return undefined;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, true);
  return bytes;
}
