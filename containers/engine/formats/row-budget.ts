// A JSON document takes a bounded number of rows, and of their bytes.

import { Failure } from "../core/failure.ts";
import type { ResultOptions } from "../../../kernel/wire/engine.ts";

type RowBounds = Pick<ResultOptions, "rowsMax" | "bytesMax" | "isWhole">;

/** Bounds of what the rows of one answer take, also those of several results together. */
export class RowBudget {
  truncated = false;
  rowCount = 0;
  readonly #options: RowBounds;
  #rowsLeft: number;
  #bytesLeft: number;

  constructor(options: RowBounds) {
    this.#options = options;
    this.#rowsLeft = options.rowsMax;
    this.#bytesLeft = options.bytesMax;
  }

  /**
   * Whether a row of so many bytes still belongs to the answer; from the first that does not, none does. Throws where
   * the answer must be whole.
   */
  take(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    this.truncated ||= --this.#rowsLeft < 0 || this.#bytesLeft < 0;
    if (this.truncated && this.#options.isWhole) throw tooLarge(this.#options);
    if (!this.truncated) this.rowCount++;
    return !this.truncated;
  }
}

const tooLarge = ({ rowsMax, bytesMax }: RowBounds): Failure =>
  new Failure(
    "resources_exceeded",
    `The answer has more than ${rowsMax} rows, or more than ${bytesMax} bytes of rows. Ask for fewer rows or members.`,
  );
