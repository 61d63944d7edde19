// A lake table's rows on local disk: one file at a time, so that a table of any size passes through.

import { join } from "node:path";
import type { LakeColumn, PlannedFile, Predicate } from "../../../../../kernel/lake/lake.ts";
import { readFooters, type FileField } from "../../../parquet/footers.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { ROW_POSITION, ROW_POSITIONS, scanSql } from "../../../lake/sql/relations.ts";
import { CachedFile } from "../../../lake/files/cached-file.ts";
import { SMALL_BYTES_MAX } from "../../../lake/files/file-cache.ts";
import { ObjectReader, REQUESTS_MAX } from "../../../lake/files/object-reader.ts";
import { EVERY_FIELD } from "../../../parquet/column-chunks.ts";
import { Semaphore } from "../../../../program/semaphore.ts";
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
  /** The data files of the table that were planned. */
  files: LakeFile[];
  /** The number of rows in `files`, without deleted ones. */
  rows: number;
  /**
   * Fetches, one after the other, the files that may hold rows for which all predicates of one list of `anyOf` hold,
   * and calls `use` for each, with the columns that `columnsOf` wants of it under the names they have now; of a larger
   * file nothing else is fetched. Only one file at a time lies on the disk.
   */
  each(
    anyOf: readonly Predicate[][],
    columnsOf: (file: LakeFile) => readonly LakeColumn[],
    use: (file: LakeFile, rows: LocalRows) => Promise<void>,
  ): Promise<void>;
};

/** A table's files as of now; of those, the ones that were added after the file `after`. */
export async function planLakeFiles(run: SyncRun, tableId: number, after = -1): Promise<LakeFiles> {
  const { platform, signal } = run;
  const { snapshotId, root, tables } = await platform.plan(tableId);
  const files = (tables[0]?.files ?? []).filter(({ id }) => id > after);
  const findIds = async (anyOf: readonly Predicate[][]): Promise<Set<number>> => {
    if (anyOf.length === 0) return new Set();
    return new Set((await platform.plan(tableId, anyOf, snapshotId)).tables[0]?.files.map(({ id }) => id));
  };
  return {
    snapshotId,
    root,
    files,
    rows: files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0),
    async each(anyOf, columnsOf, use) {
      const wanted = await findIds(anyOf);
      const fetched = new FetchedFiles(run, snapshotId);
      for (const file of files) {
        if (!wanted.has(file.id)) continue;
        signal.throwIfAborted();
        try {
          const columns = columnsOf(file);
          const { path, shape } = await fetched.columns(file, columns);
          const deleted = file.deletes && `FROM read_parquet(${quoteLiteral(await fetched.whole(file.deletes))})`;
          const notDeleted = deleted ? ` WHERE file_row_number NOT IN (SELECT pos ${deleted})` : "";
          const left = `FROM (${scanSql(columns, shape, [path], ROW_POSITIONS)}${notDeleted})`;
          await use(file, { left, deleted: deleted ?? undefined });
        } finally {
          fetched.remove();
        }
      }
    },
  };
}

/** Files on the local disk, until they are removed together. */
class FetchedFiles {
  readonly #run: SyncRun;
  readonly #snapshotId: number;
  readonly #requests = new Semaphore(REQUESTS_MAX);
  readonly #files: CachedFile[] = [];

  constructor(run: SyncRun, snapshotId: number) {
    this.#run = run;
    this.#snapshotId = snapshotId;
  }

  /** Answers where it lies. */
  async whole(file: PlannedFile): Promise<string> {
    const { path, local, object } = await this.#begin(file);
    await local.fetchWhole(object);
    return path;
  }

  /** The file, of which only `columns` can be read where it is larger. */
  async columns(file: PlannedFile, columns: readonly LakeColumn[]): Promise<{ path: string; shape: FileField[] }> {
    const { path, local, object } = await this.#begin(file);
    await (file.bytes <= SMALL_BYTES_MAX ? local.fetchWhole(object) : local.fetchFooter(object));
    const { shapes, chunks } = await withConnection(this.#run.staging, (connection) =>
      readFooters(connection, [path], local.needsLayout ? [path] : []),
    );
    const shape = shapes[0]!;
    if (chunks[0]) local.setLayout(chunks[0]);
    const ids = new Set<number | null>(columns.map(({ id }) => id));
    await local.fetchChunks(
      () => object,
      ({ field }) => field === EVERY_FIELD || ids.has(shape[field]!.id),
    );
    return { path, shape };
  }

  remove(): void {
    for (const file of this.#files.splice(0)) file.forget();
  }

  async #begin({ id, bytes }: PlannedFile): Promise<{ path: string; local: CachedFile; object: ObjectReader }> {
    const { platform, staging, signal } = this.#run;
    // Signed when it is needed: the last of many files may be long in coming.
    const urls = await platform.sign([id], this.#snapshotId);
    const local = new CachedFile(staging.directory, `${staging.nextName("lake")}.parquet`, bytes, () => undefined);
    this.#files.push(local);
    const object = new ObjectReader(urls[id] ?? "", platform.store, this.#requests, signal);
    return { path: join(staging.directory, local.path), local, object };
  }
}
