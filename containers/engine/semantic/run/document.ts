// A semantic answer as one JSON document, in each of the layouts that Cube knows.

import type { ResponseFormat } from "../../contract/semantic/query.ts";
import { createFramedWriter, jsonEnding, jsonRows, membersOf, type RowBudget } from "../../formats/json.ts";
import { jsonCell } from "../../formats/json-cell.ts";
import { Output } from "../../formats/output.ts";
import type { Column, Ending, Row, RowWriter, WriterOptions } from "../../formats/result.ts";

/** `head`: members of the document as they are; they come first. `total`: how many rows there are without a limit. */
type DocumentOptions = WriterOptions & {
  head: Record<string, unknown>;
  layout: ResponseFormat;
  total: number | undefined;
};

/** Writes rows one after the other as they come: `default`, and `compact`. */
export function createDocumentWriter(options: DocumentOptions): RowWriter {
  const { columns, head, layout, total, requestId, result } = options;
  const [opening, closing] = rowsFrame(columns, layout);
  return createFramedWriter(result, {
    opening: `${headOf(head, columns)}"data":${opening}`,
    putRow: rowPutter(options),
    closing: (budget, ending) => `\n${closing},${endingOf(requestId, budget, { total, ending })}`,
  });
}

/** The rows of one query, kept until the whole document is written. */
export class CollectedRows {
  readonly #options: DocumentOptions;
  readonly #budget: RowBudget;
  readonly #putRow: (out: Output, row: Row) => void;
  readonly #cells: ReturnType<typeof jsonCell>[];
  /** One of all rows, or of a column each. */
  readonly #outputs: Output[];
  #count = 0;

  constructor(options: DocumentOptions, budget: RowBudget) {
    this.#options = options;
    this.#budget = budget;
    this.#putRow = rowPutter(options);
    this.#cells = options.columns.map((column) => jsonCell(column, options.result.numbers));
    this.#outputs = Array.from(
      { length: options.layout === "columnar" ? options.columns.length : 1 },
      () => new Output(),
    );
  }

  get columns(): Column[] {
    return this.#options.columns;
  }

  write(row: Row): boolean {
    const before = this.#outputs.map(({ length }) => length);
    if (this.#count > 0) for (const out of this.#outputs) out.text(",\n");
    if (this.#options.layout === "columnar") this.#outputs.forEach((out, i) => putCell(out, this.#cells[i]!, row, i));
    else this.#putRow(this.#outputs[0]!, row);
    const size = this.#outputs.reduce((sum, { length }, i) => sum + length - before[i]!, 0);
    if (!this.#budget.take(size)) {
      this.#outputs.forEach((out, i) => (out.length = before[i]!));
      return false;
    }
    this.#count++;
    return true;
  }

  /** An entry of `results`. */
  result(): Buffer {
    const { head, total } = this.#options;
    const members = JSON.stringify({ ...head, ...(total === undefined ? {} : { total }) });
    const text = members === "{}" ? "{" : `${members.slice(0, -1)},`;
    return Buffer.concat([Buffer.from(`${text}"data":`), this.rowsWith([]), Buffer.from("}")]);
  }

  /** The rows of this query and of others, which have the same columns, as one `data`. */
  rowsWith(others: readonly CollectedRows[]): Buffer {
    const all = [this, ...others].filter((each) => each.#count > 0);
    const pieces = this.#outputs.map((_, i) => joined(all.map((each) => each.#outputs[i]!.written)));
    const { columns, layout } = this.#options;
    if (layout !== "columnar") {
      const [opening, closing] = rowsFrame(columns, layout);
      return Buffer.concat([Buffer.from(`${opening}\n`), ...pieces, Buffer.from(`\n${closing}`)]);
    }
    const lists = joined(pieces.map((piece) => Buffer.concat([Buffer.from("["), piece, Buffer.from("]")])));
    return Buffer.concat([Buffer.from(`{"members":${namesOf(columns)},"columns":[`), lists, Buffer.from("]}")]);
  }
}

/** The whole document of one query whose rows are kept, or of several that are compared. */
export function collectedDocument(
  { head, requestId, results }: { head: Record<string, unknown>; requestId: string; results: readonly CollectedRows[] },
  { budget, total, ending }: { budget: RowBudget; total: number | undefined; ending: Ending },
): Buffer {
  const [first, ...others] = results;
  const parts = [Buffer.from(`${headOf(head, first!.columns)}"data":`), first!.rowsWith(others), Buffer.from(",")];
  if (others.length > 0) {
    parts.push(Buffer.from('"results":['), joined(results.map((each) => each.result())), Buffer.from("],"));
  }
  return Buffer.concat([...parts, Buffer.from(endingOf(requestId, budget, { total, ending }))]);
}

function joined(pieces: readonly Uint8Array[]): Buffer {
  const comma = Buffer.from(",\n");
  return Buffer.concat(pieces.flatMap((piece, i) => (i === 0 ? [piece] : [comma, piece])));
}

/** The document up to its rows. */
function headOf(head: Record<string, unknown>, columns: Column[]): string {
  const members = JSON.stringify(head).slice(1, -1);
  return `{${members === "" ? "" : `${members},`}${membersOf(columns)},`;
}

const namesOf = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name }) => name));

/** What stands before the rows, and behind them. */
const rowsFrame = (columns: readonly Column[], layout: ResponseFormat): [string, string] =>
  layout === "compact" ? [`{"members":${namesOf(columns)},"dataset":[`, "]}"] : ["[", "]"];

function rowPutter(options: DocumentOptions): (out: Output, row: Row) => void {
  if (options.layout !== "compact") return jsonRows(options);
  const cells = options.columns.map((column) => jsonCell(column, options.result.numbers));
  return (out, row) => {
    cells.forEach((cell, i) => {
      out.text(i === 0 ? "[" : ",");
      putCell(out, cell, row, i);
    });
    out.text("]");
  };
}

function putCell(out: Output, put: ReturnType<typeof jsonCell>, { bytes, starts, ends }: Row, i: number): void {
  if (ends[i]! < 0) out.text("null");
  else put(out, bytes, starts[i]!, ends[i]!);
}

function endingOf(
  requestId: string,
  { rowCount, truncated }: RowBudget,
  { total, ending }: { total: number | undefined; ending: Ending },
): string {
  const { rowCount: count, truncated: isCut, ...rest } = jsonEnding(requestId, rowCount, truncated, ending);
  const members = { rowCount: count, truncated: isCut, ...(total === undefined ? {} : { total }), ...rest };
  return `${JSON.stringify(members).slice(1)}\n`;
}
