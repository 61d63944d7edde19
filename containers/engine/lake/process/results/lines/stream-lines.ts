// A result as lines: CSV, NDJSON, and the rows of a JSON document.

import type { DuckDBDataChunk } from "@duckdb/node-api";
import { FRAME_BYTES_MAX } from "../../frames.ts";
import { rowsTaken } from "../../messages.ts";
import type { DescribedStatement, ResultTaker } from "../described-statement.ts";
import { PieceSender } from "../pieces.ts";
import { FIRST_COLUMN, readRows, type RowReader } from "../read-rows.ts";
import { LineWriter } from "./line-writer.ts";

/** A frame is sent once it is nearly full, so that most rows do not spill over into another. */
const SENT_BYTES_MIN = FRAME_BYTES_MAX - 16 * 1024;

export async function streamLines(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const { connection, shape, order } = statement;
  const { format, numbers } = order.result;
  const rowsMax = rowsTaken(order.result);
  const writer = new LineWriter(shape, { format: format === "csv" || format === "ndjson" ? format : "json", numbers });
  const sender = new PieceSender(take, () => connection.interrupt());
  const lines = new Lines(writer, sender, rowsMax === undefined ? undefined : order.result);
  const check = (): void => {
    sender.check();
    take.check();
  };
  const reader: RowReader = {
    open: (result) => writer.check(result, FIRST_COLUMN),
    add: (chunk, rows) => lines.add(chunk, rows),
  };
  try {
    // Whatever became of the rows: no bytes come behind the end, and where some were refused, that is why.
    await readRows(statement, { select: writer.select, rowsMax }, { ...take, check }, reader).finally(() =>
      sender.settled(),
    );
    return await lines.end();
  } finally {
    writer.release();
  }
}

type Bounds = { rowsMax: number; bytesMax: number };

class Lines {
  readonly #writer: LineWriter;
  readonly #sender: PieceSender;
  readonly #bounds: Bounds | undefined;
  #rowCount = 0;
  #rowBytes = 0;
  #truncated = false;
  /** Every JSON row opens with the comma that parts it from the one before. */
  #skip: number;

  /** `bounds`: those of a document, which is cut there. */
  constructor(writer: LineWriter, sender: PieceSender, bounds: Bounds | undefined) {
    this.#writer = writer;
    this.#sender = sender;
    this.#bounds = bounds;
    this.#skip = bounds ? 1 : 0;
  }

  /** Whether the rows are within the document's bounds. */
  async add(chunk: DuckDBDataChunk, rows: number): Promise<boolean> {
    if (rows === 0) return true;
    this.#writer.open(chunk.chunk, FIRST_COLUMN, rows);
    for (let row = 0; row < rows; row++) {
      if (!this.#put(row)) return false;
      if (this.#writer.length >= SENT_BYTES_MIN) await this.#send();
    }
    return true;
  }

  async end(): Promise<{ truncated: boolean }> {
    await this.#send();
    await this.#sender.settled();
    return { truncated: this.#truncated };
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
    this.#truncated = true;
    return false;
  }

  async #send(): Promise<void> {
    await this.#sender.send(() => {
      const bytes = this.#writer.take();
      const skip = bytes.length > 0 ? this.#skip : 0;
      this.#skip -= skip;
      return bytes.subarray(skip);
    });
  }
}
