// A commit in the making: the catalog as it was read, changed in memory change by change. What differs at the end is
// written.

import type { LakeChange } from "../../../kernel/lake/commit.ts";
import type { Flaw } from "../../core/problem.ts";
import { tableKey, type CatalogState, type Comments, type FileState, type SchemaState } from "../state/state.ts";
import { shownOwner } from "../writers/owners.ts";
import type { Intent } from "./conflicts.ts";
import type { Cell, Row } from "../format/ducklake-tables.ts";
import type { TableState } from "../state/table-state.ts";

/** The specification's words for what a commit does to a table. */
export type DoneToTable = "inserted_into_table" | "deleted_from_table" | "altered_table" | "compacted_table";

/**
 * A table with what the commit does to it. `before` is the table as it was read; a table of the commit's own has none.
 */
export type TableDraft = TableState & {
  before: TableState | undefined;
  /** Every data and delete file that was there ends. */
  endsAllFiles: boolean;
  endedDataFiles: Set<number>;
  endedDeleteFiles: Set<number>;
  addedFiles: Row<"ducklake_data_file">[];
  addedFileStatistics: Row<"ducklake_file_column_stats">[];
  addedDeleteFiles: Row<"ducklake_delete_file">[];
  /** Comments that become others. */
  newComments: Comments;
  /** What the snapshot's changes will say of it. */
  did: Set<DoneToTable>;
};

export type Draft = Omit<CatalogState, "tables" | "others"> & {
  snapshotId: number;
  jobId: string;
  actor: string;
  baseSnapshotId: number | undefined;
  /** By {@link tableKey}, under the names they have so far. */
  tables: Map<string, TableDraft>;
  droppedTables: TableState[];
  createdSchemas: (SchemaState & { uuid: string })[];
  droppedSchemas: SchemaState[];
  intents: Intent[];
  flaws: Flaw[];
  newUuid: () => string;
  /** Paths of the files that the commit brings, by {@link tableKey} of the names that they are brought under. */
  newFiles: ReadonlyMap<string, readonly string[]>;
};

/** Applies one change to the draft. Notes flaws there; returns the conflict, if there is one. */
export type Apply<Kind extends LakeChange["kind"]> = (
  draft: Draft,
  change: Extract<LakeChange, { kind: Kind }>,
  pointer: string,
) => string | undefined;

export const draftTable = (state: TableState, before: TableState | undefined): TableDraft => ({
  ...state,
  columns: new Map(state.columns),
  usedColumnIds: new Set(state.usedColumnIds),
  summaries: new Map(state.summaries),
  before,
  endsAllFiles: false,
  endedDataFiles: new Set(),
  endedDeleteFiles: new Set(),
  addedFiles: [],
  addedFileStatistics: [],
  addedDeleteFiles: [],
  newComments: new Map(),
  did: new Set(),
});

/** The table a change names, which its actor may change; or the conflict that stands against it. */
export const findTable = (draft: Draft, named: NamedTable): TableDraft | string =>
  refusesActor(draft, named.schema, named.name) ?? lookUp(draft, named);

export type NamedTable = { schema: string; name: string; expect?: { tableId: number } | undefined };

/**
 * The table a change names, whoever owns it. A name means the table it meant at the commit's base, or it is a conflict.
 */
export function lookUp({ tables, known }: Draft, { schema, name, expect }: NamedTable): TableDraft | string {
  const key = tableKey(schema, name);
  const table = tables.get(key);
  if (!table) return `${schema}.${name} does not exist.`;
  const meant = expect?.tableId ?? table.tableId;
  const wasMeant = !known || !table.before || table.before.name !== table.name || known.get(key) === table.tableId;
  return meant === table.tableId && wasMeant
    ? table
    : `${schema}.${name} was replaced by another commit in the meantime.`;
}

/** Why the commit's actor may not touch a table of this name, or undefined. */
export function refusesActor({ owners, actor }: Draft, schema: string, name: string): string | undefined {
  const owner = owners.get(tableKey(schema, name));
  return owner && owner.owner !== actor
    ? `${schema}.${name} belongs to ${shownOwner(owner)}; nothing else may write to it.`
    : undefined;
}

/** An intent on a table that other commits know; what the commit made itself nobody can have changed. */
export function intend(
  draft: Draft,
  kind: "drop" | "alter" | "insert" | "delete" | "compact",
  table: TableDraft,
): void {
  if (table.before)
    draft.intents.push({ kind, schema: table.before.schema, name: table.before.name, tableId: table.tableId });
}

/** A table that the commit itself made leaves no trace. */
export function discardTable(draft: Draft, table: TableDraft): void {
  draft.tables.delete(tableKey(table.schema, table.name));
  if (!table.before) return;
  intend(draft, "drop", table);
  draft.droppedTables.push(table.before);
}

/**
 * The data files a change names, each live and of this table. A file that was ended, or deleted from since the base, is
 * a conflict: what the writer knew of its rows is no longer so.
 */
export function findFiles(draft: Draft, table: TableDraft, dataFileIds: readonly number[]): FileState[] | string {
  const files: FileState[] = [];
  for (const id of new Set(dataFileIds)) {
    const file = draft.files.get(id);
    const isGone = !file || file.tableId !== table.tableId || table.endsAllFiles || table.endedDataFiles.has(id);
    if (isGone) return `Data file ${id} is not, or no longer, part of ${table.schema}.${table.name}.`;
    if (draft.baseSnapshotId !== undefined && file.touchedAt !== null && file.touchedAt > draft.baseSnapshotId) {
      return `Data file ${id} of ${table.schema}.${table.name} was deleted from by another commit in the meantime.`;
    }
    files.push(file);
  }
  return files;
}

/** Without a base nobody could know whether the rows a change speaks of are still the same. */
export function needsBase(draft: Draft, pointer: string): void {
  if (draft.baseSnapshotId === undefined)
    draft.flaws.push({ pointer, message: "A change that names data files needs the commit's baseSnapshotId." });
}

/** Ends data files with the delete files they have. */
export function endFiles(table: TableDraft, files: readonly FileState[]): void {
  for (const { dataFileId, deleteFileId, rows, bytes } of files) {
    table.endedDataFiles.add(dataFileId);
    if (deleteFileId !== null) table.endedDeleteFiles.add(deleteFileId);
    table.addedDeleteFiles = table.addedDeleteFiles.filter(({ data_file_id }) => data_file_id !== dataFileId);
    table.recordCount -= rows;
    table.bytes -= bytes;
  }
  // Bounds of more than there is are bounds still; of nothing there are none.
  if (table.recordCount === 0) table.summaries.clear();
}

/** Three-valued truth as the catalog stores it. */
export const flagOf = (value: boolean | null): Cell => (value === null ? null : Number(value));
