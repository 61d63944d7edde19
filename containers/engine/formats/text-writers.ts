// The formats that are text. Formats of record batches are apart, as Arrow's library is large and not every program
// writes them.

import type { TextFormat } from "../../../kernel/wire/engine-program.ts";
import { jsonTail, membersOf } from "./json.ts";
import { layoutOf, type Layout } from "./lines/line-writer.ts";
import { RowLines } from "./lines/row-lines.ts";
import type { Column, Ending, RowWriter, WriterOptions } from "./result.ts";
import { RowBudget } from "./row-budget.ts";

/** The head of a result, before its first row. */
export const headOf: Record<TextFormat, (columns: readonly Column[]) => string> = {
  json: (columns) => `{${membersOf(columns)},"data":[`,
  csv: (columns) => `${columns.map(({ name }) => csvCell(name)).join(",")}\n`,
  ndjson: () => "",
};

/**
 * A writer of one result in this format, whatever the options say.
 *
 * CSV is RFC 4180 with lines ending in LF, a header row, NULL as nothing and the empty string as `""`. A row of one
 * NULL alone is an empty line, as in PostgreSQL's COPY.
 */
export function createTextWriter(format: TextFormat, options: WriterOptions): RowWriter {
  const { columns, requestId } = options;
  const opening = headOf[format](columns);
  return format === "json"
    ? createDocument(options, "json", {
        opening,
        closing: ({ rowCount, truncated }, ending) => jsonTail(requestId, rowCount, truncated, ending),
      })
    : createRowWriter(options, layoutOf(format, options.result), opening);
}

const csvCell = (name: string): string =>
  name === "" || /[,"\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

function createRowWriter({ columns, result }: WriterOptions, layout: Layout, opening: string): RowWriter {
  const lines = new RowLines(columns, layout, result.numbers);
  const { out } = lines;
  out.text(opening);
  return {
    write(row) {
      lines.put(row);
      return true;
    },
    get pending() {
      return out.length;
    },
    take: () => out.take(),
    end: () => out.take(),
  };
}

/** The head and the end of a JSON document: up to the first row, and from behind the last row on. */
export type DocumentFrame = { opening: string; closing(rows: RowBudget, ending: Ending): string };

/** Writes a document's rows as they come. Past `rowsMax` rows or `bytesMax` bytes of rows the row is refused. */
export function createDocument(options: WriterOptions, layout: Layout, { opening, closing }: DocumentFrame): RowWriter {
  const { columns, result } = options;
  const lines = new RowLines(columns, layout, result.numbers);
  const { out } = lines;
  const budget = new RowBudget(result);
  out.text(opening);
  return {
    write(row) {
      const before = out.length;
      lines.put(row);
      // The comma that parts a row from the one before.
      if (budget.rowCount === 0) out.remove(before, 1);
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
