// The strings of a VARCHAR vector, read in long runs: DuckDB lays those of a streamed chunk end to end.

import duckdb from "@duckdb/node-bindings";
import { INLINED_BYTES_MAX, STRING_BYTES } from "../../../../duckdb/vectors/strings.ts";
import { DUCKDB_ESCAPES, type TextCell } from "../../../../formats/lines/text-cells.ts";
import { viewOf } from "../../../../formats/output.ts";

const WORDS = STRING_BYTES / 4;
/** A run is a copy, so a chunk of long strings is not read at once. */
const RUN_BYTES_MAX = 256 * 1024;

const NO_BYTES = new Uint8Array(0);

/** The strings of one vector, to be read in order of their rows. Valid as long as its chunk. */
export class VarcharColumn implements TextCell {
  static readonly ENTRY_BYTES = STRING_BYTES;
  readonly escapes = DUCKDB_ESCAPES;
  /** Where the string of the last {@link seek} lies. */
  bytes: Uint8Array;
  words: DataView;
  from = 0;
  length = 0;
  readonly #data: Uint8Array;
  readonly #dataWords: DataView;
  readonly #words: Uint32Array;
  readonly #mask: Uint8Array | null;
  readonly #rows: number;
  #run: Uint8Array;
  #runWords: DataView;
  #runAt = 0;

  /** `mask` has a bit for each row, 0 for NULL, where any is. */
  constructor(data: Uint8Array, rows: number, mask: Uint8Array | null) {
    this.#data = data;
    this.#words = new Uint32Array(data.buffer, data.byteOffset, rows * WORDS);
    this.#mask = mask;
    this.#rows = rows;
    this.#dataWords = viewOf(data);
    this.#run = NO_BYTES;
    this.#runWords = viewOf(NO_BYTES);
    this.bytes = data;
    this.words = this.#dataWords;
  }

  /** Goes to the string of `row`, which is no NULL and comes behind the last. */
  seek(row: number): void {
    const length = this.#words[row * WORDS]!;
    this.length = length;
    if (length <= INLINED_BYTES_MAX) {
      this.bytes = this.#data;
      this.words = this.#dataWords;
      this.from = row * STRING_BYTES + 4;
      return;
    }
    if (this.#runAt === this.#run.length) this.#openRun(row);
    this.bytes = this.#run;
    this.words = this.#runWords;
    this.from = this.#runAt;
    this.#runAt += length;
  }

  /** The strings behind pointers from `row` on, as far as one follows the other in memory. */
  #openRun(row: number): void {
    const words = this.#words;
    const high = words[row * WORDS + 3];
    let length = words[row * WORDS]!;
    let next = words[row * WORDS + 2]! + length;
    for (let i = row + 1; i < this.#rows; i++) {
      const more = words[i * WORDS]!;
      if (more <= INLINED_BYTES_MAX || this.#isNull(i)) continue;
      if (words[i * WORDS + 2] !== next || words[i * WORDS + 3] !== high || length + more > RUN_BYTES_MAX) break;
      length += more;
      next += more;
    }
    const { buffer, byteOffset } = this.#data;
    this.#run = duckdb.get_data_from_pointer(buffer as ArrayBuffer, byteOffset + row * STRING_BYTES + 8, length);
    this.#runWords = viewOf(this.#run);
    this.#runAt = 0;
  }

  #isNull(row: number): boolean {
    const mask = this.#mask;
    return mask !== null && ((mask[row >> 3]! >> (row & 7)) & 1) === 0;
  }
}
