// The rows of the source that changed, read into scratch tables.

import { createTable, extractInto } from "../../../extract/extract-table.ts";
import type { ChangedRows } from "../../../extract/changes/changes.ts";
import { columnsToRead } from "../../../extract/read-parts.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import { note } from "../progress/progress.ts";
import type { ScratchTables } from "../rows/scratch-tables.ts";
import type { ReadSize } from "../rows/upload-rows.ts";
import type { Merge } from "./check-mergeable.ts";

/** `name`: the view of all rows that were read. */
export type ChangedTable = { name: string; size: ReadSize };

/**
 * Reads the changed rows, which are those that satisfy one of `wheres`, and the digests of their keys where the source
 * has `summed` them. Throws {@link ReadAllInstead} as soon as there are more than `rowsMax`.
 */
export async function readChangedRows(
  { run, table, progress }: Merge,
  { wheres, summed }: Pick<ChangedRows, "wheres" | "summed">,
  scratch: ScratchTables,
  rowsMax: number,
): Promise<ChangedTable> {
  const { sourceSnapshot, staging } = run;
  const enough = new AbortController();
  const signal = AbortSignal.any([run.signal, enough.signal]);
  const tables: string[] = [];
  const size: ReadSize = { rows: 0, bytes: 0 };
  const nextTable = (): string => {
    tables.push(scratch.name("changed"));
    return tables.at(-1)!;
  };
  const beside = summed && { beside: summed.column };
  // Where nothing changed, the source is not asked.
  if (wheres.length === 0) await createTable(scratch.connection, nextTable(), columnsToRead({ table, ...beside }));
  for (const where of wheres) {
    const read = nextTable();
    const report = await extractInto(read, {
      snapshot: sourceSnapshot,
      table,
      staging,
      signal,
      where,
      ...beside,
      onProgress: (rows) => {
        progress.rowsRead = size.rows + rows;
        if (progress.rowsRead > rowsMax) enough.abort(new ReadAllInstead(READ_ALL.manyRowsChanged));
      },
    });
    for (const text of report.notes) note(progress, text);
    size.rows += report.rows;
    size.bytes += report.bytes;
  }
  const name = scratch.name("all_changed");
  await scratch.connection.run(`CREATE VIEW ${name} AS ${tables.map((each) => `FROM ${each}`).join(" UNION ALL ")}`);
  return { name, size };
}
