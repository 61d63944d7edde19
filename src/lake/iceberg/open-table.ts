// A table as the Iceberg catalog serves it: found by its name for a reader who may read it whole, with its versions.

import type { LakeColumn, LakeTableName } from "../../../kernel/lake/lake.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { noTable } from "../access/no-table.ts";
import type { Reader } from "../access/readers.ts";
import { openWholeTables } from "../access/whole-tables.ts";
import { parseInstant } from "../format/instant.ts";
import { behindFolder } from "../format/names.ts";
import { describeColumns } from "../plan/describe.ts";
import { FAILING_BY_ROW } from "./format/column-types.ts";
import type { IcebergSchema, SnapshotFacts } from "./format/table-metadata.ts";
import { findMetadata } from "./objects.ts";

/**
 * What the table was from the snapshot `version` on. `snapshotId` is the oldest snapshot that is kept and shows the
 * table so. `list` is null until the snapshot's manifest list is written; its path is relative to the lake's root.
 */
export type TableVersion = {
  version: number;
  snapshotId: number;
  atMs: number;
  schemaId: number;
  list: { path: string; facts: SnapshotFacts } | null;
};

export type OpenedTable = {
  tableId: number;
  uuid: string;
  schema: string;
  name: string;
  /** Relative to the lake's root. */
  folder: string;
  /** Another table has the folder too, or had it and left files there. */
  sharesFolder: boolean;
  lastColumnId: number;
  failsByRow: boolean;
  schemas: IcebergSchema[];
  /** The newest ones, oldest first; at least one. */
  versions: TableVersion[];
  /** Paths of the newest version's metadata that is written, by key. */
  metadata: Record<string, string>;
};

type TableRow = Pick<OpenedTable, "tableId" | "uuid" | "schema" | "name" | "folder">;

const LIVE_TABLES = `SELECT t.table_id AS tableId, t.table_uuid AS uuid, s.schema_name AS schema,
    t.table_name AS name, s.path || t.path AS folder
  FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
  WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL`;

/** Where the table is filtered, masked or granted in part, it is not there. */
export function findTable(sql: SqlStorage, named: LakeTableName, reader: Reader): Answer<TableRow> {
  const [table] = sql
    .exec<TableRow>(
      `${LIVE_TABLES} AND s.schema_name = ? COLLATE NOCASE AND t.table_name = ? COLLATE NOCASE`,
      named.schema,
      named.name,
    )
    .toArray();
  const isThere = table !== undefined && openWholeTables(reader, sql, [table.tableId])(table.tableId);
  return isThere ? accept(table) : noTable(named);
}

export function openTable(sql: SqlStorage, named: LakeTableName, reader: Reader): Answer<OpenedTable> {
  const found = findTable(sql, named, reader);
  if (!found.ok) return found;
  const table = found.value;
  const { versions, schemas } = describeVersions(sql, table.tableId, readVersions(sql, table.tableId));
  const newest = versions.at(-1);
  if (!newest) throw new Error(`Table ${table.tableId} has no version.`);
  return accept({
    ...table,
    sharesFolder: hasOthersFiles(sql, table),
    ...readColumnFacts(sql, table.tableId),
    schemas,
    versions,
    metadata: findMetadata(sql, table.tableId, newest.version),
  });
}

/** The schemas and tables of the reader's. A schema is there with a table of it, or for who reads everything. */
export function listTables(sql: SqlStorage, reader: Reader): { schemas: string[]; tables: LakeTableName[] } {
  const isWhole = openWholeTables(reader, sql);
  const tables = sql
    .exec<TableRow>(`${LIVE_TABLES} ORDER BY schema, name`)
    .toArray()
    .filter(({ tableId }) => isWhole(tableId));
  const shown = new Set(tables.map(({ schema }) => schema));
  const schemas = sql
    .exec<{ name: string }>("SELECT schema_name AS name FROM ducklake_schema WHERE end_snapshot IS NULL ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => reader === "everything" || shown.has(name));
  return { schemas, tables: tables.map(({ schema, name }) => ({ schema, name })) };
}

type VersionRow = {
  version: number;
  snapshotId: number;
  time: string;
  schemaId: number;
  path: string | null;
  facts: string | null;
};

/** A version that no kept snapshot shows is left out. */
function readVersions(sql: SqlStorage, tableId: number): TableVersion[] {
  return sql
    .exec<VersionRow>(
      `WITH newest AS (SELECT snapshot_id FROM fjord_table_versions WHERE table_id = ?1
         ORDER BY snapshot_id DESC LIMIT ?2),
       versions AS (SELECT snapshot_id AS version, lead(snapshot_id) OVER (ORDER BY snapshot_id) AS next FROM newest)
       SELECT v.version, s.snapshot_id AS snapshotId, s.snapshot_time AS time,
         coalesce((SELECT max(schema_version) FROM ducklake_schema_versions
           WHERE table_id = ?1 AND begin_snapshot <= v.version), 0) AS schemaId, o.path, o.facts
       FROM versions v JOIN ducklake_snapshot s
         ON s.snapshot_id = (SELECT min(snapshot_id) FROM ducklake_snapshot WHERE snapshot_id >= v.version)
         LEFT JOIN fjord_iceberg_objects o ON o.table_id = ?1 AND o.kind = 'list'
           AND o.key = CAST(v.version AS TEXT) AND o.bytes IS NOT NULL
       WHERE v.next IS NULL OR s.snapshot_id < v.next ORDER BY v.version`,
      tableId,
      LAKE_CATALOG_LIMITS.icebergSnapshotsMax,
    )
    .toArray()
    .map(({ version, snapshotId, time, schemaId, path, facts }) => ({
      ...{ version, snapshotId, atMs: parseInstant(time), schemaId },
      list: path === null || facts === null ? null : { path, facts: JSON.parse(facts) as SnapshotFacts },
    }));
}

/** The versions with their schemas: the newest ones, as far as there is room for the columns of both. */
function describeVersions(
  sql: SqlStorage,
  tableId: number,
  versions: TableVersion[],
): Pick<OpenedTable, "versions" | "schemas"> {
  const schemas = new Map<number, IcebergSchema>();
  let columns = 0;
  let oldest = versions.length;
  for (const { schemaId, version } of versions.toReversed()) {
    if (!schemas.has(schemaId)) {
      const schema = { schemaId, columns: describeColumns(sql, version, tableId) };
      columns += countColumns(schema.columns);
      if (schemas.size > 0 && columns > LAKE_CATALOG_LIMITS.icebergColumnsMax) break;
      schemas.set(schemaId, schema);
    }
    oldest--;
  }
  return { versions: versions.slice(oldest), schemas: [...schemas.values()].reverse() };
}

const countColumns = (columns: readonly LakeColumn[]): number =>
  columns.reduce((count, { children }) => count + 1 + countColumns(children), 0);

/** The facts are of all columns that the table ever had. */
function readColumnFacts(sql: SqlStorage, tableId: number): { lastColumnId: number; failsByRow: boolean } {
  const { last, failing } = sql
    .exec<{ last: number; failing: number }>(
      `SELECT max(column_id) AS last, sum(column_type IN (SELECT value FROM json_each(?))) AS failing
       FROM ducklake_column WHERE table_id = ?`,
      JSON.stringify(FAILING_BY_ROW),
      tableId,
    )
    .one();
  return { lastColumnId: last, failsByRow: failing > 0 };
}

/** A file whose deletion was scheduled before tables were noted with it counts as another table's. */
const hasOthersFiles = (sql: SqlStorage, { tableId, folder }: TableRow): boolean =>
  sql
    .exec(
      `SELECT 1 FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.table_id <> ?1 AND s.path || t.path = ?2
       UNION ALL
       SELECT 1 FROM ducklake_files_scheduled_for_deletion d LEFT JOIN fjord_scheduled f ON f.file_id = d.data_file_id
       WHERE d.path >= ?2 AND d.path < ?3 AND f.table_id IS NOT ?1
       LIMIT 1`,
      tableId,
      folder,
      behindFolder(folder),
    )
    .toArray().length > 0;
