// The one decision of the lake: whether a commit may be, and exactly which rows it adds. Pure.

import type { LakeChange, LakeCommit, NewDataFile } from "../../../containers/engine/lake-protocol.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { accept, refuse, type Answer } from "./answer.ts";
import { formatChanges, type Change } from "./change-text.ts";
import { flawsOfColumns, placeColumns } from "./check-columns.ts";
import { flawsOfFiles } from "./check-files.ts";
import { isNested } from "./column-types.ts";
import { tableKey, type CatalogState, type SchemaState, type TableState } from "./commit-state.ts";
import { findConflict, type Intent } from "./conflicts.ts";
import type { Cell, DuckLakeTable, Row } from "./ducklake-tables.ts";
import { formatInstant } from "./instant.ts";
import { flawOfName, flawOfSchemaName, foldName, folderOf } from "./names.ts";
import { mergeColumn } from "./statistics.ts";

const FLAWS_MAX = 100;
const TEXT_CHARACTERS_MAX = 10_000;

/** The rows of a new snapshot, by table. Those of the two table statistics replace the ones before. */
export type SnapshotRows = { [Table in DuckLakeTable]?: Row<Table>[] };

type Draft = CatalogState & {
  snapshotId: number;
  rows: SnapshotRows;
  created: Change[];
  appended: Map<number, TableState>;
  intents: Intent[];
  flaws: Flaw[];
  newUuid: () => string;
};

/** Leaves `state` changed: it is the commit's own. Refuses with `resource_conflict` or, with every flaw, `validation_failed`. */
export function decideCommit(commit: LakeCommit, state: CatalogState, jobId: string, nowMs: number, newUuid: () => string): Answer<SnapshotRows> {
  if (!state.others) return refuse("resource_conflict", `Snapshot ${commit.baseSnapshotId} is not one of this lake's.`);
  const draft: Draft = { ...state, snapshotId: state.head.snapshotId + 1, rows: {}, created: [], appended: new Map(), intents: [], flaws: [], newUuid };
  draft.flaws.push(...flawsOfCommit(commit));
  for (const [index, change] of commit.changes.entries()) {
    const pointer = `/changes/${index}`;
    const conflict = change.kind === "create_table" ? createTable(draft, change, pointer) : append(draft, change, jobId, pointer);
    if (conflict) return refuse("resource_conflict", conflict);
  }
  const conflict = findConflict(draft.intents, state.others);
  if (conflict) return refuse("resource_conflict", conflict);
  if (draft.flaws.length > 0) return refuse("validation_failed", "The commit is not valid.", draft.flaws.slice(0, FLAWS_MAX));
  addStatistics(draft);
  addSnapshot(draft, commit, nowMs);
  return accept(draft.rows);
}

function flawsOfCommit({ changes, author, message }: LakeCommit): Flaw[] {
  const files = changes.reduce((sum, change) => sum + (change.kind === "append" ? change.files.length : 0), 0);
  const flaws: Flaw[] = [];
  if (files > LIMITS.lakeFilesPerCommitMax) flaws.push({ pointer: "/changes", message: `A commit has at most ${LIMITS.lakeFilesPerCommitMax} files.` });
  for (const [field, text] of Object.entries({ author, message })) {
    if (text !== null && text.length > TEXT_CHARACTERS_MAX) flaws.push({ pointer: `/${field}`, message: `At most ${TEXT_CHARACTERS_MAX} characters.` });
  }
  return flaws;
}

/** Returns the conflict, if there is one. */
function createTable(draft: Draft, change: Extract<LakeChange, { kind: "create_table" }>, pointer: string): string | undefined {
  const key = tableKey(change.schema, change.name);
  if (draft.tables.has(key)) return `${change.schema}.${change.name} exists already.`;
  draft.intents.push({ kind: "create", schema: change.schema, schemaId: draft.schemas.get(foldName(change.schema))?.schemaId, name: change.name });
  const flaws = flawsOfColumns(change.columns, `${pointer}/columns`);
  const [schemaFlaw, nameFlaw] = [flawOfSchemaName(change.schema), flawOfName(change.name)];
  if (schemaFlaw) flaws.push({ pointer: `${pointer}/schema`, message: schemaFlaw });
  if (nameFlaw) flaws.push({ pointer: `${pointer}/name`, message: nameFlaw });
  draft.flaws.push(...flaws);
  // A table that can't be made leaves nothing to check its files against.
  if (flaws.length > 0) return undefined;

  const schema = openSchema(draft, change.schema);
  const tableId = draft.head.nextCatalogId++;
  const begins = { begin_snapshot: draft.snapshotId, end_snapshot: null };
  const path = folderOf(change.name);
  add(draft, "ducklake_table", {
    ...begins,
    table_id: tableId,
    table_uuid: draft.newUuid(),
    schema_id: schema.schemaId,
    table_name: change.name,
    path,
    path_is_relative: 1,
  });
  const columns: [number, { type: string; isTopLevel: boolean }][] = [];
  for (const { id, name, type, nullable, order, parentId } of placeColumns(change.columns)) {
    columns.push([id, { type, isTopLevel: parentId === null && !isNested(type) }]);
    const defaults = { initial_default: null, default_value: "NULL", default_value_type: "literal", default_value_dialect: "duckdb" };
    const own = { column_id: id, table_id: tableId, column_order: order, column_name: name, column_type: type };
    add(draft, "ducklake_column", { ...own, ...begins, ...defaults, nulls_allowed: Number(nullable), parent_column: parentId });
  }
  const empty = { recordCount: 0, nextRowId: 0, bytes: 0, summaries: new Map() };
  draft.tables.set(key, { ...empty, tableId, schema: schema.name, name: change.name, path: schema.path + path, columns: new Map(columns) });
  draft.created.push({ kind: "created_table", schema: schema.name, name: change.name });
  add(draft, "ducklake_schema_versions", { begin_snapshot: draft.snapshotId, schema_version: draft.head.schemaVersion + 1, table_id: tableId });
  return undefined;
}

function openSchema(draft: Draft, name: string): SchemaState {
  const found = draft.schemas.get(foldName(name));
  if (found) return found;
  const schema: SchemaState = { schemaId: draft.head.nextCatalogId++, name, path: folderOf(name) };
  draft.schemas.set(foldName(name), schema);
  draft.created.push({ kind: "created_schema", schema: name });
  const begins = { begin_snapshot: draft.snapshotId, end_snapshot: null };
  const own = { schema_id: schema.schemaId, schema_uuid: draft.newUuid(), schema_name: name, path: schema.path, path_is_relative: 1 };
  add(draft, "ducklake_schema", { ...own, ...begins });
  return schema;
}

function append(draft: Draft, change: Extract<LakeChange, { kind: "append" }>, jobId: string, pointer: string): string | undefined {
  const table = draft.tables.get(tableKey(change.schema, change.name));
  if (!table) return draft.flaws.length > 0 ? undefined : `${change.schema}.${change.name} does not exist.`;
  const isOwn = draft.rows.ducklake_table?.some((row) => row.table_id === table.tableId);
  if (!isOwn) draft.intents.push({ kind: "append", schema: change.schema, name: change.name, tableId: table.tableId });
  const flaws = flawsOfFiles(change.files, table, jobId, draft.takenFiles, `${pointer}/files`);
  draft.flaws.push(...flaws);
  if (flaws.length === 0) for (const file of change.files) addFile(draft, table, file);
  return undefined;
}

function addFile(draft: Draft, table: TableState, file: NewDataFile): void {
  const fileId = draft.head.nextFileId++;
  const of = { data_file_id: fileId, table_id: table.tableId };
  add(draft, "ducklake_data_file", {
    ...of,
    begin_snapshot: draft.snapshotId,
    end_snapshot: null,
    file_order: fileId,
    path: file.path.slice(table.path.length),
    path_is_relative: 1,
    file_format: "parquet",
    record_count: file.rows,
    file_size_bytes: file.bytes,
    footer_size: file.footerBytes,
    row_id_start: table.nextRowId,
    partition_id: null,
    encryption_key: null,
    mapping_id: null,
    partial_max: null,
  });
  const byColumn = new Map(file.statistics.map((statistics) => [statistics.columnId, statistics]));
  for (const { columnId, bytes, values, nulls, min, max, containsNan } of file.statistics) {
    const bounds = { min_value: min, max_value: max, contains_nan: flag(containsNan), extra_stats: null };
    add(draft, "ducklake_file_column_stats", { ...of, ...bounds, column_id: columnId, column_size_bytes: bytes, value_count: values, null_count: nulls });
  }
  // A file without rows says nothing about a column.
  for (const [id, { type }] of file.rows > 0 ? table.columns : []) {
    const before = table.recordCount === 0 ? undefined : (table.summaries.get(id) ?? UNKNOWN);
    table.summaries.set(id, mergeColumn(type, before, byColumn.get(id)));
  }
  table.recordCount += file.rows;
  table.nextRowId += file.rows;
  table.bytes += file.bytes;
  draft.appended.set(table.tableId, table);
}

/** A column that came after the rows did. */
const UNKNOWN = { containsNull: null, containsNan: null, min: null, max: null };

function addStatistics(draft: Draft): void {
  for (const { tableId, recordCount, nextRowId, bytes, summaries } of draft.appended.values()) {
    add(draft, "ducklake_table_stats", { table_id: tableId, record_count: recordCount, next_row_id: nextRowId, file_size_bytes: bytes });
    for (const [columnId, { containsNull, containsNan, min, max }] of summaries) {
      const flags = { contains_null: flag(containsNull), contains_nan: flag(containsNan) };
      add(draft, "ducklake_table_column_stats", { ...flags, table_id: tableId, column_id: columnId, min_value: min, max_value: max, extra_stats: null });
    }
  }
}

function addSnapshot({ head, ...draft }: Draft, { author, message }: LakeCommit, nowMs: number): void {
  const inserted = [...draft.appended.keys()].sort((left, right) => left - right).map((id) => ({ kind: "inserted_into_table", id }));
  // Snapshot times never stand still or go back, whatever the clock does: time travel relies on it.
  const time = formatInstant(Math.max(nowMs, head.timeMs + 1));
  const schemaVersion = head.schemaVersion + (draft.created.length > 0 ? 1 : 0);
  const next = { next_catalog_id: head.nextCatalogId, next_file_id: head.nextFileId };
  draft.rows.ducklake_snapshot = [{ snapshot_id: draft.snapshotId, snapshot_time: time, schema_version: schemaVersion, ...next }];
  const changes = formatChanges([...draft.created.sort(schemasFirst), ...inserted]);
  const said = { author, commit_message: message, commit_extra_info: null };
  draft.rows.ducklake_snapshot_changes = [{ snapshot_id: draft.snapshotId, changes_made: changes, ...said }];
}

const schemasFirst = (left: Change, right: Change): number => Number(right.kind === "created_schema") - Number(left.kind === "created_schema");

const flag = (value: boolean | null): Cell => (value === null ? null : Number(value));

function add<Table extends DuckLakeTable>({ rows }: Pick<Draft, "rows">, table: Table, row: Row<Table>): void {
  const held = (rows[table] ??= []) as Row<Table>[];
  held.push(row);
}
