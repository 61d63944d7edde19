// UUIDs as text, as DuckDB keeps them.

import type { VectorColumn } from "../vector-column.ts";
import { invalidValue } from "./invalid-value.ts";

const MINUS = 0x2d,
  ZERO = 0x30,
  NINE = 0x39;

/** `123e4567-e89b-12d3-a456-426655440000`, as a number whose order is the uuids'. */
export function putUuid(to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
  if (length !== 36) invalidValue();
  let entry = row * 16 + 15;
  for (let i = at; i < at + 36; i += 2) {
    const offset = i - at;
    if (offset === 8 || offset === 13 || offset === 18 || offset === 23) {
      if (bytes[i] !== MINUS) invalidValue();
      i++;
    }
    to.u8[entry--] = (digitOf(bytes[i]!) << 4) | digitOf(bytes[i + 1]!);
  }
  to.u8[row * 16 + 15]! ^= 0x80;
}

function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : invalidValue();
}
