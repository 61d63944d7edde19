// The strings of a VARCHAR or BLOB vector: their lengths, and their bytes one behind the other.

import duckdb from "@duckdb/node-bindings";
import { release } from "./entries.ts";

/** Each string_t is 16 bytes: length, then up to 12 bytes themselves, or 4 bytes of prefix and an 8-byte pointer. */
export const STRING_BYTES = 16;
export const INLINED_BYTES_MAX = 12;
/** Setting a part of an array costs more than writing so many bytes, four at a time. */
const STEPPED_BYTES_MAX = 128;
const STEP_BYTES = 4;
/** A short string is written with all bytes that its entry has for one: up to so many behind it are written over. */
export const OVERRUN_BYTES = INLINED_BYTES_MAX;
/** Where short strings are put end to end: writes to one view that stays the same take half the time. */
const SHORT_ROWS_MAX = 2048;
const short = new Uint8Array(SHORT_ROWS_MAX * INLINED_BYTES_MAX);
const shortView = new DataView(short.buffer);

/** Memory that strings are copied to. */
type Target = { readonly bytes: Uint8Array; readonly view: DataView };

/** `longBytes`: of the strings that are not in their entries. */
type Size = { from: number; to: number; bytes: number; longBytes: number };

/**
 * Rows up to `end` whose long strings, `size` bytes from that of row `first` on, lie end to end in DuckDB's memory;
 * between them may be short ones. A call into DuckDB for each string costs more than its copy.
 */
type Run = { end: number; first: number; size: number };

/** Strings of one vector. Valid as long as its chunk is. */
export class Strings {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  /** What was measured last. */
  #size: Size = { from: 0, to: 0, bytes: 0, longBytes: 0 };

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
    return this.#measure(from, to).bytes;
  }

  /**
   * Copies the strings of rows `[from, to)` to `at`, where there must be space for them and for {@link OVERRUN_BYTES}.
   * Answers where they end.
   */
  copy(from: number, to: number, into: Target, at: number): number {
    return this.#measure(from, to).longBytes > 0
      ? this.#copyMixed(from, to, into, at)
      : this.#copyShort(from, to, into.bytes, at);
  }

  #measure(from: number, to: number): Size {
    if (this.#size.from === from && this.#size.to === to) return this.#size;
    const words = this.#words;
    let bytes = 0;
    let longBytes = 0;
    for (let i = from; i < to; i++) {
      const length = words[i * 4]!;
      bytes += length;
      if (length > INLINED_BYTES_MAX) longBytes += length;
    }
    return (this.#size = { from, to, bytes, longBytes });
  }

  #copyShort(from: number, to: number, into: Uint8Array, at: number): number {
    const words = this.#words;
    for (let i = from; i < to; ) {
      const end = Math.min(to, i + SHORT_ROWS_MAX);
      let size = 0;
      for (; i < end; i++) {
        const word = i * 4;
        shortView.setUint32(size, words[word + 1]!, true);
        shortView.setUint32(size + 4, words[word + 2]!, true);
        shortView.setUint32(size + 8, words[word + 3]!, true);
        size += words[word]!;
      }
      into.set(short.subarray(0, size), at);
      at += size;
    }
    return at;
  }

  #copyMixed(from: number, to: number, into: Target, at: number): number {
    for (let i = from; i < to; ) {
      const run = this.#findRun(i, to);
      at = this.#copyRun(i, run, into, at);
      i = run.end;
    }
    return at;
  }

  /** The longest run from row `from` on, which has a long string itself or behind it. */
  #findRun(from: number, to: number): Run {
    const words = this.#words;
    let [first, size, low, high] = [from, 0, 0, 0];
    for (let i = from; i < to; i++) {
      const word = i * 4;
      const length = words[word]!;
      if (length <= INLINED_BYTES_MAX) continue;
      if (size === 0) [first, low, high] = [i, words[word + 2]!, words[word + 3]!];
      else if (words[word + 2] !== low + size || words[word + 3] !== high) return { end: i, first, size };
      size += length;
    }
    return { end: to, first, size };
  }

  #copyRun(from: number, { end, first, size }: Run, { bytes, view }: Target, at: number): number {
    const words = this.#words;
    const { buffer, byteOffset } = this.#bytes;
    const run = duckdb.get_data_from_pointer(buffer, byteOffset + first * STRING_BYTES + 8, size);
    const source = new DataView(run.buffer, run.byteOffset, run.byteLength);
    let next = 0;
    for (let i = from; i < end; ) {
      const word = i * 4;
      const length = words[word]!;
      if (length <= INLINED_BYTES_MAX) {
        view.setUint32(at, words[word + 1]!, true);
        view.setUint32(at + 4, words[word + 2]!, true);
        view.setUint32(at + 8, words[word + 3]!, true);
        at += length;
        i++;
        continue;
      }
      let start = next;
      for (; i < end && words[i * 4]! > INLINED_BYTES_MAX; i++) next += words[i * 4]!;
      const together = next - start;
      // At the run's end the last step would read bytes behind it.
      if (together > STEPPED_BYTES_MAX || next + STEP_BYTES > size) bytes.set(run.subarray(start, next), at);
      else
        for (let put = at; start < next; start += STEP_BYTES, put += STEP_BYTES)
          view.setUint32(put, source.getUint32(start, true), true);
      at += together;
    }
    release(run);
    return at;
  }
}
