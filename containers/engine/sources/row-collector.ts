// Rows that answer a statement of our own: held to the form it asks for, and to what memory has room for.

import { Failure } from "../core/failure.ts";

/**
 * One letter for each column: `t` a text, `n` a whole number; in capitals where it may be NULL. Empty: the answer has
 * no rows that matter.
 */
export type RowFormat = string;

export type TextRow = (string | null)[];

/** Asks a database something, in a statement of our own. Rejects with a Failure where the answer is not of the form. */
export type FetchRows = (sql: string, form: RowFormat) => Promise<TextRow[]>;

const BYTES_MAX = 192 * 1024 * 1024;
/** What a cell takes beside its characters. */
const CELL_BYTES = 24;

export class RowCollector {
  readonly rows: TextRow[] = [];

  readonly #form: RowFormat;
  readonly #broken: (what: string) => never;
  #bytes = 0;

  /** `broken` throws the source's own Failure. */
  constructor(form: RowFormat, broken: (what: string) => never) {
    this.#form = form;
    this.#broken = broken;
  }

  get width(): number {
    return this.#form.length;
  }

  add(row: TextRow): void {
    if (row.length !== this.width) this.#broken("a row of another form than was asked for");
    for (let i = 0; i < row.length; i++)
      if (!isOfForm(row[i]!, this.#form[i]!)) this.#broken("a value of another form than was asked for");
    for (const cell of row) this.#bytes += CELL_BYTES + (cell?.length ?? 0);
    if (this.#bytes > BYTES_MAX)
      throw new Failure(
        "resources_exceeded",
        `The database tells more of itself than the ${BYTES_MAX / 1024 / 1024} MiB that there is room for. Let this account see fewer tables.`,
      );
    this.rows.push(row);
  }
}

function isOfForm(cell: string | null, letter: string): boolean {
  if (cell === null) return letter === "T" || letter === "N";
  return letter === "t" || letter === "T" || /^-?\d{1,20}$/.test(cell);
}
