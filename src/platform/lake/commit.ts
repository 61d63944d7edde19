// A commit: read, decide, write, in one transaction. What it answers has happened; a crash at any point leaves nothing of it.

import type { CommitAnswer, LakeCommit } from "../../../containers/engine/lake-protocol.ts";
import { LIMITS } from "../../core/limits.ts";
import { accept, refuse, type Answer } from "./answer.ts";
import { readState } from "./commit-state.ts";
import { decideCommit, type SnapshotRows } from "./decide-commit.ts";
import type { DuckLakeTable, Row } from "./ducklake-tables.ts";
import { insertRows } from "./insert-rows.ts";
import { isAlive } from "./leases.ts";

/** A job's commit, under the fence its lease was granted with. Files must lie where this job's uploads go. */
export type JobCommit = { lease: string; fence: number; jobId: string; commit: LakeCommit };

/** How many forgotten commit keys one commit sweeps out: more than one, so that they cannot pile up. */
const KEYS_FORGOTTEN_MAX = 10;

/** Refuses with `resource_conflict` (dead fence, conflicting change) or `validation_failed`. */
export function commitToCatalog(storage: DurableObjectStorage, request: JobCommit, nowMs: number): Answer<CommitAnswer> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    if (!isAlive(sql, request.lease, request.fence)) return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
    const { commit } = request;
    const replayed = findCommit(sql, commit.key);
    if (replayed !== undefined) return accept({ snapshotId: replayed, replayed: true });

    const state = readState(sql, commit);
    const snapshotId = state.head.snapshotId + 1;
    const decision = decideCommit(commit, state, request.jobId, nowMs, () => crypto.randomUUID());
    if (!decision.ok) return decision;
    writeRows(sql, decision.value);
    rememberCommit(sql, commit.key, snapshotId, nowMs);
    return accept({ snapshotId, replayed: false });
  });
}

function writeRows(sql: SqlStorage, rows: SnapshotRows): void {
  for (const [table, added] of Object.entries(rows) as [DuckLakeTable, Row<DuckLakeTable>[]][]) {
    insertRows(sql, table, added, REPLACED.has(table) ? "INSERT OR REPLACE" : "INSERT");
  }
}

/** One row for a whole table or column, whatever the snapshot; every other row is written once. */
const REPLACED: ReadonlySet<DuckLakeTable> = new Set(["ducklake_table_stats", "ducklake_table_column_stats"]);

const findCommit = (sql: SqlStorage, key: string): number | undefined =>
  sql.exec<{ snapshotId: number }>("SELECT snapshot_id AS snapshotId FROM fjord_commits WHERE key = ?", key).toArray()[0]?.snapshotId;

function rememberCommit(sql: SqlStorage, key: string, snapshotId: number, nowMs: number): void {
  sql.exec("INSERT INTO fjord_commits (key, snapshot_id, committed_at_ms) VALUES (?, ?, ?)", key, snapshotId, nowMs);
  sql.exec(
    "DELETE FROM fjord_commits WHERE key IN (SELECT key FROM fjord_commits WHERE committed_at_ms < ? ORDER BY committed_at_ms LIMIT ?)",
    nowMs - LIMITS.lakeCommitKeptMs,
    KEYS_FORGOTTEN_MAX,
  );
}
