// A vector of DuckDB's as memory of ours.

import duckdb, { type Vector } from "@duckdb/node-bindings";
import { hasBit } from "./bits.ts";

/** `bytes` holds an entry of fixed width for each row; `validity` has a bit for each, where any is NULL. */
export type Entries = { bytes: Uint8Array<ArrayBuffer>; validity: Uint8Array | undefined };

/**
 * Gives memory that the binding has copied to back at once. The garbage collector, which is told of each copy, would
 * look for them again and again.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Copies the entries of the first `rows` rows, `width` bytes each. Those of NULLs are zeros: DuckDB leaves there what
 * was in the memory before, which may be what the reader may not see. The bytes begin where any number may.
 */
export function readEntries(vector: Vector, rows: number, width: number): Entries {
  const copied = duckdb.vector_get_data(vector, rows * width);
  const isAligned = copied.byteOffset % 8 === 0 && copied.buffer instanceof ArrayBuffer;
  const bytes = isAligned ? (copied as Uint8Array<ArrayBuffer>) : new Uint8Array(copied);
  // The binding has null where the vector has no mask.
  const mask = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null;
  let hasNull = false;
  for (let row = 0; mask && row < rows; row++) {
    if ((row & 7) === 0 && mask[row >> 3] === 0xff) {
      row += 7;
      continue;
    }
    if (hasBit(mask, row)) continue;
    hasNull = true;
    bytes.fill(0, row * width, (row + 1) * width);
  }
  return { bytes, validity: hasNull ? mask! : undefined };
}
