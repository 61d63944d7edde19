// Cells as MySQL sends them, packed into rows of canonical text.

import { Failure } from "../../../core/failure.ts";
import type { Row } from "../../../formats/result.ts";
import { isJson } from "../../json-syntax.ts";
import type { Conversion, ResultColumn } from "./column-types.ts";
import { protocolViolation } from "../connection/packets.ts";

/** Broken JSON past this is refused, for it takes several times its bytes as a string. */
const BROKEN_JSON_BYTES_MAX = 16 * 1024 * 1024;

/** Takes a row's cells in order; `row` then holds them until `start` is called again. */
export type RowPacker = {
  row: Row;
  start(): void;
  put(index: number, from: Uint8Array, start: number, end: number): void;
  putNull(index: number): void;
};

export function createRowPacker(columns: ResultColumn[]): RowPacker {
  let bytes = Buffer.allocUnsafeSlow(16 * 1024);
  let used = 0;
  const row: Row = { bytes, starts: new Int32Array(columns.length), ends: new Int32Array(columns.length) };
  const conversions = columns.map(({ conversion }) => CONVERSIONS[conversion]);

  const reserve = (more: number) => {
    if (used + more <= bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(used + more, bytes.length * 2));
    bytes.copy(grown, 0, 0, used);
    row.bytes = bytes = grown;
  };

  return {
    row,
    start() {
      used = 0;
    },
    put(index, from, start, end) {
      const convert = conversions[index];
      if (convert === "json") {
        from = validJson(from, start, end);
        start = 0;
        end = from.length;
      }
      reserve((end - start) * GROWTH_MAX + 32);
      row.starts[index] = used;
      used =
        typeof convert === "function" ? convert(bytes, used, from, start, end) : copy(bytes, used, from, start, end);
      row.ends[index] = used;
    },
    putNull(index) {
      row.starts[index] = used;
      row.ends[index] = -1;
    },
  };
}

/** Writes a converted cell at `at` and returns where it ends. At most twice the cell's bytes plus 32. */
type Convert = (into: Buffer, at: number, from: Uint8Array, start: number, end: number) => number;
const GROWTH_MAX = 2;

function copy(into: Buffer, at: number, from: Uint8Array, start: number, end: number): number {
  if (end - start > 48) {
    into.set(from.subarray(start, end), at);
    return at + end - start;
  }
  for (let i = start; i < end; i++) into[at++] = from[i]!;
  return at;
}

const CONVERSIONS: Record<Conversion, Convert | "none" | "json"> = {
  none: "none",
  time: copyTime,
  datetime: (into, at, from, start, end) => copyDatetime(into, at, from, start, end, false),
  instant: (into, at, from, start, end) => copyDatetime(into, at, from, start, end, true),
  bits: putBits,
  base64: putBase64,
  json: "json",
};

const ZERO_DAY = Buffer.from("0000-00-00");

/**
 * `2026-01-31 10:00:00.500000` becomes `2026-01-31T10:00:00.5`, with a Z where it is an instant. A zero date stays as
 * it is.
 */
function copyDatetime(
  into: Buffer,
  at: number,
  from: Uint8Array,
  start: number,
  end: number,
  isInstant: boolean,
): number {
  if (ZERO_DAY.compare(from, start, Math.min(end, start + 10)) === 0) return copy(into, at, from, start, end);
  const after = copyTime(into, at, from, start, end);
  if (end - start > 10) into[at + 10] = 0x54; // T
  if (!isInstant) return after;
  into[after] = 0x5a; // Z
  return after + 1;
}

/** A fraction loses the zeros its column's precision put at its end. */
function copyTime(into: Buffer, at: number, from: Uint8Array, start: number, end: number): number {
  let last = end;
  if (from.subarray(start, end).includes(0x2e)) {
    while (from[last - 1] === 0x30) last--;
    if (from[last - 1] === 0x2e) last--;
  }
  return copy(into, at, from, start, last);
}

/** Up to eight bytes, highest first, as the number they are. */
function putBits(into: Buffer, at: number, from: Uint8Array, start: number, end: number): number {
  if (end - start > 8) protocolViolation("bits are more than 64");
  let value = 0n;
  for (let i = start; i < end; i++) value = (value << 8n) | BigInt(from[i]!);
  return at + into.write(value.toString(), at, "latin1");
}

function putBase64(into: Buffer, at: number, from: Uint8Array, start: number, end: number): number {
  const text = Buffer.from(from.buffer, from.byteOffset + start, end - start).toString("base64");
  return at + into.write(text, at, "latin1");
}

/**
 * MariaDB's JSON is text that is checked only on writing, and an aggregate may cut it short. Text that does not parse
 * becomes a JSON string.
 */
function validJson(from: Uint8Array, start: number, end: number): Uint8Array {
  if (isJson(from, start, end)) return from.subarray(start, end);
  if (end - start > BROKEN_JSON_BYTES_MAX)
    throw new Failure(
      "resources_exceeded",
      `A value of more than ${BROKEN_JSON_BYTES_MAX / 1024 / 1024} MiB was declared as JSON and is none. ` +
        "Read it as text: CAST it AS CHAR.",
    );
  return Buffer.from(JSON.stringify(Buffer.from(from.buffer, from.byteOffset + start, end - start).toString()));
}
