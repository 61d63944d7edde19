// Cells as Snowflake sends them, packed into rows of canonical text.

import type { Row } from "../../../formats/result.ts";
import type { ResultColumn } from "./column-types.ts";
import { CONVERSIONS, GROWTH_BYTES, GROWTH_MAX, copy, jsonOf } from "./convert.ts";

/** Takes a row's cells in order; `row` then holds them until `start` is called again. */
export class RowPacker {
  readonly row: Row;
  #bytes = Buffer.allocUnsafeSlow(16 * 1024);
  #used = 0;
  readonly #conversions;

  constructor(columns: readonly ResultColumn[]) {
    this.row = { bytes: this.#bytes, starts: new Int32Array(columns.length), ends: new Int32Array(columns.length) };
    this.#conversions = columns.map(({ conversion }) => (conversion === "json" ? undefined : CONVERSIONS[conversion]));
  }

  start(): void {
    this.#used = 0;
  }

  put(index: number, from: Buffer, start: number, end: number): void {
    const convert = this.#conversions[index];
    const json = convert ? undefined : jsonOf(from, start, end);
    this.#reserve((json?.length ?? end - start) * GROWTH_MAX + GROWTH_BYTES);
    this.row.starts[index] = this.#used;
    this.#used = convert
      ? convert(this.#bytes, this.#used, { from, start, end })
      : copy(this.#bytes, this.#used, { from: json!, start: 0, end: json!.length });
    this.row.ends[index] = this.#used;
  }

  putNull(index: number): void {
    this.row.starts[index] = this.#used;
    this.row.ends[index] = -1;
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#used + more, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#used);
    this.row.bytes = this.#bytes = grown;
  }
}
