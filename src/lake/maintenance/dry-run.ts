// A dry run tells from the catalog alone what a maintenance would do now, step by step. It changes nothing.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import type { MaintenanceLevel } from "../../../kernel/lake/maintenance.ts";
import { bytesLeft, type LiveFile } from "./compaction-groups.ts";
import { countEnded } from "../iceberg/objects.ts";
import { findExpiryBound } from "./expire.ts";
import { readScheduled } from "./measure.ts";
import { groupsOf, readLiveFiles, readTables, whyLeftAlone, type CompactedTable } from "./plan-compaction.ts";

/**
 * Figures of the files that would be written anew; `rows` counts those that are deleted as well. `filesAfter` and
 * `bytesAfter` are estimates: what is left of the files, at the size that is aimed at.
 */
export type CompactionFigures = {
  groups: number;
  files: number;
  bytes: number;
  rows: number;
  deletedRows: number;
  filesAfter: number;
  bytesAfter: number;
};

/** `worst` are the tables with the most to write. */
export type CompactionDryRun = {
  tables: number;
  total: CompactionFigures;
  worst: (LakeTableName & CompactionFigures)[];
  leftAlone: (LakeTableName & { reason: string })[];
};

/**
 * A step that the level does not take is null. Orphans can't be told from the catalog, and statistics are made exact of
 * every table.
 */
export type MaintenanceDryRun = {
  merge: CompactionDryRun;
  rewrite: CompactionDryRun | null;
  expire: { snapshots: number; files: number; bytes: number } | null;
  delete: { files: number; bytes: number };
};

export function dryRunMaintenance(
  sql: SqlStorage,
  level: MaintenanceLevel,
  { tablesMax, nowMs }: { tablesMax: number; nowMs: number },
): MaintenanceDryRun {
  const isFull = level === "full";
  const [merge, rewrite] = [newDryRun(), newDryRun()];
  for (const table of readTables(sql)) {
    const files = readLiveFiles(sql, table);
    const reason = whyLeftAlone(sql, table, DRY_RUN, nowMs);
    const merged = groupsOf("merge", files, table.rules);
    note(merge, table, merged, reason);
    if (!isFull) continue;
    // What was merged has no deleted rows left.
    const taken = new Set(reason === undefined ? merged.flat() : []);
    note(
      rewrite,
      table,
      groupsOf("rewrite", files, table.rules).map((group) => group.filter((file) => !taken.has(file))),
      reason,
    );
  }
  const { dueFiles, dueBytes } = readScheduled(sql, nowMs);
  return {
    merge: finish(merge, tablesMax),
    rewrite: isFull ? finish(rewrite, tablesMax) : null,
    expire: isFull ? readExpiring(sql, nowMs) : null,
    delete: { files: dueFiles, bytes: dueBytes },
  };
}

/** A dry run holds no lease. */
const DRY_RUN = "";

const NOTHING: CompactionFigures = {
  ...{ groups: 0, files: 0, bytes: 0, rows: 0, deletedRows: 0, filesAfter: 0, bytesAfter: 0 },
};
const newDryRun = (): CompactionDryRun => ({ tables: 0, total: { ...NOTHING }, worst: [], leftAlone: [] });

function note(
  found: CompactionDryRun,
  { schema, name, rules }: CompactedTable,
  groups: readonly (readonly LiveFile[])[],
  reason: string | undefined,
): void {
  const real = groups.filter((group) => group.length > 0);
  if (real.length === 0) return;
  if (reason !== undefined) return void found.leftAlone.push({ schema, name, reason });
  const figures = { ...NOTHING };
  for (const group of real) add(figures, figuresOf(group, rules.targetBytes));
  add(found.total, figures);
  found.tables++;
  found.worst.push({ schema, name, ...figures });
}

function figuresOf(group: readonly LiveFile[], targetBytes: number): CompactionFigures {
  const sum = (of: (file: LiveFile) => number) => group.reduce((total, file) => total + of(file), 0);
  const bytesAfter = sum(bytesLeft);
  return {
    groups: 1,
    files: group.length,
    bytes: sum(({ bytes }) => bytes),
    rows: sum(({ rows }) => rows),
    deletedRows: sum(({ deletes }) => deletes?.rows ?? 0),
    filesAfter: Math.ceil(bytesAfter / targetBytes),
    bytesAfter,
  };
}

function add(total: CompactionFigures, added: CompactionFigures): void {
  for (const key of Object.keys(total) as (keyof CompactionFigures)[]) total[key] += added[key];
}

const finish = (found: CompactionDryRun, tablesMax: number): CompactionDryRun => ({
  ...found,
  worst: found.worst.toSorted((left, right) => right.bytes - left.bytes).slice(0, tablesMax),
  leftAlone: found.leftAlone.slice(0, tablesMax),
});

function readExpiring(sql: SqlStorage, nowMs: number): NonNullable<MaintenanceDryRun["expire"]> {
  const bound = findExpiryBound(sql, nowMs);
  const { snapshots, oldest } = sql
    .exec<{ snapshots: number; oldest: number }>(
      `SELECT coalesce(sum(snapshot_id < ?1), 0) AS snapshots,
         min(CASE WHEN snapshot_id >= ?1 THEN snapshot_id END) AS oldest FROM ducklake_snapshot`,
      bound,
    )
    .one();
  const { files, bytes } = sql
    .exec<{ files: number; bytes: number }>(
      `WITH unread AS (
         SELECT file_size_bytes AS bytes FROM ducklake_data_file WHERE end_snapshot IS NOT NULL AND end_snapshot <= ?1
         UNION ALL
         SELECT file_size_bytes FROM ducklake_delete_file WHERE end_snapshot IS NOT NULL AND end_snapshot <= ?1)
       SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM unread`,
      oldest,
    )
    .one();
  const metadata = countEnded(sql, oldest);
  return { snapshots, files: files + metadata.files, bytes: bytes + metadata.bytes };
}
