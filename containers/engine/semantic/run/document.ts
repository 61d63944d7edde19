// A semantic answer as one JSON document, in each of the layouts that Cube knows.

import type { ResponseFormat } from "../../../../kernel/semantic/query.ts";
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

  /** An entry of the `results` of queries that are compared. */
  result(): Buffer {
    const { head, total } = this.#options;
    const members = JSON.stringify({ ...head, ...(total === undefined ? {} : { total }) });
    const text = members === "{}" ? "{" : `${members.slice(0, -1)},`;
    return Buffer.concat([Buffer.from(`${text}"data":`), this.rows(), Buffer.from("}")]);
  }

  /** A document's `data`. */
  rows(): Buffer {
    const pieces = this.#outputs.map(({ written }) => Buffer.from(written));
    const { columns, layout } = this.#options;
    if (layout !== "columnar") {
      const [opening, closing] = rowsFrame(columns, layout);
      return Buffer.concat([Buffer.from(`${opening}\n`), ...pieces, Buffer.from(`\n${closing}`)]);
    }
    const lists = joined(pieces.map((piece) => Buffer.concat([Buffer.from("["), piece, Buffer.from("]")])));
    return Buffer.concat([Buffer.from(`{"members":${namesOf(columns)},"columns":[`), lists, Buffer.from("]}")]);
  }
}

/** The whole document of one query whose rows are kept. */
export function collectedDocument(only: CollectedRows, { head, ...rest }: CollectedDocument): Buffer {
  return wholeDocument({ head, columns: only.columns }, Buffer.concat([Buffer.from('"data":'), only.rows()]), rest);
}

/** The whole document of queries that are compared: as Cube has it, each has its rows, and there are no others. */
export function comparedDocument(results: readonly CollectedRows[], { head, ...rest }: CollectedDocument): Buffer {
  const entries = Buffer.concat([
    Buffer.from('"results":['),
    joined(results.map((each) => each.result())),
    Buffer.from("]"),
  ]);
  return wholeDocument({ head, columns: results[0]!.columns }, entries, rest);
}

type CollectedDocument = {
  head: Record<string, unknown>;
  requestId: string;
  budget: RowBudget;
  total: number | undefined;
  ending: Ending;
};

const wholeDocument = (
  { head, columns }: { head: Record<string, unknown>; columns: Column[] },
  rows: Buffer,
  { requestId, budget, total, ending }: Omit<CollectedDocument, "head">,
): Buffer =>
  Buffer.concat([
    Buffer.from(headOf(head, columns)),
    rows,
    Buffer.from(`,${endingOf(requestId, budget, { total, ending })}`),
  ]);

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
