// A finished draft writes the rows that end and the rows that begin with its snapshot. Pure.

import type { LakeCommit } from "../../../kernel/lake/commit.ts";
import { formatChanges, type Change } from "../format/change-text.ts";
import type { CatalogColumn } from "../state/check-columns.ts";
import { flagOf, type DoneToTable, type Draft, type TableDraft } from "./draft.ts";
import type { DuckLakeTable, Row } from "../format/ducklake-tables.ts";
import type { SnapshotEnds, SnapshotWrites } from "../format/snapshot-writes.ts";
import { formatInstant } from "../format/instant.ts";

export function renderSnapshot(draft: Draft, commit: LakeCommit, nowMs: number): SnapshotWrites {
  const writes: SnapshotWrites = { snapshotId: draft.snapshotId, rows: {}, ends: NOTHING_ENDS() };
  const begins = { begin_snapshot: draft.snapshotId, end_snapshot: null };
  for (const { schemaId, uuid, name, path } of draft.createdSchemas) {
    add(writes, "ducklake_schema", {
      ...begins,
      schema_id: schemaId,
      schema_uuid: uuid,
      schema_name: name,
      path,
      path_is_relative: 1,
    });
  }
  writes.ends.schemas = draft.droppedSchemas.map(({ schemaId }) => schemaId);
  writes.ends.tables = draft.droppedTables.map(({ tableId }) => tableId);
  const tables = [...draft.tables.values()].sort((left, right) => left.tableId - right.tableId);
  const schemaVersion = draft.head.schemaVersion + Number(changesSchema(draft, tables));
  for (const table of tables) {
    renderTable(writes, table);
    renderColumns(writes, table, schemaVersion);
    renderComments(writes, table);
    renderFiles(writes, table);
    renderStatistics(writes, table);
  }
  // Snapshot times never stand still or go back, whatever the clock does: time travel relies on it.
  const timeMs = Math.max(nowMs, draft.head.timeMs + 1);
  add(writes, "ducklake_snapshot", {
    snapshot_id: draft.snapshotId,
    snapshot_time: formatInstant(timeMs),
    schema_version: schemaVersion,
    next_catalog_id: draft.head.nextCatalogId,
    next_file_id: draft.head.nextFileId,
  });
  add(writes, "ducklake_snapshot_changes", {
    snapshot_id: draft.snapshotId,
    changes_made: formatChanges(changesOf(draft, tables)),
    author: commit.author,
    commit_message: commit.message,
    commit_extra_info: null,
  });
  return writes;
}

const isMade = ({ before }: TableDraft): boolean => !before;
const isAltered = ({ before, did }: TableDraft): boolean => before !== undefined && did.has("altered_table");

const changesSchema = (
  { createdSchemas, droppedSchemas, droppedTables }: Draft,
  tables: readonly TableDraft[],
): boolean =>
  createdSchemas.length + droppedSchemas.length + droppedTables.length > 0 ||
  tables.some((table) => isMade(table) || isAltered(table));

const NOTHING_ENDS = (): SnapshotEnds => ({
  ...{ schemas: [], tables: [], tableRows: [], columns: [], comments: [] },
  ...{ filesOfTables: [], dataFiles: [], deleteFiles: [], columnStatistics: [] },
});

function renderTable(writes: SnapshotWrites, table: TableDraft): void {
  if (table.before?.name === table.name) return;
  if (table.before) writes.ends.tableRows.push(table.tableId);
  add(writes, "ducklake_table", {
    table_id: table.tableId,
    table_uuid: table.uuid,
    begin_snapshot: writes.snapshotId,
    end_snapshot: null,
    schema_id: table.schemaId,
    table_name: table.name,
    path: table.folder,
    path_is_relative: 1,
  });
}

/** Every version of a column is a row of its own, under the one id its files know it by. */
function renderColumns(writes: SnapshotWrites, table: TableDraft, schemaVersion: number): void {
  const { tableId, before, columns } = table;
  for (const [columnId, column] of before?.columns ?? []) {
    if (columns.get(columnId) === column) continue;
    writes.ends.columns.push({ tableId, columnId });
    if (columns.has(columnId)) continue;
    writes.ends.columnStatistics.push({ tableId, columnId });
    writes.ends.comments.push({ tableId, columnId });
  }
  for (const column of columns.values()) {
    if (before?.columns.get(column.id) !== column)
      add(writes, "ducklake_column", columnRow(column, tableId, writes.snapshotId));
  }
  if (isMade(table) || isAltered(table)) {
    add(writes, "ducklake_schema_versions", {
      begin_snapshot: writes.snapshotId,
      schema_version: schemaVersion,
      table_id: tableId,
    });
  }
}

const columnRow = (
  { id, name, type, nullable, order, parentId }: CatalogColumn,
  tableId: number,
  snapshotId: number,
): Row<"ducklake_column"> => ({
  ...{
    column_id: id,
    table_id: tableId,
    begin_snapshot: snapshotId,
    end_snapshot: null,
    column_order: order,
    column_name: name,
    column_type: type,
  },
  ...{ initial_default: null, default_value: "NULL", default_value_type: "literal", default_value_dialect: "duckdb" },
  ...{ nulls_allowed: Number(nullable), parent_column: parentId },
});

/** A comment that goes is a row that ends, and none that begins. */
function renderComments(writes: SnapshotWrites, { tableId, before, columns, newComments }: TableDraft): void {
  const tag = { begin_snapshot: writes.snapshotId, end_snapshot: null, key: "comment" };
  for (const [columnId, value] of newComments) {
    if (columnId !== null && !columns.has(columnId)) continue;
    if (before) writes.ends.comments.push({ tableId, columnId });
    if (value === null) continue;
    if (columnId === null) add(writes, "ducklake_tag", { ...tag, object_id: tableId, value });
    else add(writes, "ducklake_column_tag", { ...tag, table_id: tableId, column_id: columnId, value });
  }
}

function renderFiles(writes: SnapshotWrites, table: TableDraft): void {
  if (table.endsAllFiles && table.before) writes.ends.filesOfTables.push(table.tableId);
  writes.ends.dataFiles.push(...table.endedDataFiles);
  writes.ends.deleteFiles.push(...table.endedDeleteFiles);
  for (const row of table.addedFiles) add(writes, "ducklake_data_file", row);
  for (const row of table.addedFileStatistics) add(writes, "ducklake_file_column_stats", row);
  for (const row of table.addedDeleteFiles) add(writes, "ducklake_delete_file", row);
}

function renderStatistics(
  writes: SnapshotWrites,
  { tableId, before, recordCount, nextRowId, bytes, summaries, did }: TableDraft,
): void {
  const hasFileChanges = did.has("inserted_into_table") || did.has("deleted_from_table") || did.has("compacted_table");
  if (hasFileChanges)
    add(writes, "ducklake_table_stats", {
      table_id: tableId,
      record_count: recordCount,
      next_row_id: nextRowId,
      file_size_bytes: bytes,
    });
  for (const columnId of before?.summaries.keys() ?? []) {
    if (!summaries.has(columnId)) writes.ends.columnStatistics.push({ tableId, columnId });
  }
  for (const [columnId, summary] of summaries) {
    if (before?.summaries.get(columnId) === summary) continue;
    const { containsNull, containsNan, min, max } = summary;
    const flags = { contains_null: flagOf(containsNull), contains_nan: flagOf(containsNan) };
    add(writes, "ducklake_table_column_stats", {
      ...flags,
      table_id: tableId,
      column_id: columnId,
      min_value: min,
      max_value: max,
      extra_stats: null,
    });
  }
}

/** What the snapshot says that it changed, in the specification's order. */
function changesOf(draft: Draft, tables: readonly TableDraft[]): Change[] {
  const did = (kind: DoneToTable): Change[] =>
    tables.filter((table) => table.did.has(kind)).map(({ tableId }) => ({ kind, id: tableId }));
  return [
    ...draft.droppedSchemas.map(({ schemaId }) => ({ kind: "dropped_schema", id: schemaId })),
    ...draft.droppedTables.map(({ tableId }) => ({ kind: "dropped_table", id: tableId })),
    ...draft.createdSchemas.map(({ name }): Change => ({ kind: "created_schema", schema: name })),
    ...tables.filter(isMade).map(({ schema, name }): Change => ({ kind: "created_table", schema, name })),
    ...did("inserted_into_table"),
    ...did("deleted_from_table"),
    ...tables.filter(isAltered).map(({ tableId }) => ({ kind: "altered_table", id: tableId })),
    ...did("compacted_table"),
  ];
}

function add<Table extends DuckLakeTable>({ rows }: SnapshotWrites, table: Table, row: Row<Table>): void {
  const held = (rows[table] ??= []) as Row<Table>[];
  held.push(row);
}
