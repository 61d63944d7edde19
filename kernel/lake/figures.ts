// A lake's figures are measured by its catalog, stored by the platform and shown in answers.

import type { LakeTableName } from "./lake.ts";

/**
 * Figures of live files. A data file below half of its table's `target_file_size` is small. `rows` counts deleted rows
 * too: they are still in the data files.
 */
export type FileFigures = {
  files: number;
  bytes: number;
  smallFiles: number;
  smallBytes: number;
  deleteFiles: number;
  deleteBytes: number;
  rows: number;
  deletedRows: number;
};

export type TableFigures = LakeTableName & FileFigures & { tableId: number; targetBytes: number };

/** Instants are ISO 8601. */
export type LakeFigures = {
  snapshotId: number;
  tables: number;
  total: FileFigures;
  /** Tables, with those that have the most small and delete files first. */
  worst: TableFigures[];
  snapshots: { count: number; oldestId: number; oldestAt: string; newestAt: string };
  /** `current` is read by the newest snapshot; `keptForSnapshots` by older ones only. */
  bytes: { current: number; keptForSnapshots: number };
  /**
   * Files about to be deleted; a file is due once the grace, or `delete_older_than`, is over for it. A file that
   * an earlier version scheduled counts no bytes.
   */
  scheduled: { files: number; bytes: number; dueFiles: number; dueBytes: number; oldestAt: string | null };
};
