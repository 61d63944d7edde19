// A result as a Parquet file, its columns typed. A column's values decide on its type: a result's own types say less.

import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { RENDER_BOUNDS } from "../bounds.ts";
import type { ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { tooLargeFile } from "../result/unreadable.ts";
import { type ParquetColumn, parquetColumnOf } from "./parquet-columns.ts";

/** Cells that wait in memory for the end of a row group, and characters of their texts. */
const GROUP_CELLS_MAX = 100_000;
const GROUP_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Throws an {@link UnreadableResult} where the file would grow too large. */
export function writeParquet(table: ResultTable, bytesMax: number = RENDER_BOUNDS.fileBytesMax): Uint8Array {
  const names = distinct(table.columns.map(({ name }) => name));
  const columns = names.map((name, at) => parquetColumnOf(table, at, name));
  const schema = [{ name: "root", num_children: columns.length }, ...columns.map(({ element }) => element)];
  const writer = new ByteWriter();
  // Reading programs prune files by statistics; one file that is read as a whole has no use for them.
  const file = new ParquetWriter({ writer, schema, statistics: false, createdBy: "Fjord" });
  for (let from = 0; from < table.rowCount; ) {
    const { values, rows } = groupFrom(table, columns, from);
    const columnData = columns.map((column, at) => ({ name: column.element.name, data: values[at]! }));
    file.write({ columnData, rowGroupSize: rows });
    if (writer.offset > bytesMax) throw tooLargeFile(bytesMax);
    from += rows;
  }
  file.finish();
  return writer.getBytes();
}

/** The values of the next rows, by column: as many rows as a group may have, and one at least. */
function groupFrom(table: ResultTable, columns: readonly ParquetColumn[], from: number) {
  const rowsMax = Math.max(1, Math.floor(GROUP_CELLS_MAX / Math.max(1, columns.length)));
  const values = columns.map((): unknown[] => []);
  let characters = 0;
  let row = from;
  do {
    for (const [at, column] of columns.entries()) {
      const cell = table.cell(row, column.at);
      values[at]!.push(cell === null ? null : column.toValue(cell));
      if (typeof cell === "string") characters += cell.length;
      // A dictionary makes a row of many large cells of few bytes.
      if (characters > RENDER_BOUNDS.cellCharactersMax) throw tooLargeFile(RENDER_BOUNDS.cellCharactersMax);
    }
    row++;
  } while (row < table.rowCount && row - from < rowsMax && characters < GROUP_CHARACTERS_MAX);
  return { values, rows: row - from };
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
