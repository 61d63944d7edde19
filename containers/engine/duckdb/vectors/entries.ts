// A vector of DuckDB's as our own memory.

import duckdb, { type Vector } from "@duckdb/node-bindings";
import { hasBit } from "./bits.ts";

/** A bit for each row, 0 for NULL; undefined where no row is NULL. */
export type Validity = Uint8Array | undefined;

/**
 * Frees the memory of a copy that the binding made. The garbage collector, which is told of each copy, would otherwise
 * run again and again.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * The rows among the first `rows` that have a value; rows that `within` lacks, as something around them is NULL, have
 * none.
 */
export function readValidity(vector: Vector, rows: number, within: Validity): Validity {
  // The binding has null where the vector has no mask.
  const mask = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null;
  if (!mask) return within;
  if (within) for (let i = 0; i < mask.length; i++) mask[i]! &= within[i]!;
  if (within || hasZero(mask, rows)) return mask;
  release(mask);
  return undefined;
}

function hasZero(mask: Uint8Array, rows: number): boolean {
  const whole = rows >> 3;
  for (let i = 0; i < whole; i++) if (mask[i] !== 0xff) return true;
  const rest = (1 << (rows & 7)) - 1;
  return rest > 0 && (mask[whole]! & rest) !== rest;
}

/**
 * Copies the entries of the first `rows` rows, `width` bytes each. The entries of NULLs are zeros: DuckDB leaves there
 * what was in the memory before, which may be what the reader may not see. The bytes begin where any number may.
 */
export function readEntries(vector: Vector, rows: number, width: number, validity: Validity): Uint8Array<ArrayBuffer> {
  const copied = duckdb.vector_get_data(vector, rows * width);
  const isAligned = copied.byteOffset % 8 === 0 && copied.buffer instanceof ArrayBuffer;
  const bytes = isAligned ? (copied as Uint8Array<ArrayBuffer>) : new Uint8Array(copied);
  if (!validity) return bytes;
  for (let row = 0; row < rows; row++) {
    if ((row & 7) === 0 && validity[row >> 3] === 0xff) row += 7;
    else if (!hasBit(validity, row)) bytes.fill(0, row * width, (row + 1) * width);
  }
  return bytes;
}
