// The strings of a VARCHAR or BLOB vector: their lengths, and their bytes one behind the other.

import duckdb from "@duckdb/node-bindings";
import { release } from "./entries.ts";

/** Each string_t is 16 bytes: length, then up to 12 bytes themselves, or 4 bytes of prefix and an 8-byte pointer. */
export const STRING_BYTES = 16;
export const INLINED_BYTES_MAX = 12;
/** Setting a part of an array costs more than writing so many bytes, four at a time. */
const LOOPED_BYTES_MAX = 128;
/** Strings are copied four bytes at a time, so that up to so many bytes behind the last are written over. */
export const OVERRUN_BYTES = 4;

/** Memory that strings are copied to. */
type Target = { readonly bytes: Uint8Array; readonly view: DataView };

/** Strings of one vector. Valid as long as its chunk is. */
export class Strings {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  /** The rows that {@link size} was asked for last. */
  #sized = { from: 0, to: 0, bytes: 0 };

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
    if (this.#sized.from === from && this.#sized.to === to) return this.#sized.bytes;
    const words = this.#words;
    let bytes = 0;
    for (let i = from; i < to; i++) bytes += words[i * 4]!;
    this.#sized = { from, to, bytes };
    return bytes;
  }

  /**
   * Copies the strings of rows `[from, to)` to `at`, where there must be space for them and for {@link OVERRUN_BYTES}.
   * Answers where they end.
   */
  copy(from: number, to: number, into: Target, at: number): number {
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

  #copyInlined(i: number, { view }: Target, at: number): number {
    const words = this.#words;
    const word = i * 4;
    const length = words[word]!;
    if (length === 0) return at;
    view.setUint32(at, words[word + 1]!, true);
    if (length > 4) view.setUint32(at + 4, words[word + 2]!, true);
    if (length > 8) view.setUint32(at + 8, words[word + 3]!, true);
    return at + length;
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
  #copyRun(first: number, end: number, into: Target, at: number): number {
    const words = this.#words;
    const run = this.#memoryOf(first, end);
    const source = new DataView(run.buffer, run.byteOffset, run.byteLength);
    let from = 0;
    for (let i = first; i < end; ) {
      if (words[i * 4]! <= INLINED_BYTES_MAX) {
        at = this.#copyInlined(i++, into, at);
        continue;
      }
      let start = from;
      for (; i < end && words[i * 4]! > INLINED_BYTES_MAX; i++) from += words[i * 4]!;
      if (from - start > LOOPED_BYTES_MAX) {
        into.bytes.set(start === 0 && from === run.length ? run : run.subarray(start, from), at);
        at += from - start;
        continue;
      }
      for (; start + 4 <= from; start += 4, at += 4) into.view.setUint32(at, source.getUint32(start, true), true);
      for (; start < from; start++) into.bytes[at++] = run[start]!;
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
