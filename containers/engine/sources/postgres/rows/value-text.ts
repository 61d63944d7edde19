// PostgreSQL's text of single values made canonical where they stand: no canonical text is longer than what came.

import { protocolViolation } from "../connection/messages.ts";

const SPACE = 0x20,
  PLUS = 0x2b,
  ZERO = 0x30,
  DASH = 0x2d,
  T = 0x54,
  Z = 0x5a,
  BACKSLASH = 0x5c,
  X = 0x78;
const NOTHING = Buffer.alloc(0);

/**
 * `2026-01-31 10:00:00+00` → `2026-01-31T10:00:00Z`, without the `Z` for a timestamp. `infinity` and years BC stay as
 * they are printed. Returns where the text now ends.
 */
export function stampText(bytes: Buffer, from: number, to: number, kind: "timestamp" | "timestamptz"): number {
  if (to === from) protocolViolation("a time is none");
  const first = bytes[from]!;
  // The two infinities, and the C of a closing BC.
  if (first > 0x39 || first === DASH || bytes[to - 1] === 0x43) return to;
  let space = from + 10;
  while (space < to && bytes[space] !== SPACE) space++;
  // `+00`, for the session's zone is UTC.
  const zone = kind === "timestamp" ? to : to - 3;
  if (space >= zone) protocolViolation("a time is none");
  bytes[space] = T;
  if (kind === "timestamp") return to;
  if (bytes[zone] !== PLUS || bytes[zone + 1] !== ZERO || bytes[zone + 2] !== ZERO)
    protocolViolation("a time is not in the session's zone");
  bytes[zone] = Z;
  return zone + 1;
}

/** `\x6162` → base64. Returns where the text now ends. */
export function binaryText(bytes: Buffer, from: number, to: number): number {
  const decoded =
    bytes[from] === BACKSLASH && bytes[from + 1] === X
      ? Buffer.from(bytes.toString("latin1", from + 2, to), "hex")
      : NOTHING;
  if (decoded.length * 2 !== to - from - 2) protocolViolation("a value's bytes are none");
  return from + bytes.write(decoded.toString("base64"), from, "latin1");
}

/** `6162` as base64, which is longer where there is one byte. */
export function hexText(bytes: Buffer, from: number, to: number): string {
  const decoded = Buffer.from(bytes.toString("latin1", from, to), "hex");
  if (decoded.length * 2 !== to - from) protocolViolation("a value's bytes are none");
  return decoded.toString("base64");
}

/** The bytes of a float as the shortest text that reads back as the same. */
export function floatText(bytes: Buffer, from: number, to: number, form: "float4" | "float8"): string {
  if (to - from !== (form === "float4" ? 4 : 8)) protocolViolation("a float has another length than its type");
  const value = form === "float4" ? bytes.readFloatBE(from) : bytes.readDoubleBE(from);
  if (Object.is(value, -0)) return "-0";
  return form === "float4" && Number.isFinite(value) ? shortestFloat4(value) : String(value);
}

/** Nine digits tell any two of them apart. */
function shortestFloat4(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/** Line breaks in the text of a `json` column stand between tokens only: a space says the same. */
export function jsonText(bytes: Buffer, from: number, to: number): void {
  for (let i = from; i < to; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) bytes[i] = SPACE;
}
