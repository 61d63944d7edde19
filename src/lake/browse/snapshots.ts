// The timeline of one table: each snapshot that touched it, newest first, with what changed in it.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { accessTo, showsColumn, showsEveryRow, type Reader } from "../access/readers.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { noTable } from "../access/no-table.ts";
import { findTable, isoOf, TOUCHING, type VisibleTable } from "./tables.ts";
import { parseChanges } from "../format/change-text.ts";

export const OPERATIONS = ["create", "append", "delete", "update", "overwrite", "alter", "compact", "none"] as const;
export type Operation = (typeof OPERATIONS)[number];

export type ColumnChange = {
  change: "added" | "dropped" | "altered";
  name: string;
  type: string;
  before: { name: string; type: string } | null;
};

type Moved = {
  rowsAdded: number;
  rowsRemoved: number;
  bytesAdded: number;
  bytesRemoved: number;
  filesAdded: number;
  filesRemoved: number;
};

/**
 * `changes` are the specification's words for what the snapshot did to this table; `at` is ISO 8601. Null is what would
 * tell of what is hidden to the reader.
 */
export type TableSnapshot = {
  snapshotId: number;
  at: string;
  author: string | null;
  message: string | null;
  operation: Operation | null;
  changes: string[];
  columns: ColumnChange[];
} & { [Figure in keyof Moved]: number | null };

export type SnapshotPage = { total: number; snapshots: TableSnapshot[] };

type SnapshotRow = {
  total: number;
  snapshotId: number;
  time: string;
  author: string | null;
  message: string | null;
  changes: string | null;
};

/** The table ?1 and those that it and its forerunners replaced under their name, newest first: as many as ?2. */
const LINE = `
  WITH RECURSIVE line(id, depth) AS (
    SELECT ?1, 1
    UNION ALL
    SELECT old.table_id, line.depth + 1 FROM line JOIN ducklake_table own ON own.table_id = line.id
      JOIN ducklake_table old ON old.end_snapshot = own.begin_snapshot AND old.table_id < own.table_id
        AND old.schema_id = own.schema_id AND old.table_name = own.table_name COLLATE NOCASE
    WHERE line.depth < ?2)
  SELECT id FROM line`;

const OF_LINE = "(SELECT value FROM json_each(?1))";

/** The snapshot left rows that name a table of the line ?1. */
const IS_TOUCHED = TOUCHING.map(
  ([table, id]) =>
    `s.snapshot_id IN (SELECT begin_snapshot FROM ${table} WHERE ${id} IN ${OF_LINE}
      UNION SELECT end_snapshot FROM ${table} WHERE ${id} IN ${OF_LINE} AND end_snapshot IS NOT NULL)`,
).join(" OR ");

/** Only its own words may name one. Words within a quoted name look alike, so each is read. */
const MAY_BE_NAMED = `
  SELECT s.snapshot_id AS id, c.changes_made AS changes FROM ducklake_snapshot s
    JOIN ducklake_snapshot_changes c USING (snapshot_id)
  WHERE EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(c.changes_made || ',', ':' || value || ',') > 0)
    AND NOT (${IS_TOUCHED})`;

const SNAPSHOTS = `
  SELECT count(*) OVER () AS total, s.snapshot_id AS snapshotId, s.snapshot_time AS time, c.author,
    c.commit_message AS message, c.changes_made AS changes
  FROM ducklake_snapshot s JOIN ducklake_snapshot_changes c USING (snapshot_id)
  WHERE ${IS_TOUCHED} OR s.snapshot_id IN (SELECT value FROM json_each(?2))
  ORDER BY s.snapshot_id DESC LIMIT ?3`;

/**
 * The newest `snapshotsMax`; `total` counts those past it as well. What a table that was made anew had been is part of
 * its time.
 */
export function browseSnapshots(
  sql: SqlStorage,
  name: LakeTableName,
  snapshotsMax: number,
  reader: Reader,
): Answer<SnapshotPage> {
  const table = findTable(sql, name, reader);
  return table ? accept(snapshotsOf(sql, table, snapshotsMax, reader)) : noTable(name);
}

function snapshotsOf(
  sql: SqlStorage,
  { tableId, access }: VisibleTable,
  snapshotsMax: number,
  reader: Reader,
): SnapshotPage {
  const all = sql
    .exec<{ id: number }>(LINE, tableId, snapshotsMax)
    .toArray()
    .map(({ id }) => id);
  // A table that this one replaced is judged for itself, with every column it has had.
  const ever = reader === "everything" ? undefined : accessTo(reader, sql, "ever", all);
  const tableIds = ever ? all.filter((id) => ever.has(id)) : all;
  const line = JSON.stringify(tableIds);
  const named = sql
    .exec<{ id: number; changes: string }>(MAY_BE_NAMED, line)
    .toArray()
    .filter(({ changes }) => kindsOf(changes, tableIds, false).length > 0);
  const rows = sql
    .exec<SnapshotRow>(SNAPSHOTS, line, JSON.stringify(named.map(({ id }) => id)), snapshotsMax)
    .toArray();
  const ids = JSON.stringify(rows.map(({ snapshotId }) => snapshotId));
  const flows = readFlows(sql, line, ids);
  const columns = readColumnChanges(sql, line, ids, (id, column) => !ever || showsColumn(ever.get(id)!, column));
  const creations = sql
    .exec<{ at: number }>(
      `SELECT min(begin_snapshot) AS at FROM ducklake_table WHERE table_id IN ${OF_LINE} GROUP BY table_id`,
      line,
    )
    .toArray()
    .map(({ at }) => at);
  // What happened to those that were replaced shows no more than the strictest of all.
  const replaced = tableIds.flatMap((id) => (id === tableId ? [] : (ever?.get(id) ?? [])));
  const hide = hiding([access, ...replaced], reader);
  return {
    total: rows[0]?.total ?? 0,
    snapshots: rows.map(({ snapshotId, time, author, message, changes }) => {
      const isCreation = creations.includes(snapshotId);
      const kinds = kindsOf(changes ?? "", tableIds, isCreation);
      const flow = flows.get(snapshotId) ?? NO_FLOW;
      const altered = isCreation ? [] : (columns.get(snapshotId) ?? []);
      const operation = operationOf(kinds, flow, isCreation);
      // Compaction writes the rows it reads: none came, none went.
      const rowsMoved =
        operation === "compact"
          ? { rowsAdded: 0, rowsRemoved: 0 }
          : { rowsAdded: flow.rowsAdded, rowsRemoved: flow.rowsRemoved };
      const { bytesAdded, bytesRemoved, filesAdded, filesRemoved } = flow;
      const moved = { ...rowsMoved, bytesAdded, bytesRemoved, filesAdded, filesRemoved };
      const named = { snapshotId, at: isoOf(time), author, message, operation, changes: kinds };
      return hide({ ...named, ...moved, columns: altered });
    }),
  };
}

/**
 * What a snapshot shows to a reader. Its message may speak of anything, other tables among them. Who sees a part of the
 * table learns how it was filled only as far as no row is hidden.
 */
function hiding(line: readonly VisibleTable["access"][], reader: Reader): (snapshot: TableSnapshot) => TableSnapshot {
  if (reader === "everything") return (snapshot) => snapshot;
  if (line.every((access) => access === "whole")) return (snapshot) => ({ ...snapshot, message: null });
  const hidden = {
    author: null,
    message: null,
    bytesAdded: null,
    bytesRemoved: null,
    filesAdded: null,
    filesRemoved: null,
  };
  const rows = line.every(showsEveryRow) ? {} : { operation: null, changes: [], rowsAdded: null, rowsRemoved: null };
  return (snapshot) => ({ ...snapshot, ...hidden, ...rows });
}

function kindsOf(changes: string, tableIds: number[], isCreation: boolean): string[] {
  const own = parseChanges(changes).flatMap((change) =>
    "id" in change && tableIds.includes(change.id) ? [change.kind] : [],
  );
  return [...(isCreation ? ["created_table"] : []), ...new Set(own)];
}

function operationOf(kinds: readonly string[], flow: Flow, isCreation: boolean): Operation {
  if (isCreation) return "create";
  const { rowsAdded, rowsRemoved, filesRemoved, filesKept } = flow;
  if (kinds.length > 0 && kinds.every((kind) => /compact|merge_adjacent|rewrite_delete/.test(kind))) return "compact";
  if (filesRemoved > 0 && filesKept === 0 && rowsAdded > 0) return "overwrite";
  if (rowsAdded > 0) return rowsRemoved > 0 ? "update" : "append";
  if (rowsRemoved > 0) return "delete";
  return kinds.some((kind) => /alter|comment/.test(kind)) || flow === NO_FLOW ? "alter" : "none";
}

/** `filesKept` counts data files that were there before and stay. */
type Flow = Moved & { filesKept: number };
const NO_FLOW: Flow = {
  rowsAdded: 0,
  rowsRemoved: 0,
  bytesAdded: 0,
  bytesRemoved: 0,
  filesAdded: 0,
  filesRemoved: 0,
  filesKept: 0,
};

/**
 * A data file's rows come when it begins. They go when it ends, but for those deleted before; and with each delete file
 * that grows on it: the delete file of a snapshot holds all positions, so the one before it is taken off. Files that
 * stay are summed up from the table's beginning: to count them for each snapshot would read all files as often.
 */
const FLOWS = `
  WITH data AS (SELECT * FROM ducklake_data_file WHERE table_id IN ${OF_LINE}),
    deletes AS (SELECT * FROM ducklake_delete_file WHERE table_id IN ${OF_LINE}),
    flow AS (
      SELECT begin_snapshot AS id, record_count AS rowsAdded, 0 AS rowsRemoved, file_size_bytes AS bytesAdded,
        0 AS bytesRemoved, 1 AS filesAdded, 0 AS filesRemoved FROM data
      UNION ALL SELECT end_snapshot, 0, record_count, 0, file_size_bytes, 0, 1 FROM data WHERE end_snapshot IS NOT NULL
      UNION ALL SELECT d.begin_snapshot, 0, d.delete_count, d.file_size_bytes, 0, 0, 0 FROM deletes d
      UNION ALL SELECT d.end_snapshot, 0, -d.delete_count, 0, d.file_size_bytes, 0, 0 FROM deletes d
        WHERE d.end_snapshot IS NOT NULL),
    flows AS (
      SELECT id, sum(rowsAdded) AS rowsAdded, sum(rowsRemoved) AS rowsRemoved, sum(bytesAdded) AS bytesAdded,
        sum(bytesRemoved) AS bytesRemoved, sum(filesAdded) AS filesAdded, sum(filesRemoved) AS filesRemoved
      FROM flow GROUP BY id)
  SELECT * FROM (
    SELECT *, sum(filesAdded - filesRemoved) OVER (ORDER BY id) - filesAdded AS filesKept FROM flows)
  WHERE id IN (SELECT value FROM json_each(?2))`;

function readFlows(sql: SqlStorage, line: string, snapshotIds: string): Map<number, Flow> {
  const rows = sql.exec<Flow & { id: number }>(FLOWS, line, snapshotIds).toArray();
  return new Map(rows.map(({ id, ...flow }) => [id, flow]));
}

type ColumnRow = {
  tableId: number;
  /** Id of the top-level column that the column is, or is a part of. */
  topId: number;
  id: number;
  name: string;
  type: string;
  begins: number;
  ends: number | null;
};

/**
 * What begins under an id that ends in the same snapshot was altered. Nested columns appear under their own names.
 */
function readColumnChanges(
  sql: SqlStorage,
  line: string,
  snapshotIds: string,
  isSeen: (tableId: number, columnId: number) => boolean,
): Map<number, ColumnChange[]> {
  const rows = sql
    .exec<ColumnRow>(
      `WITH RECURSIVE own AS (SELECT DISTINCT table_id, column_id, parent_column FROM ducklake_column
           WHERE table_id IN ${OF_LINE}),
         tops(table_id, column_id, top) AS (
           SELECT table_id, column_id, column_id FROM own WHERE parent_column IS NULL
           UNION SELECT own.table_id, own.column_id, tops.top FROM own JOIN tops
             ON own.table_id = tops.table_id AND own.parent_column = tops.column_id)
       SELECT table_id AS tableId, top AS topId, column_id AS id, column_name AS name, column_type AS type,
         begin_snapshot AS begins, end_snapshot AS ends
       FROM ducklake_column JOIN tops USING (table_id, column_id)
       WHERE begin_snapshot IN (SELECT value FROM json_each(?2)) OR end_snapshot IN (SELECT value FROM json_each(?2))
       ORDER BY column_order`,
      line,
      snapshotIds,
    )
    .toArray()
    .filter(({ tableId, topId }) => isSeen(tableId, topId));
  const [beginning, ending] = [Map.groupBy(rows, ({ begins }) => begins), Map.groupBy(rows, ({ ends }) => ends)];
  const changesAt = (snapshotId: number): ColumnChange[] => {
    const [begun, ended] = [beginning.get(snapshotId) ?? [], ending.get(snapshotId) ?? []];
    const came = begun.map(({ id, name, type }): ColumnChange => {
      const old = ended.find((column) => column.id === id);
      return { change: old ? "altered" : "added", name, type, before: old ? { name: old.name, type: old.type } : null };
    });
    const gone = ended.filter(({ id }) => !begun.some((column) => column.id === id));
    return [...came, ...gone.map(({ name, type }): ColumnChange => ({ change: "dropped", name, type, before: null }))];
  };
  return new Map((JSON.parse(snapshotIds) as number[]).map((snapshotId) => [snapshotId, changesAt(snapshotId)]));
}
