// Chunks of DuckDB's gathered into record batches of bounded size.

import { Schema } from "apache-arrow";
import type { DuckDBDataChunk } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import type { BatchFormat } from "../../../../../../kernel/wire/engine-program.ts";
import { BATCH_BYTES_MAX, batchRowsMax } from "../../../../formats/arrow/stream.ts";
import { createBatchStream, type BatchStream } from "../../../../formats/batch-stream.ts";
import { ROW_BYTES_MAX, rowTooLarge } from "../../cell-rows.ts";
import type { ResultTaker, Shape } from "../described-statement.ts";
import { PieceSender } from "../pieces.ts";
import { vectorColumnOf } from "./column-of.ts";
import { countColumns } from "./read-column.ts";
import type { VectorColumn } from "./vector-column.ts";

/** Bytes of memory that the values of all columns keep from batch to batch. */
const KEPT_BYTES = 16 * 1024 * 1024;

export class Batches {
  readonly #sender: PieceSender;
  readonly #columns: readonly VectorColumn[];
  readonly #rowsMax: number;
  readonly #stream: BatchStream;
  /** Rows of the batch that is being filled. */
  #rows = 0;
  #bytes = 0;

  constructor(format: BatchFormat, { columns, types }: Shape, take: ResultTaker) {
    this.#sender = new PieceSender(take);
    const parts = types.reduce((sum, type) => sum + countColumns(type), 0);
    const context = { keptBytes: Math.floor(KEPT_BYTES / parts), nextDictionary: 0 };
    this.#columns = columns.map((column, i) => vectorColumnOf(column, types[i]!, context));
    this.#rowsMax = batchRowsMax(parts);
    this.#stream = createBatchStream(format, new Schema(this.#columns.map(({ field }) => field)));
  }

  /** Appends the first `rows` rows of `chunk`, whose columns begin with its second vector. Keeps none of its memory. */
  async add({ chunk }: DuckDBDataChunk, rows: number): Promise<void> {
    if (rows === 0) return;
    this.#columns.forEach((column, i) => column.read(duckdb.data_chunk_get_vector(chunk, i + 1), rows));
    await this.#append(0, rows);
    for (const column of this.#columns) column.release();
  }

  /** Sends the rest of the rows, and the end. */
  async end(): Promise<void> {
    this.#close();
    this.#stream.finish();
    await this.#send();
    await this.#sender.settled();
  }

  /** Settles when nothing is in transfer any more, whether or not it succeeded. */
  async settled(): Promise<void> {
    await this.#sender.settled().catch(() => undefined);
  }

  /** Rows `[from, to)` of what was read, in as many steps as the bounds of a batch ask for. */
  async #append(from: number, to: number): Promise<void> {
    const bytes = this.#columns.reduce((sum, column) => sum + column.size(from, to), 0);
    const space = this.#rowsMax - this.#rows;
    const isLong = to - from > 1 && bytes > BATCH_BYTES_MAX;
    if (to - from > space || isLong) {
      const middle = from + Math.min(space, isLong ? (to - from) >> 1 : space);
      await this.#append(from, middle);
      return this.#append(middle, to);
    }
    if (bytes > ROW_BYTES_MAX) throw rowTooLarge();
    if (this.#bytes + bytes > BATCH_BYTES_MAX) await this.#flush();
    for (const column of this.#columns) column.put(from, to);
    this.#rows += to - from;
    this.#bytes += bytes;
    if (this.#rows === this.#rowsMax || this.#bytes >= BATCH_BYTES_MAX) await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#close();
    // A format may gather several batches; until its first bytes the statement can be run anew.
    if (this.#stream.pending > 0) await this.#send();
  }

  async #send(): Promise<void> {
    const length = await this.#sender.send(() => this.#stream.takeReused());
    // One row may be that long, and two of them more than there is space for.
    if (length > BATCH_BYTES_MAX) await this.#sender.settled();
  }

  /** Ends the current batch, if there is one. */
  #close(): void {
    if (this.#rows === 0) return;
    const children = this.#columns.map((column) => column.data());
    this.#stream.write(children, this.#rows);
    for (const column of this.#columns) column.clear();
    this.#rows = 0;
    this.#bytes = 0;
  }
}
