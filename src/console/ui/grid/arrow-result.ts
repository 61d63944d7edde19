// An Arrow stream as the kernel's drawing reads a result: numbers exact, times as ISO texts.

import { tableFromIPC } from "apache-arrow";
import type { Cell, ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { ArrowSource } from "./arrow-source.ts";

/** Throws where the bytes are no Arrow stream. */
export function readArrowSource(bytes: Uint8Array): ArrowSource {
  const { schema, batches } = tableFromIPC(bytes);
  const source = new ArrowSource(schema.fields);
  for (const batch of batches) source.add(batch);
  return source;
}

/** As {@link readArrowSource}. */
export const readArrow = (bytes: Uint8Array): ResultTable => resultTableOf(readArrowSource(bytes));

export const resultTableOf = (source: ArrowSource): ResultTable => ({
  columns: source.columns.map(({ name }, at) => ({ name, kind: source.kinds[at]! })),
  rowCount: source.rowCount,
  cell: (row, column) => cellOf(source.text(row, column), source.kinds[column]!),
});

function cellOf(text: string | null, kind: ColumnKind): Cell {
  if (text === null) return null;
  if (kind === "boolean") return text === "true";
  if (kind === "bigint") return BigInt(text);
  return kind === "integer" || kind === "float" ? Number(text) : text;
}
