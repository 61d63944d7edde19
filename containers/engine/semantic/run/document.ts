// A semantic answer as one JSON document, in each of the layouts that Cube knows.

import type { ResponseFormat } from "../../../../kernel/semantic/query.ts";
import { jsonEnding, membersOf } from "../../formats/json.ts";
import { RowLines } from "../../formats/lines/row-lines.ts";
import type { Column, Ending, Row, RowWriter, WriterOptions } from "../../formats/result.ts";
import type { RowBudget } from "../../formats/row-budget.ts";
import { createDocument } from "../../formats/text-writers.ts";

/** `head`: members of the document as they are; they come first. `total`: how many rows there are without a limit. */
type DocumentOptions = WriterOptions & {
  head: Record<string, unknown>;
  layout: ResponseFormat;
  total: number | undefined;
};

/** Writes rows one after the other as they come: `default`, and `compact`. */
export function createDocumentWriter(options: DocumentOptions): RowWriter {
  const { columns, head, layout, total, requestId } = options;
  const [opening, closing] = rowsFrame(columns, layout);
  return createDocument(options, layout === "compact" ? "array" : "json", {
    opening: `${headOf(head, columns)}"data":${opening}`,
    closing: (budget, ending) => `\n${closing},${endingOf(requestId, budget, { total, ending })}`,
  });
}

/** A comma and a line feed stand before each row. */
const SEPARATOR_BYTES = 2;

/** The rows of one query, kept until the whole document is written. */
export class CollectedRows {
  readonly #options: DocumentOptions;
  readonly #budget: RowBudget;
  /** One of all rows, or of a column each. */
  readonly #lines: RowLines[];
  #count = 0;

  constructor(options: DocumentOptions, budget: RowBudget) {
    const { columns, layout, result } = options;
    this.#options = options;
    this.#budget = budget;
    this.#lines =
      layout === "columnar"
        ? columns.map((column, i) => new RowLines([column], "value", result.numbers, i))
        : [new RowLines(columns, layout === "compact" ? "array" : "json", result.numbers)];
  }

  get columns(): Column[] {
    return this.#options.columns;
  }

  write(row: Row): boolean {
    const before = this.#lines.map(({ out }) => out.length);
    for (const lines of this.#lines) lines.put(row);
    // The separator before the first row is not sent.
    const unsent = this.#count === 0 ? this.#lines.length * SEPARATOR_BYTES : 0;
    const size = this.#lines.reduce((sum, { out }, i) => sum + out.length - before[i]!, -unsent);
    if (!this.#budget.take(size)) {
      this.#lines.forEach(({ out }, i) => (out.length = before[i]!));
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
    const pieces = this.#lines.map(({ out }) => Buffer.from(out.written.subarray(SEPARATOR_BYTES)));
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

/** The text before the rows, and the text behind them. */
const rowsFrame = (columns: readonly Column[], layout: ResponseFormat): [string, string] =>
  layout === "compact" ? [`{"members":${namesOf(columns)},"dataset":[`, "]}"] : ["[", "]"];

function endingOf(
  requestId: string,
  { rowCount, truncated }: RowBudget,
  { total, ending }: { total: number | undefined; ending: Ending },
): string {
  const { rowCount: count, truncated: isCut, ...rest } = jsonEnding(requestId, rowCount, truncated, ending);
  const members = { rowCount: count, truncated: isCut, ...(total === undefined ? {} : { total }), ...rest };
  return `${JSON.stringify(members).slice(1)}\n`;
}
