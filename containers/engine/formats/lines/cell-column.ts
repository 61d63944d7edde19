// A column of a result as cells of lines, wherever its values come from.

import type { Output } from "../output.ts";
import { viewOf } from "../output.ts";

/** The most bytes of a number, a date or a timestamp. */
const CELL_BYTES_MAX = 48;

export abstract class CellColumn {
  /** The most bytes of a cell without its text. */
  readonly bytesMax: number;
  protected readonly before: Constant;
  /** The bytes that are written for NULL, with those before it. */
  protected readonly missing: Constant;

  /** `before`: the text before each cell, a comma or a key. `missing`: the text of NULL. */
  constructor({ before, missing }: CellFrame, quote = "") {
    this.before = new Constant(before + quote);
    this.missing = new Constant(before + missing);
    this.bytesMax = this.before.length + this.missing.length + CELL_BYTES_MAX;
  }

  /** Writes the cell of a row at `at`, and answers where it ends. There is room for it and for its text's length. */
  abstract put(out: Output, at: number, row: number): number;
}

/** The bytes that a cell of a line has around its value. */
export type CellFrame = { before: string; missing: string };

/** Bytes that are written again and again, in words: up to three behind them are overwritten. */
export class Constant {
  readonly length: number;
  readonly #words: Int32Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.#words = new Int32Array(Math.ceil(bytes.length / 4));
    const view = viewOf(new Uint8Array(this.#words.buffer));
    bytes.forEach((byte, i) => view.setUint8(i, byte));
  }

  put(view: DataView, at: number): number {
    const words = this.#words;
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
    return at + this.length;
  }
}
