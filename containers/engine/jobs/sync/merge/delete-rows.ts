// Deletes rows: a delete file for each data file that loses some of its rows, and an end for each that loses all.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { COMMIT_FILES_MAX, type LakeChange } from "../../../../../kernel/lake/commit.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import { writeDeleteFile } from "../../../parquet/delete-file.ts";
import type { LakeFile } from "../rows/lake-files.ts";
import type { ScratchTables } from "../rows/scratch-tables.ts";
import type { Merge } from "./check-mergeable.ts";
import { HIT, type RowPositions } from "./find-row-positions.ts";

/** Files that lose some of their rows, and those that lose all that were left. */
export type Losses = { thinned: LakeFile[]; ended: LakeFile[] };

/** Rows that are deleted, by file. */
export async function countLostRows(
  { connection }: ScratchTables,
  { hits }: RowPositions,
): Promise<Map<number, number>> {
  const reader = await connection.runAndReadAll(
    `SELECT ${HIT.file}, count(*) FROM ${hits} WHERE NOT ${HIT.same} GROUP BY ${HIT.file}`,
  );
  return new Map(reader.getRows().map(([file, rows]) => [Number(file), Number(rows)]));
}

/**
 * `lost`: rows by file. `added`: files of new rows. Throws {@link ReadAllInstead} where one commit can't take as many
 * files, before any is written.
 */
export function planLosses(files: readonly LakeFile[], lost: ReadonlyMap<number, number>, added: number): Losses {
  const touched = files.filter(({ id }) => lost.has(id));
  const isEnded = ({ id, rows, deletes }: LakeFile): boolean => lost.get(id)! + (deletes?.rows ?? 0) === rows;
  const thinned = touched.filter((file) => !isEnded(file));
  if (thinned.length + added > COMMIT_FILES_MAX)
    throw new ReadAllInstead(READ_ALL.tooManyFiles(thinned.length, COMMIT_FILES_MAX));
  return { thinned, ended: touched.filter(isEnded) };
}

/** Writes and uploads the delete files. `root`: what the data files' paths are below. */
export async function deleteRows(
  merge: Merge,
  { connection }: ScratchTables,
  { losses: { thinned, ended }, positions, root }: { losses: Losses; positions: RowPositions; root: string },
): Promise<LakeChange[]> {
  const { run, lake, progress } = merge;
  const existing = { schema: lake.schema, name: lake.name, expect: { tableId: lake.tableId } };
  const deletes: Extract<LakeChange, { kind: "delete" }>["deletes"] = [];
  for (const { id, path } of thinned) {
    run.signal.throwIfAborted();
    const local = join(run.staging.directory, `${run.staging.nextName("deletes")}.parquet`);
    const select = positionsIn(id, positions);
    const deleteFile = await run.staging.writing.run(
      () => writeDeleteFile(connection, root + path, select, local),
      run.signal,
    );
    const file = { ...deleteFile, path: await uploadTo(merge, local, deleteFile.bytes) };
    progress.bytesWritten += deleteFile.bytes;
    deletes.push({ dataFileId: id, file });
  }
  return [
    ...(deletes.length > 0 ? [{ kind: "delete" as const, ...existing, deletes }] : []),
    ...(ended.length > 0 ? [{ kind: "drop_files" as const, ...existing, dataFileIds: ended.map(({ id }) => id) }] : []),
  ];
}

/** A delete file replaces the data file's earlier one, so that it includes the earlier one's positions. */
const positionsIn = (id: number, { hits, deleted }: RowPositions): string =>
  `SELECT ${HIT.position} AS position FROM ${hits} WHERE NOT ${HIT.same} AND ${HIT.file} = ${id}
    UNION SELECT position FROM ${deleted} WHERE file = ${id}`;

async function uploadTo({ run, lake }: Merge, local: string, bytes: number): Promise<string> {
  const [target] = await run.platform.uploads([{ schema: lake.schema, name: lake.name }]);
  if (!target) throw new Error("the platform named no upload for a file");
  await run.platform.upload(target.url, local, bytes);
  await rm(local, { force: true });
  return target.path;
}
