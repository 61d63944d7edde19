// A result as lines: CSV, NDJSON, and the rows of a JSON document.

import type { DuckDBDataChunk } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { FRAME_BYTES_MAX } from "../../frames.ts";
import { rowsTaken } from "../../messages.ts";
import {
  broken,
  streamRows,
  wrapWithLastRow,
  type DescribedStatement,
  type ResultTaker,
} from "../described-statement.ts";
import { sendCut } from "../pieces.ts";
import { LineWriter } from "./line-writer.ts";

/** A frame is sent once it is nearly full, so that most rows do not spill over into another. */
const SENT_BYTES_MIN = FRAME_BYTES_MAX - 16 * 1024;

export async function streamLines(
  { connection, sql, shape, order }: DescribedStatement,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  const { format, numbers } = order.result;
  const rowsMax = rowsTaken(order.result);
  const writer = new LineWriter(shape, { format: format === "csv" || format === "ndjson" ? format : "json", numbers });
  const streamed = wrapWithLastRow(sql, shape, {
    select: `true, ${writer.select}`,
    limit: rowsMax === undefined ? "" : ` LIMIT ${rowsMax}`,
    last: `false${", NULL".repeat(shape.types.length)}`,
  });
  const result = await streamRows(connection, streamed, shape.types.length + 1);
  writer.check(result, 1);
  const lines = new LineSender(writer, take, rowsMax === undefined ? undefined : order.result);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    const end = await lines.take(chunk);
    // Gives the chunk's memory back now; the garbage collector does not know how much it is.
    duckdb.data_chunk_reset(chunk.chunk);
    if (end) return end;
  }
}

type Bounds = { rowsMax: number; bytesMax: number };

class LineSender {
  readonly #writer: LineWriter;
  readonly #take: ResultTaker;
  readonly #bounds: Bounds | undefined;
  #rowCount = 0;
  #rowBytes = 0;
  /** Every JSON row opens with the comma that parts it from the one before. */
  #skip: number;

  /** `bounds`: those of a document, which is cut there. */
  constructor(writer: LineWriter, take: ResultTaker, bounds: Bounds | undefined) {
    this.#writer = writer;
    this.#take = take;
    this.#bounds = bounds;
    this.#skip = bounds ? 1 : 0;
  }

  /** Takes the chunk's rows up to the one that ends the result, or to the document's bounds; then says so. */
  async take(chunk: DuckDBDataChunk): Promise<{ truncated: boolean } | undefined> {
    const count = chunk.rowCount;
    const more = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), count);
    const last = more.indexOf(0);
    const rows = last < 0 ? count : last;
    this.#writer.open(chunk.chunk, 1, count);
    for (let row = 0; row < rows; row++) {
      if (!this.#put(row)) return this.#end(true);
      if (this.#writer.length >= SENT_BYTES_MIN) await this.#send();
    }
    return last < 0 ? undefined : this.#end(false);
  }

  /** Whether the row is within the bounds; one that is not is not written. */
  #put(row: number): boolean {
    const writer = this.#writer;
    const start = writer.length;
    writer.put(row);
    if (!this.#bounds) return true;
    this.#rowBytes += writer.length - start;
    this.#rowCount++;
    if (this.#rowCount <= this.#bounds.rowsMax && this.#rowBytes <= this.#bounds.bytesMax) return true;
    writer.length = start;
    return false;
  }

  async #end(truncated: boolean): Promise<{ truncated: boolean }> {
    await this.#send();
    return { truncated };
  }

  async #send(): Promise<void> {
    const bytes = this.#writer.take();
    const skip = bytes.length > 0 ? this.#skip : 0;
    this.#skip -= skip;
    // A result of no rows is begun by bytes of its own, none.
    if (bytes.length === 0) await this.#take.data(bytes, true);
    else await sendCut(bytes.subarray(skip), this.#take);
  }
}
