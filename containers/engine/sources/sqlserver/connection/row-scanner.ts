// A row's cells are located in its bytes: each byte is walked once, also if the row arrives in many pieces.

import { RowTooLarge } from "../../../core/row-too-large.ts";
import type { ColumnDefinition, Framing } from "./column-metadata.ts";
import { TOKEN_BYTES_MAX } from "./packet-stream.ts";
import { protocolViolation } from "./tokens.ts";

const NULL = -1;
const CHUNKS_NULL = 0xffff_ffff_ffff_ffffn;
const CHUNKS_UNKNOWN = 0xffff_ffff_ffff_fffen;
/** Behind a text pointer. */
const TIMESTAMP_BYTES = 8;

type Framed = { framing: Framing; bytesMax: number };

/** A value in chunks: those read lie from `start` to `end` without gaps; -1 of `length`: not said beforehand. */
type Chunks = { start: number; end: number; length: number };

/** Offsets count from the row's first byte, for the memory around it moves while more of it arrives. */
export class RowScanner {
  readonly starts: Int32Array;
  /** -1 of NULL. */
  readonly ends: Int32Array;
  /** Bytes of the row, once {@link scan} has said that all of it is there. */
  length = 0;

  readonly #columns: Framed[];
  #column = 0;
  #at = 0;
  #nulls = -1;
  #chunks: Chunks | undefined;

  constructor(columns: ColumnDefinition[]) {
    this.#columns = columns.map(({ framing, bytesMax }) => ({ framing, bytesMax }));
    this.starts = new Int32Array(columns.length);
    this.ends = new Int32Array(columns.length);
  }

  /** A row comes; `hasBitmap`: with a bit for each column before it, set where it is NULL and left out. */
  start(hasBitmap: boolean): void {
    this.#column = 0;
    this.#at = 1;
    this.#nulls = -1;
    if (!hasBitmap) return;
    this.#nulls = 1;
    this.#at = 1 + Math.ceil(this.#columns.length / 8);
  }

  /** Goes on in `memory[from .. to)`, where the row starts. False until all of it is there. */
  scan(memory: Buffer, from: number, to: number): boolean {
    const available = to - from;
    if (this.#at > available) return false;
    for (; this.#column < this.#columns.length; this.#column++) if (!this.#cell(memory, from, available)) return false;
    this.length = this.#at;
    return true;
  }

  #cell(memory: Buffer, from: number, available: number): boolean {
    const column = this.#column;
    if (this.#nulls > 0 && (memory[from + this.#nulls + (column >> 3)]! & (1 << (column & 7))) !== 0) {
      this.starts[column] = this.#at;
      this.ends[column] = NULL;
      return true;
    }
    const { framing, bytesMax } = this.#columns[column]!;
    const at = this.#at;
    switch (framing) {
      case "fixed":
        return this.#put(at, bytesMax, available);
      case "u8": {
        if (at + 1 > available) return false;
        const length = memory[from + at]!;
        return this.#put(at + 1, length === 0 ? NULL : length, available);
      }
      case "u16": {
        if (at + 2 > available) return false;
        const length = memory.readUInt16LE(from + at);
        return this.#put(at + 2, length === 0xffff ? NULL : length, available);
      }
      case "u32": {
        if (at + 4 > available) return false;
        const length = memory.readUInt32LE(from + at);
        return this.#put(at + 4, length === 0 ? NULL : length, available);
      }
      case "pointer": {
        if (at + 1 > available) return false;
        const pointer = memory[from + at]!;
        if (pointer === 0) return this.#put(at + 1, NULL, available);
        const start = at + 1 + pointer + TIMESTAMP_BYTES;
        return start + 4 <= available && this.#put(start + 4, memory.readUInt32LE(from + start), available);
      }
      case "chunks":
        return this.#readChunks(memory, from, available);
    }
  }

  /** The cell of `length` bytes at `start`. */
  #put(start: number, length: number, available: number): boolean {
    const column = this.#column;
    if (length > this.#columns[column]!.bytesMax) protocolViolation("a value is longer than its column");
    if (length > TOKEN_BYTES_MAX) tooLarge();
    const end = start + Math.max(0, length);
    if (end > available) return false;
    this.starts[column] = start;
    this.ends[column] = length === NULL ? NULL : end;
    this.#at = end;
    return true;
  }

  #readChunks(memory: Buffer, from: number, available: number): boolean {
    if (!this.#chunks) {
      if (this.#at + 8 > available) return false;
      const length = memory.readBigUInt64LE(from + this.#at);
      this.#at += 8;
      if (length === CHUNKS_NULL) return this.#put(this.#at, NULL, available);
      if (length !== CHUNKS_UNKNOWN && length > BigInt(TOKEN_BYTES_MAX)) tooLarge();
      const isSaid = length !== CHUNKS_UNKNOWN;
      // The first chunk stays where it is; what follows is moved to its end.
      this.#chunks = { start: this.#at + 4, end: this.#at + 4, length: isSaid ? Number(length) : -1 };
    }
    const chunks = this.#chunks;
    for (;;) {
      if (this.#at + 4 > available) return false;
      const bytes = memory.readUInt32LE(from + this.#at);
      const start = this.#at + 4;
      if (bytes === 0) {
        this.#at = start;
        return this.#endChunks(chunks);
      }
      const end = start + bytes;
      if (end > TOKEN_BYTES_MAX) tooLarge();
      if (chunks.length >= 0 && chunks.end - chunks.start + bytes > chunks.length)
        protocolViolation("a value is longer than it was said to be");
      if (end > available) return false;
      if (start !== chunks.end) memory.copyWithin(from + chunks.end, from + start, from + end);
      chunks.end += bytes;
      this.#at = end;
    }
  }

  #endChunks({ start, end, length }: Chunks): true {
    if (length >= 0 && end - start !== length) protocolViolation("a value is shorter than it was said to be");
    this.starts[this.#column] = start;
    this.ends[this.#column] = end;
    this.#chunks = undefined;
    return true;
  }
}

function tooLarge(): never {
  throw new RowTooLarge(TOKEN_BYTES_MAX, "value");
}
