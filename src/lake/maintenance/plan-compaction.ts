// Compactions are planned from the catalog alone: table by table, a bounded number of files at a time.

import type { z } from "zod";
import type { CompactionGroup, CompactionPlan, CompactionPlanRequest } from "../../../kernel/lake/maintenance.ts";
import type { PlannedFile } from "../../../kernel/lake/lake.ts";
import { COMMIT_FILES_MAX } from "../../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { readHead } from "../state/state.ts";
import { findWork } from "../writers/at-work.ts";
import { isAlive, recordBase, type LeaseHolder } from "../writers/leases.ts";
import { bytesLeft, groupsToMerge, groupsToRewrite, GROUP_FILES_MAX, type LiveFile } from "./compaction-groups.ts";
import { readTableRules, type TableRules } from "./option-values.ts";

export type CompactionRequest = z.infer<typeof CompactionPlanRequest>;
export type PlannedCompaction = Omit<CompactionPlan, "root">;
type Step = CompactionRequest["step"];

/** Behind the files of which table it goes on; tables go by their ids, files by their place. */
type Cursor = { tableId: number; fileOrder: number };
const START: Cursor = { tableId: 0, fileOrder: -1 };

/**
 * The next groups after `after`, as of the newest snapshot, which the asking job works from; refused with
 * `resource_conflict` once its fence is dead. An order that does not change lets a job that is resumed ask from the
 * start: what it has done is no group any more.
 */
export function planCompaction(
  storage: DurableObjectStorage,
  holder: LeaseHolder,
  { step, after }: CompactionRequest,
  nowMs: number,
): Answer<PlannedCompaction> {
  const from = after === undefined ? START : parseCursor(after);
  if (!from) return refuse("validation_failed", "This is no place to go on from.");
  return storage.transactionSync(() => {
    const { sql } = storage;
    if (!isAlive(sql, holder.lease, holder.fence))
      return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
    const { snapshotId } = readHead(sql);
    recordBase(sql, holder, snapshotId);
    const plan: PlannedCompaction = { snapshotId, groups: [], leftAlone: [], next: null };
    let read = 0;
    for (const table of readTables(sql, from.tableId)) {
      const at = table.tableId === from.tableId ? from : { ...START, tableId: table.tableId };
      // No group has more files than an answer, so each answer goes on.
      const isFull = filesIn(plan) >= GROUP_FILES_MAX || read >= LAKE_CATALOG_LIMITS.plannedFilesMax;
      const files = isFull ? [] : readLiveFiles(sql, table, at.fileOrder);
      read += files.length;
      const groups = groupsOf(step, files, table.rules);
      const reason = groups.length > 0 ? whyLeftAlone(sql, table, holder.lease, nowMs) : undefined;
      if (reason !== undefined) plan.leftAlone.push({ schema: table.schema, name: table.name, reason });
      const next = isFull ? at : reason === undefined ? take(plan, table, at, { files, groups }) : undefined;
      if (next) return accept({ ...plan, next: formatCursor(next) });
    }
    return accept(plan);
  });
}

const filesIn = ({ groups }: PlannedCompaction): number => groups.reduce((sum, { files }) => sum + files.length, 0);

/** Takes as many of a table's groups as the answer holds; says where to go on where there is more of the table. */
function take(
  plan: PlannedCompaction,
  table: CompactedTable,
  from: Cursor,
  { files, groups }: { files: readonly LiveFile[]; groups: readonly LiveFile[][] },
): Cursor | undefined {
  let planned = filesIn(plan);
  let done = from.fileOrder;
  for (const group of groups) {
    planned += group.length;
    if (planned > GROUP_FILES_MAX) return { ...from, fileOrder: done };
    plan.groups.push(groupOf(table, group));
    done = group.at(-1)!.fileOrder;
  }
  if (files.length < LAKE_CATALOG_LIMITS.plannedFilesMax) return undefined;
  return { ...from, fileOrder: groups.length > 0 ? done : files.at(-1)!.fileOrder };
}

const formatCursor = ({ tableId, fileOrder }: Cursor): string => `${tableId}:${fileOrder}`;

function parseCursor(text: string): Cursor | undefined {
  const [, tableId, fileOrder] = /^(\d{1,15}):(-1|\d{1,15})$/.exec(text) ?? [];
  return tableId === undefined ? undefined : { tableId: Number(tableId), fileOrder: Number(fileOrder) };
}

export const groupsOf = (step: Step, files: readonly LiveFile[], rules: TableRules): LiveFile[][] =>
  step === "merge" ? groupsToMerge(files, rules.targetBytes) : groupsToRewrite(files, rules);

export type CompactedTable = {
  tableId: number;
  schemaId: number;
  schema: string;
  name: string;
  folder: string;
  rules: TableRules;
};

/** Live tables from an id on that could have anything to do: more than one file, or a delete file. */
export function readTables(sql: SqlStorage, from = 0): CompactedTable[] {
  const rulesOf = readTableRules(sql);
  return sql
    .exec<Omit<CompactedTable, "rules">>(
      `SELECT t.table_id AS tableId, s.schema_id AS schemaId, s.schema_name AS schema, t.table_name AS name,
         s.path || t.path AS folder
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL AND t.table_id >= ?
         AND ((SELECT count(*) FROM (SELECT 1 FROM ducklake_data_file f
                WHERE f.table_id = t.table_id AND f.end_snapshot IS NULL LIMIT 2)) = 2
           OR EXISTS (SELECT 1 FROM ducklake_delete_file d WHERE d.table_id = t.table_id AND d.end_snapshot IS NULL))
       ORDER BY t.table_id`,
      from,
    )
    .toArray()
    .map((table) => ({ ...table, rules: rulesOf(table) }));
}

type FileRow = [
  ...[id: number, path: string, bytes: number, rows: number, fileOrder: number, rowIdStart: number | null],
  ...[deleteId: number | null, deletePath: string, deleteBytes: number, deletedRows: number],
];

/** A table's live files behind a place, in their order. */
export function readLiveFiles(
  sql: SqlStorage,
  { tableId, folder }: Pick<CompactedTable, "tableId" | "folder">,
  after = START.fileOrder,
): LiveFile[] {
  const rows = sql
    .exec(
      `SELECT f.data_file_id, f.path, f.file_size_bytes, f.record_count, f.file_order, f.row_id_start,
         d.delete_file_id, d.path, d.file_size_bytes, d.delete_count
       FROM ducklake_data_file f LEFT JOIN ducklake_delete_file d ON d.data_file_id = f.data_file_id
         AND d.end_snapshot IS NULL
       WHERE f.table_id = ? AND f.end_snapshot IS NULL AND f.file_order > ? ORDER BY f.file_order LIMIT ?`,
      tableId,
      after,
      LAKE_CATALOG_LIMITS.plannedFilesMax,
    )
    .raw<FileRow>();
  return [...rows].map(
    ([id, path, bytes, count, fileOrder, rowIdStart, deleteId, deletePath, deleteBytes, deleted]) => {
      const deletes: PlannedFile | null =
        deleteId === null ? null : { id: deleteId, path: folder + deletePath, bytes: deleteBytes, rows: deleted };
      return { id, path: folder + path, bytes, rows: count, fileOrder, rowIdStart, deletes };
    },
  );
}

/** Why nothing of a table is compacted now, or undefined. */
export function whyLeftAlone(sql: SqlStorage, table: CompactedTable, lease: string, nowMs: number): string | undefined {
  if (!table.rules.isCompacted) return "The option auto_compact is false.";
  const work = findWork(sql, table, lease, nowMs);
  return work === undefined ? undefined : `${work[0]!.toUpperCase()}${work.slice(1)}.`;
}

/** What one compaction writes at most stays far below what a commit takes, however small files are to be. */
const FILES_WRITTEN_MAX = COMMIT_FILES_MAX / 10;

const groupOf = (
  { tableId, schema, name, rules: { targetBytes, rowGroupRows, compression } }: CompactedTable,
  files: readonly LiveFile[],
): CompactionGroup => ({
  ...{ tableId, schema, name, rowGroupRows, compression },
  targetBytes: Math.max(
    targetBytes,
    Math.ceil(files.reduce((sum, file) => sum + bytesLeft(file), 0) / FILES_WRITTEN_MAX),
  ),
  files: files.map(({ fileOrder: _, ...file }) => file),
});
