// A lake table's rows on local disk: one file at a time, so that a table of any size passes through.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { LakeColumn, PlannedFile, Predicate } from "../../lake-protocol.ts";
import { duckdbType, identifier, literal } from "../../lake/lake-types.ts";
import type { SyncRun } from "./sync-run.ts";

export type LakeFile = PlannedFile & { deletes: PlannedFile | null };

/** The FROM clauses of a file: its rows that are left, and the positions of those that are not. */
export type LocalRows = { left: string; deleted: string | undefined };

/** A row's place in its file, in {@link LocalRows.left}. */
export const POSITION = '"fjord position"';

export type LakeFiles = {
  snapshotId: number;
  files: LakeFile[];
  /** Fetches each file in turn, of which `use` sees `columns` under their names now. */
  each(columns: readonly LakeColumn[], use: (file: LakeFile, rows: LocalRows) => Promise<void>): Promise<void>;
};

/** No name a user's column might share with a column of DuckDB's own. */
const field = ({ id }: LakeColumn): string => `field_${id}`;

/** The files that may hold rows for which all of `predicates` hold, as of now. */
export async function planLakeFiles(run: SyncRun, tableId: number, predicates: Predicate[]): Promise<LakeFiles> {
  const { platform, staging, signal } = run;
  const { snapshotId, tables } = await platform.plan(tableId, predicates);
  const files = tables[0]?.files ?? [];
  const fetch = async ({ id, bytes }: PlannedFile): Promise<string> => {
    const file = join(staging.directory, `${staging.nextName("lake")}.parquet`);
    // Signed when it is needed: the last of many files may be long in coming.
    const urls = await platform.sign([id], snapshotId);
    await platform.download(urls[id] ?? "", file, bytes);
    return file;
  };
  return {
    snapshotId,
    files,
    async each(columns, use) {
      const fields = columns.map((column) => `${column.id}: {name: ${literal(field(column))}, type: ${literal(duckdbType(column))}, default_value: NULL}`);
      const cells = columns.map((column) => `${field(column)} AS ${identifier(column.name)}`);
      for (const file of files) {
        signal.throwIfAborted();
        const rows = await fetch(file);
        const deletes = file.deletes ? await fetch(file.deletes) : undefined;
        const deleted = deletes && `FROM read_parquet(${literal(deletes)})`;
        const left =
          `FROM (SELECT ${cells.join(", ")}, file_row_number AS ${POSITION} FROM read_parquet(${literal(rows)}, schema = MAP {${fields.join(", ")}})` +
          `${deleted ? ` WHERE file_row_number NOT IN (SELECT pos ${deleted})` : ""})`;
        try {
          await use(file, { left, deleted });
        } finally {
          for (const path of [rows, deletes]) if (path) await rm(path, { force: true });
        }
      }
    },
  };
}
