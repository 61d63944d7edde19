// A commit is decided on the head of the catalog, and everything about the schemas, tables and files it names.

import type { LakeChange, LakeCommit } from "../../../kernel/lake/commit.ts";
import { parseChanges, type Change } from "../format/change-text.ts";
import { visible } from "../format/visible.ts";
import { parseInstant } from "../format/instant.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { findWork } from "../writers/at-work.ts";
import { findOwner, type Owner } from "../writers/owners.ts";
import { readTable, readTablesOf, type TableState } from "./table-state.ts";
import { readTakenFolders } from "./taken-folders.ts";

export type Head = {
  snapshotId: number;
  timeMs: number;
  schemaVersion: number;
  nextCatalogId: number;
  nextFileId: number;
};

export type SchemaState = { schemaId: number; name: string; path: string };

/**
 * A live data file that the commit names, with its live delete file. `touchedAt` is the snapshot that last deleted from
 * it.
 */
export type FileState = {
  dataFileId: number;
  tableId: number;
  rows: number;
  bytes: number;
  fileOrder: number;
  rowIdStart: number | null;
  deleteFileId: number | null;
  deletedRows: number;
  touchedAt: number | null;
};

/** By column, the table's own under null; a comment of null ends the one before. */
export type Comments = Map<number | null, string | null>;

export type CatalogState = {
  head: Head;
  /** By {@link foldName}. */
  schemas: Map<string, SchemaState>;
  /** Names, by {@link foldName}, of schemas that there were at the commit's base and are no more. */
  lostSchemas: Set<string>;
  /** By {@link tableKey}. */
  tables: Map<string, TableState>;
  /** Which tables the names meant at the commit's base, by {@link tableKey}; undefined for a commit without one. */
  known: Map<string, number> | undefined;
  /** By data file. */
  files: Map<number, FileState>;
  /** Comments of the tables whose comments the commit sets: by table, then column. */
  comments: Map<number, Comments>;
  /** By {@link tableKey}. */
  owners: Map<string, Owner>;
  /** Why the tables that are to be compacted may not be just now, by {@link tableKey}. */
  work: Map<string, string>;
  /** Names of the commit's files that the catalog has already. */
  takenFiles: Set<string>;
  /** Folders that tables to be made would have by their names, and that hold files of other tables. */
  takenFolders: Set<string>;
  /**
   * What other snapshots changed since the commit's base; undefined when that base is not, or no longer, a snapshot.
   */
  others: Change[] | undefined;
};

export const tableKey = (schema: string, name: string): string => JSON.stringify([foldName(schema), foldName(name)]);

/** `lease` is the committer's own. */
export function readState(
  sql: SqlStorage,
  commit: LakeCommit,
  { lease, nowMs }: { lease: string; nowMs: number },
): CatalogState {
  const tables = new Map<string, TableState>();
  const named = commit.changes.flatMap(namesIn);
  for (const [schema, name] of named) {
    const key = tableKey(schema, name);
    const table = tables.get(key) ?? readTable(sql, schema, name);
    if (table) tables.set(key, table);
  }
  for (const change of commit.changes) {
    if (change.kind === "drop_schema")
      for (const table of readTablesOf(sql, change.schema)) tables.set(tableKey(table.schema, table.name), table);
  }
  const schemas = readSchemas(sql);
  return {
    head: readHead(sql),
    schemas,
    lostSchemas: readLostSchemas(sql, commit.baseSnapshotId),
    tables,
    known: readKnown(sql, named, commit.baseSnapshotId),
    files: readFiles(sql, commit.changes.flatMap(filesTouched)),
    comments: readComments(sql, commit.changes, tables),
    owners: readOwnersOf(sql, [...tables.values(), ...named.map(([schema, name]) => ({ schema, name }))]),
    work: readWork(sql, commit.changes, lease, nowMs),
    takenFiles: readTaken(sql, commit.changes.flatMap(pathsAdded)),
    takenFolders: readTakenFolders(sql, commit.changes, schemas),
    others: readOthers(sql, commit.baseSnapshotId),
  };
}

function namesIn(change: LakeChange): [schema: string, name: string][] {
  if (change.kind === "create_schema" || change.kind === "drop_schema") return [];
  const named: [string, string] = [change.schema, change.name];
  return change.kind === "rename_table" ? [named, [change.schema, change.to]] : [named];
}

/** The data files a change names. */
function filesTouched(change: LakeChange): number[] {
  if (change.kind === "delete") return change.deletes.map(({ dataFileId }) => dataFileId);
  return change.kind === "drop_files" || change.kind === "compact" ? change.dataFileIds : [];
}

/** The paths of the files a change adds. */
export function pathsAdded(change: LakeChange): string[] {
  if (change.kind === "delete") return change.deletes.map(({ file }) => file.path);
  return "files" in change ? change.files.map(({ path }) => path) : [];
}

export function readHead(sql: SqlStorage): Head {
  const { time, ...head } = sql
    .exec<Omit<Head, "timeMs"> & { time: string }>(
      `SELECT snapshot_id AS snapshotId, snapshot_time AS time, schema_version AS schemaVersion,
              next_catalog_id AS nextCatalogId, next_file_id AS nextFileId
       FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1`,
    )
    .one();
  return { ...head, timeMs: parseInstant(time) };
}

function readSchemas(sql: SqlStorage): Map<string, SchemaState> {
  const rows = sql.exec<SchemaState>(
    "SELECT schema_id AS schemaId, schema_name AS name, path FROM ducklake_schema WHERE end_snapshot IS NULL",
  );
  return new Map(rows.toArray().map((schema) => [foldName(schema.name), schema]));
}

function readLostSchemas(sql: SqlStorage, baseSnapshotId: number | undefined): Set<string> {
  if (baseSnapshotId === undefined) return new Set();
  const query = "SELECT schema_name AS name FROM ducklake_schema WHERE begin_snapshot <= ?1 AND end_snapshot > ?1";
  return new Set(
    sql
      .exec<{ name: string }>(query, baseSnapshotId)
      .toArray()
      .map(({ name }) => foldName(name)),
  );
}

function readKnown(
  sql: SqlStorage,
  named: readonly [schema: string, name: string][],
  baseSnapshotId: number | undefined,
): CatalogState["known"] {
  if (baseSnapshotId === undefined) return undefined;
  const at = [baseSnapshotId, baseSnapshotId];
  const find = (schema: string, name: string) =>
    sql
      .exec<{ id: number }>(
        `SELECT t.table_id AS id FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
         WHERE s.schema_name = ? COLLATE NOCASE AND t.table_name = ? COLLATE NOCASE AND ${visible("t")}
           AND ${visible("s")}`,
        ...[schema, name],
        ...at,
        ...at,
      )
      .toArray()[0]?.id;
  const known = new Map<string, number>();
  for (const [schema, name] of named) {
    const id = find(schema, name);
    if (id !== undefined) known.set(tableKey(schema, name), id);
  }
  return known;
}

function readOwnersOf(sql: SqlStorage, tables: readonly { schema: string; name: string }[]): CatalogState["owners"] {
  const owners: CatalogState["owners"] = new Map();
  for (const { schema, name } of tables) {
    const owner = findOwner(sql, schema, name);
    if (owner) owners.set(tableKey(schema, name), owner);
  }
  return owners;
}

function readWork(sql: SqlStorage, changes: readonly LakeChange[], lease: string, nowMs: number): CatalogState["work"] {
  const work: CatalogState["work"] = new Map();
  for (const change of changes) {
    if (change.kind !== "compact") continue;
    const found = findWork(sql, change, lease, nowMs);
    if (found !== undefined) work.set(tableKey(change.schema, change.name), found);
  }
  return work;
}

function readFiles(sql: SqlStorage, dataFileIds: readonly number[]): Map<number, FileState> {
  if (dataFileIds.length === 0) return new Map();
  const rows = sql.exec<FileState>(
    `SELECT f.data_file_id AS dataFileId, f.table_id AS tableId, f.record_count AS rows, f.file_size_bytes AS bytes,
            f.file_order AS fileOrder, f.row_id_start AS rowIdStart,
            d.delete_file_id AS deleteFileId, coalesce(d.delete_count, 0) AS deletedRows, d.begin_snapshot AS touchedAt
     FROM ducklake_data_file f LEFT JOIN ducklake_delete_file d ON d.data_file_id = f.data_file_id
       AND d.end_snapshot IS NULL
     WHERE f.data_file_id IN (SELECT value FROM json_each(?)) AND f.end_snapshot IS NULL`,
    JSON.stringify(dataFileIds),
  );
  return new Map(rows.toArray().map((file) => [file.dataFileId, file]));
}

function readComments(
  sql: SqlStorage,
  changes: readonly LakeChange[],
  tables: CatalogState["tables"],
): CatalogState["comments"] {
  const comments: CatalogState["comments"] = new Map();
  for (const change of changes) {
    const table = change.kind === "set_comments" ? tables.get(tableKey(change.schema, change.name)) : undefined;
    if (!table) continue;
    const rows = sql.exec<{ columnId: number | null; comment: string | null }>(
      `SELECT NULL AS columnId, value AS comment FROM ducklake_tag WHERE object_id = ?1 AND key = 'comment'
        AND end_snapshot IS NULL
       UNION ALL SELECT column_id, value FROM ducklake_column_tag WHERE table_id = ?1 AND key = 'comment'
         AND end_snapshot IS NULL`,
      table.tableId,
    );
    comments.set(table.tableId, new Map(rows.toArray().map(({ columnId, comment }) => [columnId, comment])));
  }
  return comments;
}

function readTaken(sql: SqlStorage, paths: readonly string[]): Set<string> {
  if (paths.length === 0) return new Set();
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const names = JSON.stringify(paths.map(nameOf));
  const among = (table: string) => `SELECT path FROM ${table} WHERE path IN (SELECT value FROM json_each(?))`;
  // The schedule has whole paths: a file that is about to be deleted must not become a table's again.
  const tables = ["ducklake_data_file", "ducklake_delete_file", "ducklake_files_scheduled_for_deletion"];
  const rows = sql.exec<{ path: string }>(tables.map(among).join(" UNION ALL "), names, names, JSON.stringify(paths));
  return new Set(rows.toArray().map(({ path }) => nameOf(path)));
}

function readOthers(sql: SqlStorage, baseSnapshotId: number | undefined): Change[] | undefined {
  if (baseSnapshotId === undefined) return [];
  const isKnown =
    sql.exec("SELECT 1 FROM ducklake_snapshot WHERE snapshot_id = ?", baseSnapshotId).toArray().length > 0;
  if (!isKnown) return undefined;
  const rows = sql
    .exec<{ changes: string }>(
      "SELECT changes_made AS changes FROM ducklake_snapshot_changes WHERE snapshot_id > ?",
      baseSnapshotId,
    )
    .toArray();
  // What an expired snapshot changed is forgotten, so a base from before it can't be judged any more.
  if (rows.length !== readHead(sql).snapshotId - baseSnapshotId) return undefined;
  return rows.flatMap(({ changes }) => parseChanges(changes ?? ""));
}
