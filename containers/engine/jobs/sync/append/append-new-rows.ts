// `append` after the first run: rows from a little before the last one's largest cursor on, without those the lake has
// already.

import { rename, rm } from "node:fs/promises";
import type { LakeColumn, LakeTable } from "../../../contract/lake.ts";
import { sameName } from "../../../duckdb/names.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { extractInto, extractParts } from "../../../extract/extract-table.ts";
import type { PartUploads } from "../../../platform/part-uploads.ts";
import type { Changes } from "../../../extract/changes/changes.ts";
import { findLateRows, lateBaseline } from "../changes/find-changes.ts";
import type { Checkpoint } from "../commit/checkpoint.ts";
import { commitTable, tableChanges } from "../commit/commit-table.ts";
import { note } from "../progress/progress.ts";
import { castColumns, isEqual, namesOf, withScratchTables, type ScratchTables } from "../rows/scratch-tables.ts";
import { uploadPart, uploadRows, uploadsOf, type ReadSize } from "../rows/upload-rows.ts";
import type { PreparedTable } from "../sync-run.ts";
import { LargestValue, noRowsFoundNote, rereadFrom, unseenNote, type Cursor } from "../tables/cursor.ts";
import { loadLakeRows } from "./load-lake-rows.ts";

/** `from`: where the source is read again from; null where the last run found no value of the cursor. */
type Append = { prepared: PreparedTable; lake: LakeTable; cursor: Cursor; from: string | null };

/** Rows that were read of the source: those of a table with a key are in `files`, those of one without in `table`. */
type ReadRows = { table: string; files: string[]; isKeyed: boolean; size: ReadSize };

/** Read what may be new, leave out what the lake has, upload, commit. */
export async function appendNewRows(
  prepared: PreparedTable,
  { lake, checkpoint, cursor }: { lake: LakeTable; checkpoint: Checkpoint; cursor: Cursor },
): Promise<void> {
  const { run, source, progress } = prepared;
  const before = checkpoint.cursor?.value ?? null;
  const from = before === null ? null : await rereadFrom(run.staging, cursor, before);
  const late = findLateRows(prepared);
  noteUnseenRows(prepared, cursor, late);
  const append: Append = { prepared, lake, cursor, from };
  const uploads = uploadsOf(prepared);
  const files: string[] = [];
  try {
    await withScratchTables(run, async (scratch) => {
      const read = await readSource(append, late, scratch, files);
      if (before !== null && from !== null && read.size.rows === 0) note(progress, noRowsFoundNote(cursor, before));
      const largest = new LargestValue(run.staging, cursor, before);
      const rows = read.size.rows > 0 ? await uploadNewRows(append, read, scratch, { uploads, largest }) : 0;
      progress.phase = "uploading";
      const added = await uploads.end();
      if (uploads.rows !== rows)
        throw new Error(`${source.path}: ${rows} rows are new and ${uploads.rows} were uploaded`);
      await commitTable(prepared, {
        changes: tableChanges(prepared, added, "append"),
        cursor: largest.checkpoint,
        baseline: lateBaseline(prepared),
      });
    });
  } finally {
    await uploads.settle();
    for (const file of files) await rm(file, { force: true });
  }
}

function noteUnseenRows({ progress }: PreparedTable, cursor: Cursor, late: Changes | undefined): void {
  note(progress, unseenNote(cursor, "append", late !== undefined && "where" in late));
  if (late && "full" in late)
    note(
      progress,
      `Rows that were committed late before this run may be missing; a run in full brings them. ${late.full}`,
    );
}

/** Files that are kept are added to `files`, also of a reading that fails. */
async function readSource(
  { prepared: { run, table, progress }, cursor, from }: Append,
  late: Changes | undefined,
  scratch: ScratchTables,
  files: string[],
): Promise<ReadRows> {
  const { snapshot, staging, signal } = run;
  const name = scratch.name("read");
  const isKeyed = table.primaryKey.length > 0;
  const orLate = late && "where" in late ? ` OR (${late.where})` : "";
  const order = {
    snapshot,
    table,
    staging,
    signal,
    onProgress: (rows: number) => void (progress.rowsRead = rows),
    ...(from !== null && { where: `(${snapshot.isFrom(cursor.column, from)})${orLate}` }),
  };
  const report = isKeyed
    ? await extractParts({ ...order, onPart: async ({ file }) => void files.push(await keep(file)) })
    : await extractInto(name, order);
  for (const text of report.notes) note(progress, text);
  progress.rowsRead = report.rows;
  return { table: name, files, isKeyed, size: report };
}

/**
 * Rows with a key wait in files: of a table of its own DuckDB reads two thousand values at a time, and its memory may
 * not hold as many large ones.
 */
async function keep(file: string): Promise<string> {
  const kept = `${file}.kept`;
  await rename(file, kept);
  return kept;
}

/** Uploads the rows that the lake has not; answers how many there were. */
async function uploadNewRows(
  { prepared, lake, cursor, from }: Append,
  read: ReadRows,
  scratch: ScratchTables,
  { uploads, largest }: { uploads: PartUploads; largest: LargestValue },
): Promise<number> {
  const { run, progress } = prepared;
  const { connection } = scratch;
  progress.phase = "comparing";
  const [cast, known] = [scratch.name("cast"), scratch.name("known")];
  const { columns, compared } = columnsToCompare(prepared, read, cursor);
  const rows = read.isKeyed ? rowsIn(read.files) : read.table;
  await connection.run(`CREATE VIEW ${cast} AS SELECT ${castColumns(columns)} FROM ${rows}`);
  await loadLakeRows(prepared, connection, { lake, cursor, from, columns: compared, read: cast, into: known });
  progress.phase = "writing";
  const newRows = { run, connection, columns, uploads, onFile: largest.add };
  if (!read.isKeyed) {
    const fresh = scratch.name("fresh");
    await connection.run(`CREATE TEMP TABLE ${fresh} AS ${withoutRows(cast, known, columns)}`);
    return uploadRows(newRows, fresh, read.size);
  }
  let count = 0;
  for (const file of read.files) {
    const part = `(SELECT ${castColumns(columns)} FROM ${rowsIn([file])})`;
    count += await uploadPart(newRows, withoutKeys(part, known, compared));
  }
  return count;
}

/** The lake's columns that the source has, and those of them by which a row of the lake is recognised. */
function columnsToCompare(
  { table, columnPlan }: PreparedTable,
  { isKeyed }: ReadRows,
  cursor: Cursor,
): { columns: LakeColumn[]; compared: LakeColumn[] } {
  const names = isKeyed
    ? new Set([...table.primaryKey, cursor.column.name])
    : new Set(table.columns.map(({ name }) => name));
  const isOf = (column: LakeColumn, of: typeof table.columns): boolean =>
    of.some(({ lake }) => sameName(lake.name, column.name));
  const columns = columnPlan.columns.filter((column) => isOf(column, table.columns));
  const comparing = table.columns.filter(({ name }) => names.has(name));
  return { columns, compared: columns.filter((column) => isOf(column, comparing)) };
}

const rowsIn = (files: readonly string[]): string => `read_parquet([${files.map(quoteLiteral).join(", ")}])`;

/** A key and its cursor name one state of a row: a changed row whose cursor grew is added beside its earlier self. */
const withoutKeys = (read: string, known: string, compared: readonly LakeColumn[]): string =>
  `SELECT * FROM ${read} AS r WHERE NOT EXISTS (SELECT 1 FROM ${known} AS k WHERE ${isEqual("k", "r", compared)})`;

/** Without a key, equal rows are counted: as many as the lake lacks are new. */
const withoutRows = (read: string, known: string, columns: readonly LakeColumn[]): string =>
  `FROM ${read} EXCEPT ALL SELECT ${namesOf(columns)} FROM ${known}`;
