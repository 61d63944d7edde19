// A result as lines: CSV, NDJSON, and the rows of a JSON document.

import type { DuckDBDataChunk } from "@duckdb/node-api";
import { layoutOf, LineWriter, type Layout } from "../../../../formats/lines/line-writer.ts";
import { RowBudget } from "../../../../formats/row-budget.ts";
import type { LineFormat } from "../../canonical-text.ts";
import { FRAME_BYTES_MAX } from "../../frames.ts";
import { rowsTaken } from "../../messages.ts";
import type { DescribedStatement, ResultTaker, Shape } from "../described-statement.ts";
import { PieceSender } from "../pieces.ts";
import { FIRST_COLUMN, readRows, type RowReader } from "../read-rows.ts";
import { checkEntries } from "../same-entries.ts";
import { vectorCellsOf, type VectorCells } from "./cell-columns.ts";

/** A frame is sent once it is nearly full, so that most rows do not spill over into another. */
const SENT_BYTES_MIN = FRAME_BYTES_MAX - 16 * 1024;
/** Room for a frame, and for the row that overruns it before it is sent. */
const START_BYTES = FRAME_BYTES_MAX + 64 * 1024;

export async function streamLines(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const { connection, shape, order } = statement;
  const { format, numbers } = order.result;
  const layout = format === "csv" || format === "ndjson" ? layoutOf(format, order.result) : "json";
  const rowsMax = rowsTaken(order.result);
  const writer = lineWriterOf(shape, layout, { format: layout === "csv" ? "csv" : "json", numbers });
  const sender = new PieceSender(take, () => connection.interrupt());
  const lines = new Lines(writer, sender, rowsMax === undefined ? undefined : new RowBudget(order.result));
  const check = (): void => {
    sender.check();
    take.check();
  };
  const reader: RowReader = {
    open: (result) =>
      checkEntries(
        result,
        FIRST_COLUMN,
        writer.columns.map(({ type }) => type),
      ),
    add: (chunk, rows) => lines.add(chunk, rows),
  };
  try {
    // No bytes come behind the end, whatever became of the rows; where some were refused, that is why.
    const select = writer.columns.map((column) => column.select).join(", ");
    await readRows(statement, { select, rowsMax }, { ...take, check }, reader).finally(() => sender.settled());
    return await lines.end();
  } finally {
    writer.out.release();
  }
}

const lineWriterOf = ({ columns, types }: Shape, layout: Layout, format: LineFormat): LineWriter<VectorCells> =>
  new LineWriter(
    { names: columns.map(({ name }) => name.toWellFormed()), layout, startBytes: START_BYTES },
    (frame, i) => vectorCellsOf({ type: types[i]!, ref: `c${i + 1}`, frame, format }),
  );

class Lines {
  readonly #writer: LineWriter<VectorCells>;
  readonly #sender: PieceSender;
  readonly #budget: RowBudget | undefined;
  /** Every JSON row opens with the comma that parts it from the one before. */
  #skip: number;

  /** `budget`: that of a document, which is cut there. */
  constructor(writer: LineWriter<VectorCells>, sender: PieceSender, budget: RowBudget | undefined) {
    this.#writer = writer;
    this.#sender = sender;
    this.#budget = budget;
    this.#skip = budget ? 1 : 0;
  }

  /** Whether the rows are within the document's bounds. */
  async add({ chunk }: DuckDBDataChunk, rows: number): Promise<boolean> {
    if (rows === 0) return true;
    const { columns, out } = this.#writer;
    columns.forEach((column, i) => column.open(chunk, FIRST_COLUMN + i, rows));
    for (let row = 0; row < rows; row++) {
      if (!this.#put(row)) return false;
      if (out.length >= SENT_BYTES_MIN) await this.#send();
    }
    return true;
  }

  async end(): Promise<{ truncated: boolean }> {
    await this.#send();
    await this.#sender.settled();
    return { truncated: this.#budget?.truncated ?? false };
  }

  /** Whether the row is within the bounds; one that is not is not written. */
  #put(row: number): boolean {
    const { out } = this.#writer;
    const start = out.length;
    this.#writer.put(row);
    if (!this.#budget || this.#budget.take(out.length - start)) return true;
    out.length = start;
    return false;
  }

  async #send(): Promise<void> {
    await this.#sender.send(() => {
      const bytes = this.#writer.out.takeReused();
      const skip = bytes.length > 0 ? this.#skip : 0;
      this.#skip -= skip;
      return bytes.subarray(skip);
    });
  }
}
