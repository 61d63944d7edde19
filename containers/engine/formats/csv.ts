// A result as CSV: RFC 4180 with lines ending in LF, a header row, NULL as nothing and the empty string as `""`.
// A row of one NULL alone is an empty line, as in PostgreSQL's COPY.

import { Output } from "./output.ts";
import type { RowWriter, WriterOptions } from "./result.ts";

export function createCsvWriter({ columns }: WriterOptions): RowWriter {
  const out = new Output();
  columns.forEach(({ name }, i) => {
    if (i > 0) out.byte(COMMA);
    const bytes = Buffer.from(name);
    putCell(out, bytes, 0, bytes.length);
  });
  out.byte(LF);

  return {
    write({ bytes, starts, ends }) {
      for (let i = 0; i < columns.length; i++) {
        if (i > 0) out.byte(COMMA);
        const end = ends[i]!;
        if (end >= 0) putCell(out, bytes, starts[i]!, end);
      }
      out.byte(LF);
      return true;
    },
    get pending() {
      return out.length;
    },
    take: () => out.take(),
    end: () => out.take(),
  };
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const LF = 0x0a;
/** 1 for the bytes a bare cell can't hold. */
const SPECIAL = new Uint8Array(256);
for (const byte of [COMMA, QUOTE, LF, 0x0d]) SPECIAL[byte] = 1;

function putCell(out: Output, from: Uint8Array, start: number, end: number): void {
  out.reserve(end - start + 2);
  const at = out.length;
  let { bytes, length } = out;
  for (let i = start; i < end; i++) {
    const byte = from[i]!;
    if (SPECIAL[byte] === 1) return putQuoted(out, from, start, end);
    bytes[length++] = byte;
  }
  if (length === at) {
    bytes[length++] = QUOTE;
    bytes[length++] = QUOTE;
  }
  out.length = length;
}

function putQuoted(out: Output, from: Uint8Array, start: number, end: number): void {
  let quotes = 0;
  for (let i = start; i < end; i++) if (from[i] === QUOTE) quotes++;
  out.reserve(end - start + quotes + 2);
  let { bytes, length } = out;
  bytes[length++] = QUOTE;
  for (let i = start; i < end; i++) {
    const byte = from[i]!;
    bytes[length++] = byte;
    if (byte === QUOTE) bytes[length++] = QUOTE;
  }
  bytes[length++] = QUOTE;
  out.length = length;
}
