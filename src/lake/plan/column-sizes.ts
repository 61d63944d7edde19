// Some columns of a table have a size in each of its files, as the files' writers counted.

import type { TableAt } from "./pruned-files.ts";

/** Bytes of the columns together, by file. A file of which one is not known is absent. */
export function readColumnSizes({ sql, tableId }: TableAt, columnIds: readonly number[]): Map<number, number> {
  const wanted = [...new Set(columnIds)];
  const rows = sql
    .exec(
      `SELECT data_file_id, sum(column_size_bytes), count(column_size_bytes) FROM ducklake_file_column_stats
       WHERE table_id = ? AND column_id IN (SELECT value FROM json_each(?)) GROUP BY data_file_id`,
      ...[tableId, JSON.stringify(wanted)],
    )
    .raw<[fileId: number, bytes: number, known: number]>();
  return new Map([...rows].flatMap(([fileId, bytes, known]) => (known === wanted.length ? [[fileId, bytes]] : [])));
}
