// A lake result as rows for a taker in this process.

import type { RowTaker } from "../../formats/result.ts";
import { CellRows } from "../process/cell-rows.ts";
import type { Frame } from "../process/messages.ts";

export class CellTaker {
  readonly #taker: RowTaker;
  #rows = new CellRows(0);
  #hasStarted = false;
  #isDone = false;

  constructor(taker: RowTaker) {
    this.#taker = taker;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether the taker wants no more rows: a rejection of {@link take} is no failure then. */
  get isDone(): boolean {
    return this.#isDone;
  }

  async take(frame: Extract<Frame, { kind: "columns" | "data" | "part" }>): Promise<void> {
    if (frame.kind === "columns") {
      this.#rows = new CellRows(frame.value.length);
      this.#taker.columns(frame.value);
      return;
    }
    this.#rows.add(frame.bytes);
    for (let row = this.#rows.next(); row; row = this.#rows.next()) {
      this.#hasStarted = true;
      if (await this.#taker.row(row)) continue;
      this.#isDone = true;
      throw new Error("No more rows are wanted.");
    }
  }
}
