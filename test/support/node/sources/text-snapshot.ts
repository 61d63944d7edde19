// A source that is nothing but rows of canonical text, as a sync reads one.

import { ChunkBuilder } from "../../../../containers/engine/extract/chunk-builder.ts";
import { cellWidth } from "../../../../containers/engine/extract/plan-columns.ts";
import type { ReadableSnapshot } from "../../../../containers/engine/extract/readable-snapshot.ts";
import type { ReadAs, Reading, SourceColumn, SourceTable } from "../../../../containers/engine/extract/source-table.ts";
import { TextRows } from "../../../../containers/engine/extract/text-cells.ts";

export type TextCells = (string | Buffer | null)[];

/** A column of the lake's type; `fallback` as in {@link SourceColumn}. */
export function textColumn(name: string, type: string, fallback?: ReadAs): SourceColumn {
  const lake = { id: 0, name, type, nullable: true, children: [] };
  return {
    name,
    type,
    lake,
    select: name,
    reading: readingOf(type),
    width: cellWidth(lake),
    ...(fallback ? { fallback } : {}),
  };
}

function readingOf(type: string): Reading {
  const decimal = /^decimal\((\d+),(\d+)\)$/.exec(type);
  if (decimal) return { as: "decimal", precision: Number(decimal[1]), scale: Number(decimal[2]) };
  if (/^int\d+$/.test(type)) return { as: "integer" };
  if (/^float\d+$/.test(type)) return { as: "float" };
  if (type === "varchar" || type === "json") return { as: "text" };
  return { as: type } as Reading;
}

export function textTable(columns: SourceColumn[]): SourceTable {
  return {
    schema: "s",
    name: "t",
    kind: "table",
    columns: columns.map((column, i) => ({ ...column, lake: { ...column.lake, id: i + 1 } })),
    primaryKey: [],
    fingerprint: "",
    comments: { table: null, columns: new Map() },
    rowsEstimate: null,
    bytesEstimate: null,
    notes: [],
  };
}

/** `rows` are handed over as `add` says. */
export function textSnapshot(
  rows: () => Iterable<TextCells>,
  add: (to: TextRows, cells: TextCells) => Promise<void> | undefined = (to, cells) => to.add(cells),
): ReadableSnapshot {
  return {
    consistency: "",
    readersMax: 1,
    describe: () => Promise.reject(new Error("it is known already")),
    async read({ columns, emptyColumns, take }) {
      const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, text.oddFloats));
      const text = new TextRows(columns, builder);
      for (const cells of rows()) {
        const waits = add(text, cells);
        if (waits) await waits;
      }
      await builder.flush();
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
    },
    close: () => Promise.resolve(),
  };
}
