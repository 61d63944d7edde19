// A result as a Parquet file, its columns typed. A column's values decide on its type: a result's own types say less.

import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { RENDER_BOUNDS } from "../bounds.ts";
import type { ResultTable } from "../result/read-result.ts";
import { UnreadableResult } from "../result/unreadable.ts";
import { type ParquetColumn, parquetColumnOf } from "./parquet-columns.ts";

/** Cells that wait in memory for the end of a row group. */
const GROUP_CELLS_MAX = 100_000;

/** Throws an {@link UnreadableResult} where the file would grow too large. */
export function writeParquet(table: ResultTable): Uint8Array {
  const names = distinct(table.columns.map(({ name }) => name));
  const columns = names.map((name, at) => parquetColumnOf(table, at, name));
  const schema = [{ name: "root", num_children: columns.length }, ...columns.map(({ element }) => element)];
  const writer = new ByteWriter();
  // Reading programs prune files by statistics; one file that is read as a whole has no use for them.
  const file = new ParquetWriter({ writer, schema, statistics: false, createdBy: "Fjord" });
  const groupRows = Math.max(1, Math.floor(GROUP_CELLS_MAX / Math.max(1, columns.length)));
  for (let from = 0; from < table.rowCount; from += groupRows) {
    const to = Math.min(table.rowCount, from + groupRows);
    const columnData = columns.map((column) => ({
      name: column.element.name,
      data: valuesOf(table, column, from, to),
    }));
    file.write({ columnData, rowGroupSize: to - from });
    requireWithin(writer.offset);
  }
  file.finish();
  return writer.getBytes();
}

function valuesOf(table: ResultTable, { at, toValue }: ParquetColumn, from: number, to: number): unknown[] {
  const values: unknown[] = [];
  let bytes = 0;
  for (let row = from; row < to; row++) {
    const cell = table.cell(row, at);
    values.push(cell === null ? null : toValue(cell));
    if (typeof cell === "string") requireWithin((bytes += cell.length));
  }
  return values;
}

function requireWithin(bytes: number): void {
  if (bytes > RENDER_BOUNDS.fileBytesMax)
    throw new UnreadableResult("too_large", `The file would have more than ${RENDER_BOUNDS.fileBytesMax} bytes.`);
}

/** Readers find a column by its name, so each has one of its own. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 2; seen.has(own); n++) if (!taken.has(`${name}_${n}`)) own = `${name}_${n}`;
    seen.add(own);
    taken.add(own);
    return own;
  });
}
