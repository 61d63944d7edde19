// The rows that answer a statement of the engine's own (catalog, settings, digests): held to the format the statement
// asks for, and to what memory has room for.

import { Failure } from "../core/failure.ts";

/**
 * The format has one letter for each column: `t` is a text, `n` a whole number, and a capital says that it may be NULL.
 * An empty format says that no rows are wanted.
 */
export type RowFormat = string;

export type TextRow = (string | null)[];

/**
 * Runs a statement of the engine's own and returns its rows, cells as text. Rejects with a Failure where they are not
 * of the format.
 */
export type FetchRows = (sql: string, format: RowFormat) => Promise<TextRow[]>;

/** The method of a source snapshot by which the engine's own statements are read. */
export type SnapshotRows = { fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> };

const BYTES_MAX = 192 * 1024 * 1024;
/** Each cell takes about this much memory beside its characters. */
const CELL_BYTES = 24;

export class RowCollector {
  readonly rows: TextRow[] = [];

  readonly #format: RowFormat;
  readonly #protocolViolation: (what: string) => never;
  #bytes = 0;

  /** `protocolViolation` throws the Failure of the source's kind. */
  constructor(format: RowFormat, protocolViolation: (what: string) => never) {
    this.#format = format;
    this.#protocolViolation = protocolViolation;
  }

  add(row: TextRow): void {
    if (row.length !== this.#format.length) this.#protocolViolation("a row of another form than was asked for");
    for (let i = 0; i < row.length; i++)
      if (!isOfFormat(row[i]!, this.#format[i]!)) this.#protocolViolation("a value of another form than was asked for");
    for (const cell of row) this.#bytes += CELL_BYTES + (cell?.length ?? 0);
    if (this.#bytes > BYTES_MAX)
      throw new Failure(
        "resources_exceeded",
        `The database tells more of itself than the ${BYTES_MAX / 1024 / 1024} MiB that there is room for. ` +
          "Let this account see fewer tables.",
      );
    this.rows.push(row);
  }
}

function isOfFormat(cell: string | null, letter: string): boolean {
  if (cell === null) return letter === "T" || letter === "N";
  return letter === "t" || letter === "T" || /^-?\d{1,20}$/.test(cell);
}
