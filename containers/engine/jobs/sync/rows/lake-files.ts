// A lake table's rows on local disk: one file at a time, so that a table of any size passes through.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { LakeColumn, PlannedFile, Predicate } from "../../../contract/lake.ts";
import { readFooters, type FileField } from "../../../parquet/footers.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { ROW_POSITION, ROW_POSITIONS, scanSql } from "../../../lake/sql/relations.ts";
import { withConnection } from "./scratch-tables.ts";
import type { SyncRun } from "../sync-run.ts";

export type LakeFile = PlannedFile & { deletes: PlannedFile | null };

/** Two FROM clauses of one fetched file: the rows that are left, and the positions of those that are deleted. */
export type LocalRows = { left: string; deleted: string | undefined };

/** The column of a row's position in its file, in {@link LocalRows.left}. */
export const POSITION = ROW_POSITION.position;

export type LakeFiles = {
  snapshotId: number;
  /** The address that the files' paths are relative to. */
  root: string;
  /** All data files of the table. */
  files: LakeFile[];
  /** The number of rows in `files`, without deleted ones. */
  rows: number;
  /**
   * Fetches, one after the other, the files that may hold rows for which all predicates of one list of `anyOf` hold,
   * and calls `use` for each, with `columns` under the names they have now. Only one file at a time lies on the disk.
   * Answers how many bytes were fetched.
   */
  each(
    anyOf: readonly Predicate[][],
    columns: readonly LakeColumn[],
    use: (file: LakeFile, rows: LocalRows) => Promise<void>,
  ): Promise<number>;
};

/** A table's files as of now. */
export async function planLakeFiles(run: SyncRun, tableId: number): Promise<LakeFiles> {
  const { platform, staging, signal } = run;
  const { snapshotId, root, tables } = await platform.plan(tableId);
  const files = tables[0]?.files ?? [];
  const findIds = async (anyOf: readonly Predicate[][]): Promise<Set<number>> => {
    if (anyOf.length === 0) return new Set();
    return new Set((await platform.plan(tableId, anyOf, snapshotId)).tables[0]?.files.map(({ id }) => id));
  };
  const fetch = async ({ id, bytes }: PlannedFile): Promise<string> => {
    const file = join(staging.directory, `${staging.nextName("lake")}.parquet`);
    // Signed when it is needed: the last of many files may be long in coming.
    const urls = await platform.sign([id], snapshotId);
    await platform.download(urls[id] ?? "", file, bytes);
    return file;
  };
  const shapeOf = async (path: string): Promise<FileField[]> => {
    const { shapes } = await withConnection(staging, (connection) => readFooters(connection, [path], []));
    return shapes[0]!;
  };
  return {
    snapshotId,
    root,
    files,
    rows: files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0),
    async each(anyOf, columns, use) {
      const wanted = await findIds(anyOf);
      let bytes = 0;
      for (const file of files) {
        if (!wanted.has(file.id)) continue;
        signal.throwIfAborted();
        bytes += file.bytes + (file.deletes?.bytes ?? 0);
        const rows = await fetch(file);
        const deletes = file.deletes ? await fetch(file.deletes) : undefined;
        const deleted = deletes && `FROM read_parquet(${quoteLiteral(deletes)})`;
        try {
          const notDeleted = deleted ? ` WHERE file_row_number NOT IN (SELECT pos ${deleted})` : "";
          const left = `FROM (${scanSql(columns, await shapeOf(rows), [rows], ROW_POSITIONS)}${notDeleted})`;
          await use(file, { left, deleted });
        } finally {
          for (const path of [rows, deletes]) if (path) await rm(path, { force: true });
        }
      }
      return bytes;
    },
  };
}
