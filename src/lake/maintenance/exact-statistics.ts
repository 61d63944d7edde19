// A table's statistics put together anew from those of its live files. Commits only ever widen them: what was
// overwritten, deleted or compacted away stays in a bound until this looks.

import type { ColumnStatistics } from "../../../kernel/lake/commit.ts";
import { refuse, accept, type Answer } from "../../core/answer.ts";
import { isNested } from "../format/column-types.ts";
import { flagOf } from "../commit/draft.ts";
import { readSummaries } from "../state/table-state.ts";
import { mergeFiles, type ColumnSummary } from "../format/statistics.ts";

/** `tables` are those that were corrected; `next` is what to ask with to go on, null at the end. */
export type StatisticsStep = { tables: number; next: string | null };

/** Files and their statistics that one step reads, at most; a single column's of one table may be more. */
const STATISTICS_MAX = 50_000;

type Cursor = { tableId: number; columnId: number };

/** Goes through live tables, and in them through columns, in the order of their ids. Repeatable. */
export function makeStatisticsExact(storage: DurableObjectStorage, after: string | null): Answer<StatisticsStep> {
  const from = after === null ? { tableId: 0, columnId: 0 } : parseCursor(after);
  if (!from) return refuse("validation_failed", "This is no place to go on from.");
  return storage.transactionSync(() => {
    const { sql } = storage;
    const corrected = new Set<number>();
    let read = 0;
    for (const tableId of readTables(sql, from.tableId)) {
      const columns = readColumns(sql, tableId, tableId === from.tableId ? from.columnId : 0);
      if (read >= STATISTICS_MAX) return accept(stepOf(corrected, { tableId, columnId: 0 }));
      const files = readLiveFiles(sql, tableId);
      read += files.size;
      if (correctCounts(sql, tableId)) corrected.add(tableId);
      const known = readSummaries(sql, tableId);
      for (const [at, column] of columns.entries()) {
        if (at > 0 && read + files.size > STATISTICS_MAX)
          return accept(stepOf(corrected, { tableId, columnId: column.id }));
        read += files.size + 1;
        if (correctColumn(sql, tableId, { ...column, files, known: known.get(column.id) })) corrected.add(tableId);
      }
    }
    return accept(stepOf(corrected, null));
  });
}

const stepOf = (corrected: ReadonlySet<number>, next: Cursor | null): StatisticsStep => ({
  tables: corrected.size,
  next: next && `${next.tableId}:${next.columnId}`,
});

function parseCursor(text: string): Cursor | undefined {
  const [, tableId, columnId] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  return tableId === undefined ? undefined : { tableId: Number(tableId), columnId: Number(columnId) };
}

/** Live ones that ever had rows. */
const readTables = (sql: SqlStorage, from: number): number[] =>
  sql
    .exec<{ id: number }>(
      `SELECT t.table_id AS id FROM ducklake_table t JOIN ducklake_table_stats USING (table_id)
       WHERE t.end_snapshot IS NULL AND t.table_id >= ? ORDER BY id`,
      from,
    )
    .toArray()
    .map(({ id }) => id);

type Column = { id: number; type: string; since: number };

/** Leaves, each with the snapshot that it is there since: files from before hold no value of it. */
const readColumns = (sql: SqlStorage, tableId: number, from: number): Column[] =>
  sql
    .exec<Column>(
      `SELECT c.column_id AS id, c.column_type AS type, (SELECT min(v.begin_snapshot) FROM ducklake_column v
         WHERE v.table_id = c.table_id AND v.column_id = c.column_id) AS since
       FROM ducklake_column c WHERE c.table_id = ? AND c.end_snapshot IS NULL AND c.column_id >= ? ORDER BY id`,
      tableId,
      from,
    )
    .toArray()
    .filter(({ type }) => !isNested(type));

/** Rows and bytes of the live data files; deleted rows count, as they do in every commit. */
const correctCounts = (sql: SqlStorage, tableId: number): boolean =>
  sql
    .exec(
      `UPDATE ducklake_table_stats SET (record_count, file_size_bytes) = (
         SELECT coalesce(sum(record_count), 0), coalesce(sum(file_size_bytes), 0) FROM ducklake_data_file
         WHERE table_id = ?1 AND end_snapshot IS NULL)
       WHERE table_id = ?1 AND (record_count, file_size_bytes) IS NOT (
         SELECT coalesce(sum(record_count), 0), coalesce(sum(file_size_bytes), 0) FROM ducklake_data_file
         WHERE table_id = ?1 AND end_snapshot IS NULL) RETURNING 1`,
      tableId,
    )
    .toArray().length > 0;

type KnownColumn = Column & { files: LiveFiles; known: ColumnSummary | undefined };

/** What the files do not say stays as it is known: a bound of more is a bound still. Nulls alone have none. */
function correctColumn(sql: SqlStorage, tableId: number, { id, type, since, files, known }: KnownColumn): boolean {
  const statistics = readFileStatistics(sql, tableId, { id, since, files });
  const merged = mergeFiles(type, statistics);
  const hasBounds = statistics.some((file) => file === undefined || file.values > file.nulls);
  const exact = merged && {
    containsNull: merged.containsNull ?? known?.containsNull ?? null,
    containsNan: merged.containsNan ?? known?.containsNan ?? null,
    min: merged.min ?? (hasBounds ? (known?.min ?? null) : null),
    max: merged.max ?? (hasBounds ? (known?.max ?? null) : null),
  };
  if (JSON.stringify(exact) === JSON.stringify(known)) return false;
  sql.exec("DELETE FROM ducklake_table_column_stats WHERE table_id = ? AND column_id = ?", tableId, id);
  if (exact)
    sql.exec(
      `INSERT INTO ducklake_table_column_stats
         (table_id, column_id, contains_null, contains_nan, min_value, max_value, extra_stats)
       VALUES (?, ?, ?, ?, ?, ?, NULL)`,
      ...[tableId, id, flagOf(exact.containsNull), flagOf(exact.containsNan), exact.min, exact.max],
    );
  return true;
}

type LiveFiles = ReadonlyMap<number, { rows: number; begins: number }>;

/** Live files that hold rows, by id. */
function readLiveFiles(sql: SqlStorage, tableId: number): LiveFiles {
  const files = sql
    .exec(
      `SELECT data_file_id, record_count, begin_snapshot FROM ducklake_data_file
       WHERE table_id = ? AND end_snapshot IS NULL AND record_count > 0`,
      tableId,
    )
    .raw<[id: number, rows: number, begins: number]>();
  return new Map([...files].map(([id, rows, begins]) => [id, { rows, begins }]));
}

type StatisticsRow = [
  ...[fileId: number, values: number | null, nulls: number | null],
  ...[min: string | null, max: string | null, containsNan: number | null],
];

/** Statistics of each live file; undefined for one that says nothing of the column. */
function readFileStatistics(
  sql: SqlStorage,
  tableId: number,
  { id, since, files }: Pick<KnownColumn, "id" | "since" | "files">,
): (ColumnStatistics | undefined)[] {
  const rows = sql
    .exec(
      `SELECT data_file_id, value_count, null_count, min_value, max_value, contains_nan
       FROM ducklake_file_column_stats WHERE table_id = ? AND column_id = ?`,
      tableId,
      id,
    )
    .raw<StatisticsRow>();
  const known = new Map<number, ColumnStatistics>();
  for (const [fileId, values, nulls, min, max, nan] of rows)
    if (files.has(fileId) && values !== null && nulls !== null)
      known.set(fileId, {
        columnId: id,
        bytes: 0,
        values,
        nulls,
        min,
        max,
        containsNan: nan === null ? null : nan !== 0,
      });
  return [...files].map(
    ([fileId, { rows, begins }]) =>
      known.get(fileId) ?? (begins < since ? { ...NO_VALUES, columnId: id, values: rows, nulls: rows } : undefined),
  );
}

const NO_VALUES = { bytes: 0, min: null, max: null, containsNan: false };
