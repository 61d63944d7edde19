// A catalog on its first use: the specification's tables and first snapshot, and beside them our own tables and
// indexes.

import { newId } from "../../core/ids.ts";
import { ACCESS_TABLES } from "../access/kept-access.ts";
import { ICEBERG_TABLES } from "../iceberg/objects.ts";
import { VERSION_TABLES } from "../plan/versions.ts";
import { createTableStatements, DUCKLAKE_VERSION } from "../format/ducklake-tables.ts";
import { insertRows } from "../format/insert-rows.ts";
import { formatInstant } from "../format/instant.ts";

/** The layout of the tables below. */
const CATALOG_LAYOUT = 7;

/** Everything of ours starts with `fjord_`, so that an export by name holds DuckLake's tables and nothing else. */
const OUR_TABLES = [
  "CREATE TABLE fjord_leases (name TEXT PRIMARY KEY, fence INTEGER NOT NULL, holder TEXT, " +
    "expires_at_ms INTEGER NOT NULL)",
  "CREATE TABLE fjord_commits (key TEXT PRIMARY KEY, snapshot_id INTEGER NOT NULL, committed_at_ms INTEGER NOT NULL)",
  "CREATE INDEX fjord_commits_age ON fjord_commits (committed_at_ms)",
  "CREATE TABLE fjord_state (key TEXT PRIMARY KEY, value TEXT NOT NULL, snapshot_id INTEGER NOT NULL)",
  `CREATE TABLE fjord_owners (schema_name TEXT NOT NULL COLLATE NOCASE, table_name TEXT NOT NULL COLLATE NOCASE,
     owner TEXT NOT NULL, owner_name TEXT NOT NULL, PRIMARY KEY (schema_name, table_name))`,
  "CREATE INDEX fjord_owners_owner ON fjord_owners (owner)",
  "CREATE TABLE fjord_jobs (lease TEXT PRIMARY KEY, fence INTEGER NOT NULL, progress TEXT NOT NULL, outcome TEXT)",
];

const OUR_INDEXES = [
  "CREATE INDEX fjord_table_schema ON ducklake_table (schema_id)",
  "CREATE UNIQUE INDEX fjord_table_live ON ducklake_table (schema_id, table_name COLLATE NOCASE) " +
    "WHERE end_snapshot IS NULL",
  "CREATE INDEX fjord_table_id ON ducklake_table (table_id)",
  "CREATE INDEX fjord_column_table ON ducklake_column (table_id)",
  "CREATE INDEX fjord_data_file_table ON ducklake_data_file (table_id, file_order)",
  "CREATE UNIQUE INDEX fjord_data_file_path ON ducklake_data_file (path)",
  "CREATE INDEX fjord_data_file_live ON ducklake_data_file (table_id) WHERE end_snapshot IS NULL",
  "CREATE INDEX fjord_data_file_ended ON ducklake_data_file (end_snapshot) WHERE end_snapshot IS NOT NULL",
  "CREATE INDEX fjord_delete_file_data ON ducklake_delete_file (data_file_id)",
  "CREATE INDEX fjord_delete_file_live ON ducklake_delete_file (table_id) WHERE end_snapshot IS NULL",
  "CREATE INDEX fjord_delete_file_ended ON ducklake_delete_file (end_snapshot) WHERE end_snapshot IS NOT NULL",
  "CREATE UNIQUE INDEX fjord_delete_file_path ON ducklake_delete_file (path)",
  "CREATE INDEX fjord_file_stats ON ducklake_file_column_stats (data_file_id)",
  "CREATE INDEX fjord_column_file_stats ON ducklake_file_column_stats (table_id, column_id)",
  "CREATE UNIQUE INDEX fjord_table_stats ON ducklake_table_stats (table_id)",
  "CREATE UNIQUE INDEX fjord_column_stats ON ducklake_table_column_stats (table_id, column_id)",
];

/** What each later layout added. A catalog of any layout before becomes the newest in place. */
const SINCE: Readonly<Record<number, readonly string[]>> = {
  2: [
    "CREATE INDEX fjord_tag_object ON ducklake_tag (object_id)",
    "CREATE INDEX fjord_column_tag ON ducklake_column_tag (table_id, column_id)",
  ],
  3: [
    "ALTER TABLE fjord_leases ADD COLUMN base_snapshot INTEGER",
    "ALTER TABLE fjord_leases ADD COLUMN schema_name TEXT COLLATE NOCASE",
    "ALTER TABLE fjord_leases ADD COLUMN table_name TEXT COLLATE NOCASE",
    "CREATE INDEX fjord_lease_table ON fjord_leases (schema_name, table_name) WHERE table_name IS NOT NULL",
    "CREATE INDEX fjord_snapshot_time ON ducklake_snapshot (snapshot_time)",
    "CREATE TABLE fjord_scheduled (file_id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)",
    "CREATE INDEX fjord_schedule_start ON ducklake_files_scheduled_for_deletion (schedule_start, data_file_id)",
    "CREATE INDEX fjord_schedule_path ON ducklake_files_scheduled_for_deletion (path)",
    "CREATE INDEX fjord_schedule_file ON ducklake_files_scheduled_for_deletion (data_file_id)",
  ],
  4: ACCESS_TABLES,
  5: [
    "DROP INDEX fjord_column_file_stats",
    "CREATE INDEX fjord_column_file_stats ON ducklake_file_column_stats (table_id, column_id, data_file_id)",
  ],
  6: VERSION_TABLES,
  7: ICEBERG_TABLES,
};

/**
 * Where the files lie, seen from the catalog; an export writes the bucket's URL here, and every path below is relative
 * to it.
 */
const DATA_PATH = "./";

/** A catalog's storage, laid out on first use: one that was deleted may be asked again by who has not heard of it. */
export class OpenCatalog {
  readonly #storage: DurableObjectStorage;
  #isOpen = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get storage(): DurableObjectStorage {
    if (!this.#isOpen) openCatalog(this.#storage, Date.now());
    this.#isOpen = true;
    return this.#storage;
  }

  /** Whether a catalog is there, of whatever layout. Lays none out. */
  get isThere(): boolean {
    return this.#isOpen || isLaidOut(this.#storage.sql);
  }

  /** To be called before the storage is deleted: it is laid out anew when it is used again. */
  close(): void {
    this.#isOpen = false;
  }
}

/** Creates what is missing. Throws when a newer version of this code laid the catalog out. */
export function openCatalog(storage: DurableObjectStorage, nowMs: number): void {
  const { sql } = storage;
  const layout = layoutOf(sql);
  if (layout === CATALOG_LAYOUT) return;
  storage.transactionSync(() => {
    if (layout === undefined) {
      for (const statement of [...createTableStatements, ...OUR_TABLES, ...OUR_INDEXES]) sql.exec(statement);
      seed(sql, nowMs);
      sql.exec("CREATE TABLE fjord_layout (version INTEGER NOT NULL)");
      sql.exec("INSERT INTO fjord_layout VALUES (?)", CATALOG_LAYOUT);
    }
    for (let next = (layout ?? 1) + 1; next <= CATALOG_LAYOUT; next++) {
      for (const statement of SINCE[next] ?? []) sql.exec(statement);
    }
    sql.exec("UPDATE fjord_layout SET version = ?", CATALOG_LAYOUT);
  });
}

const isLaidOut = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'fjord_layout'").toArray().length > 0;

function layoutOf(sql: SqlStorage): number | undefined {
  if (!isLaidOut(sql)) return undefined;
  const { version } = sql.exec<{ version: number }>("SELECT version FROM fjord_layout").one();
  // An older Worker must not write to a catalog whose layout it does not know.
  if (version > CATALOG_LAYOUT)
    throw new Error(`The catalog has layout ${version}; this version knows ${CATALOG_LAYOUT}.`);
  return version;
}

/** Snapshot 0: an empty schema `main`, as every DuckLake begins. */
function seed(sql: SqlStorage, nowMs: number): void {
  insertRows(sql, "ducklake_snapshot", [
    { snapshot_id: 0, snapshot_time: formatInstant(nowMs), schema_version: 0, next_catalog_id: 1, next_file_id: 0 },
  ]);
  insertRows(sql, "ducklake_snapshot_changes", [
    {
      snapshot_id: 0,
      changes_made: 'created_schema:"main"',
      author: null,
      commit_message: null,
      commit_extra_info: null,
    },
  ]);
  insertRows(sql, "ducklake_schema", [
    {
      schema_id: 0,
      schema_uuid: newId(new Date(nowMs)),
      begin_snapshot: 0,
      end_snapshot: null,
      schema_name: "main",
      path: "main/",
      path_is_relative: 1,
    },
  ]);
  const settings = { version: DUCKLAKE_VERSION, created_by: "Fjord", data_path: DATA_PATH, encrypted: "false" };
  insertRows(
    sql,
    "ducklake_metadata",
    Object.entries(settings).map(([key, value]) => ({ key, value, scope: null, scope_id: null })),
  );
}
