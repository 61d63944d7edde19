// An estimate of what a statement will read is put into words. Pure.

import type { components } from "../../../api/schema.d.ts";
import { formatBytes, formatExact } from "../../../ui/data/format.ts";

export type ReadEstimate = components["schemas"]["QueryEstimate"];
type Figures = components["schemas"]["ReadFigures"];

/** One line for all tables; undefined where nothing is known, or nothing is read of tables. */
export function estimateLine({ tables, total }: ReadEstimate): string | undefined {
  return tables.some(({ figures }) => figures) ? `reads ${figuresText(total)}` : undefined;
}

/** A line for each table. */
export const tableLines = ({ tables, readsDrive }: ReadEstimate): { name: string; text: string }[] => [
  ...tables.map(({ schema, name, at, figures }) => ({
    name: `${schema}.${name}${at === null ? "" : ` at ${at}`}`,
    text: figures ? figuresText(figures) : "not told: you see a part of it",
  })),
  ...(readsDrive ? [{ name: "the drive", text: "files besides" }] : []),
];

/** Bytes are the most that it may be: statistics within files may leave more out. */
function figuresText({ files, filesTotal, bytes }: Figures): string {
  const all = filesTotal === 1 ? "1 file" : `${formatExact(filesTotal)} files`;
  if (files === 0) return filesTotal === 0 ? "no files" : `none of ${all}`;
  return `${formatExact(files)} of ${all}, at most ${formatBytes(bytes)}`;
}
