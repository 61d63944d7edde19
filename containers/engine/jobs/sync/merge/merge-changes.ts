// `merge` of what changed: rows that went or changed are deleted by place, new and changed ones added, in one snapshot.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { extractInto } from "../../../extract/extract-table.ts";
import { COMMIT_FILES_MAX, type LakeChange } from "../../../contract/lake.ts";
import { writeDeleteFile } from "../../../parquet/delete-file.ts";
import { commitTable } from "../commit/commit-table.ts";
import { largestCursorValue, noRowsFoundNote } from "../tables/cursor.ts";
import type { ChangedRows } from "../changes/find-changes.ts";
import { HIT, type RowPositions } from "./find-row-positions.ts";
import { coarsened, type RangeChecksums } from "../changes/range-checksums.ts";
import { planLakeFiles, type LakeFile } from "../rows/lake-files.ts";
import { planMerge, ReadAllInstead, type Merge } from "./plan-merge.ts";
import { note } from "../progress/progress.ts";
import { withScratchTables, countRows, type ScratchTables } from "../rows/scratch-tables.ts";
import { partRows, uploadRows, type ReadSize, uploadsOf } from "../rows/upload-rows.ts";
import type { Baseline } from "../commit/checkpoint.ts";

/** Of the lake's rows, and at least so many: beyond it a full read is less work. */
const SHARE_MAX = 0.3;
const ROWS_MIN = 50_000;

/** Throws {@link ReadAllInstead} where the changes are too many, or do not add up. Nothing is committed then. */
export async function mergeChanges(merge: Merge, changed: ChangedRows): Promise<void> {
  const { run, table, columnPlan, progress, cursor, checkpoint } = merge;
  progress.method = changed.method;
  const uploads = uploadsOf(merge);
  try {
    await withScratchTables(run, async (desk) => {
      const { connection } = desk;
      const plan = await planLakeFiles(run, merge.lake.tableId);
      const { name: read, size } = await readChanged(merge, changed, desk, rowsReadMax(changed, plan.rows));
      progress.rowsRead = await countRows(connection, `FROM ${read}`);
      if (cursor && checkpoint.cursor?.value && progress.rowsRead === 0)
        note(progress, noRowsFoundNote(cursor, checkpoint.cursor.value));
      const { place, fresh, gone, added, spans } = await planMerge(merge, changed, desk, plan, read);
      const losses = lossesOf(plan.files, await countGone(desk, place), Math.ceil(added.rows / partRows(size)));
      progress.phase = "writing";
      let greatest = checkpoint.cursor?.value ?? null;
      await uploadRows(
        run,
        connection,
        fresh,
        columnPlan.columns,
        size,
        uploads,
        async (file) => void (greatest = cursor ? await largestCursorValue(run.staging, cursor, greatest, file) : null),
      );
      const deletes = await writeDeletes(merge, desk, losses, place, plan.root);
      progress.phase = "uploading";
      const files = await uploads.end();
      if (uploads.rows !== added.rows)
        throw new Error(`${merge.source.path}: ${added.rows} rows are new and ${uploads.rows} were uploaded`);
      progress.rowsDeleted = gone.rows;
      const existing = { schema: merge.lake.schema, name: merge.lake.name, expect: { tableId: merge.lake.tableId } };
      const changes: LakeChange[] = [
        ...deletes,
        ...(files.length > 0 ? [{ kind: "append" as const, ...existing, files }] : []),
      ];
      const memory = memoryOf(changed, spans);
      await commitTable(merge, {
        changes,
        baseSnapshotId: plan.snapshotId,
        memory,
        cursor: cursor ? { column: cursor.column.name, value: greatest } : null,
      });
    });
  } finally {
    await uploads.settle();
  }
}

/** Ranges are counted before they are read, and most of their rows may be as they were. */
const rowsReadMax = ({ memory }: ChangedRows, rowsBefore: number): number =>
  memory?.kind === "mysql" ? Infinity : Math.max(ROWS_MIN, rowsBefore * SHARE_MAX);

function memoryOf({ memory }: ChangedRows, spans: RangeChecksums | undefined): Baseline | null {
  if (memory?.kind === "mysql") return memory;
  return memory && spans ? { kind: "postgres", mark: memory.mark, keys: coarsened(spans) } : null;
}

async function readChanged(
  { run, table, progress }: Merge,
  { wheres }: ChangedRows,
  desk: ScratchTables,
  rowsMax: number,
): Promise<{ name: string; size: ReadSize }> {
  const { snapshot, staging } = run;
  const enough = new AbortController();
  const signal = AbortSignal.any([run.signal, enough.signal]);
  const tables: string[] = [];
  const size: ReadSize = { rows: 0, bytes: 0 };
  for (const where of wheres.length > 0 ? wheres : [run.snapshot.kind === "postgres" ? "false" : "1 = 0"]) {
    const read = desk.name("changed");
    tables.push(read);
    const report = await extractInto(read, {
      snapshot,
      table,
      staging,
      signal,
      where,
      onProgress: (rows) => {
        progress.rowsRead = size.rows + rows;
        if (progress.rowsRead > rowsMax)
          enough.abort(new ReadAllInstead("Many of its rows have changed: all of it is read."));
      },
    });
    for (const text of report.notes) note(progress, text);
    size.rows += report.rows;
    size.bytes += report.bytes;
  }
  const all = desk.name("all_changed");
  await desk.connection.run(`CREATE VIEW ${all} AS ${tables.map((name) => `FROM ${name}`).join(" UNION ALL ")}`);
  return { name: all, size };
}

/** Rows that go, by file. */
async function countGone({ connection }: ScratchTables, { hits }: RowPositions): Promise<Map<number, number>> {
  const reader = await connection.runAndReadAll(
    `SELECT ${HIT.file}, count(*) FROM ${hits} WHERE NOT ${HIT.same} GROUP BY ${HIT.file}`,
  );
  return new Map(reader.getRows().map(([file, rows]) => [Number(file), Number(rows)]));
}

/** Files that lose some of their rows, and those that lose all that were left. */
type Losses = { thinned: LakeFile[]; ended: LakeFile[] };

/**
 * `gone`: rows by file. `added`: files of new rows. Throws {@link ReadAllInstead} where one commit can't take as many
 * files, before any is written.
 */
export function lossesOf(files: readonly LakeFile[], gone: ReadonlyMap<number, number>, added: number): Losses {
  const touched = files.filter(({ id }) => gone.has(id));
  const isEnded = ({ id, rows, deletes }: LakeFile): boolean => gone.get(id)! + (deletes?.rows ?? 0) === rows;
  const thinned = touched.filter((file) => !isEnded(file));
  if (thinned.length + added > COMMIT_FILES_MAX) {
    throw new ReadAllInstead(
      `Its changes are spread over ${thinned.length} files, and one commit takes ${COMMIT_FILES_MAX}: all of it is read.`,
    );
  }
  return { thinned, ended: touched.filter(isEnded) };
}

async function writeDeletes(
  { run, lake, progress }: Merge,
  { connection }: ScratchTables,
  { thinned, ended }: Losses,
  { hits, deleted }: RowPositions,
  root: string,
): Promise<LakeChange[]> {
  const name = { schema: lake.schema, name: lake.name };
  const existing = { ...name, expect: { tableId: lake.tableId } };
  const deletes: Extract<LakeChange, { kind: "delete" }>["deletes"] = [];
  for (const { id, path } of thinned) {
    run.signal.throwIfAborted();
    const file = join(run.staging.directory, `${run.staging.nextName("deletes")}.parquet`);
    const positions = `SELECT ${HIT.position} AS position FROM ${hits} WHERE NOT ${HIT.same} AND ${HIT.file} = ${id} UNION SELECT position FROM ${deleted} WHERE file = ${id}`;
    const deleteFile = await run.staging.writing.run(
      () => writeDeleteFile(connection, root + path, positions, file),
      run.signal,
    );
    const [place] = await run.platform.uploads([name]);
    if (!place) throw new Error("the platform gave no place for a file");
    await run.platform.upload(place.url, file, deleteFile.bytes);
    await rm(file, { force: true });
    progress.bytesWritten += deleteFile.bytes;
    deletes.push({ dataFileId: id, file: { ...deleteFile, path: place.path } });
  }
  return [
    ...(deletes.length > 0 ? [{ kind: "delete" as const, ...existing, deletes }] : []),
    ...(ended.length > 0 ? [{ kind: "drop_files" as const, ...existing, dataFileIds: ended.map(({ id }) => id) }] : []),
  ];
}
