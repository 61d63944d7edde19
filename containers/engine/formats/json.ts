// A result as one JSON document whose last words say whether it is whole.

import { jsonCell, jsonKey } from "./json-cell.ts";
import { Output } from "./output.ts";
import { Failure } from "../core/failure.ts";
import type { ResultOptions } from "../../../kernel/wire/engine.ts";
import type { Column, Ending, Row, RowWriter, WriterOptions } from "./result.ts";

/** Appends rows as JSON objects: `{"a":1,"b":null}`. */
export function jsonRows({ columns, result }: WriterOptions): (out: Output, row: Row) => void {
  const keys = columns.map(({ name }) => jsonKey(name));
  const cells = columns.map((column) => jsonCell(column, result.numbers));
  const NULL = Buffer.from("null");
  return (out, { bytes, starts, ends }) => {
    out.byte(0x7b);
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) out.byte(0x2c);
      out.copy(keys[i]!);
      const end = ends[i]!;
      if (end < 0) out.copy(NULL);
      else cells[i]!(out, bytes, starts[i]!, end);
    }
    out.byte(0x7d);
  };
}

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

/** What a JSON document has around its rows, and how it has each. */
export type JsonFrame = {
  /** Up to the first row. */
  opening: string;
  putRow(out: Output, row: Row): void;
  /** From behind the last row on. */
  closing(rows: RowBudget, ending: Ending): string;
};

/** Writes a document's rows as they come. Past `rowsMax` rows or `bytesMax` bytes of rows the row is refused. */
export function createFramedWriter(result: ResultOptions, { opening, putRow, closing }: JsonFrame): RowWriter {
  const out = new Output();
  const budget = new RowBudget(result);
  out.text(opening);
  return {
    write(row) {
      const before = out.length;
      if (budget.rowCount > 0) out.byte(0x2c);
      out.byte(0x0a);
      putRow(out, row);
      const fits = budget.take(out.length - before);
      if (!fits) out.length = before;
      return fits;
    },
    get pending() {
      return out.length;
    },
    take: () => out.take(),
    end(ending) {
      out.text(closing(budget, ending));
      return out.take();
    },
  };
}

/**
 * `{"columns":[…],"types":[…],"data":[{…},…],"rowCount":2,"truncated":false,"timing":{…},"meta":{…},"success":true}`.
 *
 * `success` is the last member: a document that was cut off has none and does not parse, one that failed half-way says
 * `false` with `message` and `error`. Where a row was refused `truncated` is true.
 */
export function createJsonWriter(options: WriterOptions): RowWriter {
  const { columns, requestId, result } = options;
  return createFramedWriter(result, {
    opening: `{${membersOf(columns)},"data":[`,
    putRow: jsonRows(options),
    closing: ({ rowCount, truncated }, ending) => jsonTail(requestId, rowCount, truncated, ending),
  });
}

/** `"columns":[…],"types":[…]` */
export function membersOf(columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name);
  const types = columns.map(({ name, type, kind }) => ({ name, type, kind }));
  return `"columns":${JSON.stringify(names)},"types":${JSON.stringify(types)}`;
}

/** What stands behind the last row. */
export const jsonTail = (requestId: string, rowCount: number, truncated: boolean, ending: Ending): string =>
  `\n],${JSON.stringify(jsonEnding(requestId, rowCount, truncated, ending)).slice(1)}\n`;

/** The members that a document ends with, `success` the last of them. */
export function jsonEnding(
  requestId: string,
  rowCount: number,
  truncated: boolean,
  { durationMs, phases, cachedAt, failure }: Ending,
) {
  return {
    rowCount,
    truncated,
    timing: { durationMs, phases },
    meta: { requestId, durationMs, ...(cachedAt && { cachedAt: cachedAt.toISOString() }) },
    ...failure,
    success: !failure,
  };
}
