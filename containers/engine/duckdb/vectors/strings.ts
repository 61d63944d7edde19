// The strings of a VARCHAR or BLOB vector: their lengths, and their bytes one behind the other.

import duckdb from "@duckdb/node-bindings";
import { release } from "./entries.ts";

/** Each string_t is 16 bytes: length, then up to 12 bytes themselves, or 4 bytes of prefix and an 8-byte pointer. */
export const STRING_BYTES = 16;
export const INLINED_BYTES_MAX = 12;
/** Setting through a view costs more than the bytes of a usual string. */
const LOOPED_BYTES_MAX = 48;

/** Strings of one vector. Valid as long as its chunk is. */
export class Strings {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;

  /** `bytes`: the vector's entries. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  }

  /** Bytes of the string of row `i`; 0 for NULL. */
  length(i: number): number {
    return this.#words[i * 4]!;
  }

  /** Bytes of rows `[from, to)` together. */
  size(from: number, to: number): number {
    const words = this.#words;
    let sum = 0;
    for (let i = from; i < to; i++) sum += words[i * 4]!;
    return sum;
  }

  /** Copies the strings of rows `[from, to)` to `at`, where there must be space for them. Answers where they end. */
  copy(from: number, to: number, into: Uint8Array, at: number): number {
    const words = this.#words;
    for (let i = from; i < to; ) {
      if (words[i * 4]! > INLINED_BYTES_MAX) {
        const end = this.#runEnd(i, to);
        at = this.#copyRun(i, end, into, at);
        i = end;
      } else at = this.#copyInlined(i++, into, at);
    }
    return at;
  }

  #copyInlined(i: number, into: Uint8Array, at: number): number {
    const bytes = this.#bytes;
    const start = i * STRING_BYTES + 4;
    const end = start + this.#words[i * 4]!;
    for (let from = start; from < end; from++) into[at++] = bytes[from]!;
    return at;
  }

  /** The row behind those whose long strings lie end to end from that of `first` on; between them may be short ones. */
  #runEnd(first: number, to: number): number {
    const words = this.#words;
    let low = words[first * 4 + 2]! + words[first * 4]!;
    const high = words[first * 4 + 3]!;
    let end = first + 1;
    for (let i = end; i < to; i++) {
      const length = words[i * 4]!;
      if (length <= INLINED_BYTES_MAX) continue;
      if (words[i * 4 + 2] !== low || words[i * 4 + 3] !== high) break;
      low += length;
      end = i + 1;
    }
    return end;
  }

  /** Copies rows whose long strings are one run of memory: a call into DuckDB for each string costs more than it. */
  #copyRun(first: number, end: number, into: Uint8Array, at: number): number {
    const words = this.#words;
    const run = this.#memoryOf(first, end);
    let from = 0;
    for (let i = first; i < end; ) {
      if (words[i * 4]! <= INLINED_BYTES_MAX) {
        at = this.#copyInlined(i++, into, at);
        continue;
      }
      const start = from;
      for (; i < end && words[i * 4]! > INLINED_BYTES_MAX; i++) from += words[i * 4]!;
      if (from - start > LOOPED_BYTES_MAX) {
        into.set(start === 0 && from === run.length ? run : run.subarray(start, from), at);
        at += from - start;
      } else for (let byte = start; byte < from; byte++) into[at++] = run[byte]!;
    }
    release(run);
    return at;
  }

  #memoryOf(first: number, end: number): Uint8Array {
    const words = this.#words;
    let size = 0;
    for (let i = first; i < end; i++) if (words[i * 4]! > INLINED_BYTES_MAX) size += words[i * 4]!;
    const { buffer, byteOffset } = this.#bytes;
    return duckdb.get_data_from_pointer(buffer, byteOffset + first * STRING_BYTES + 8, size);
  }
}
