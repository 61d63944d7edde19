// A commit: read, decide, write, in one transaction. What it answers has happened; a crash at any point leaves nothing
// of it.

import type { CommitAnswer, LakeCommit } from "../../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { readState } from "../state/state.ts";
import { decideCommit } from "./decide.ts";
import { forgetWork, isAlive, STATEMENT_LEASES } from "../writers/leases.ts";
import { findMovedNote, writeState } from "../writers/notes.ts";
import { writeSnapshot } from "./write-snapshot.ts";

/** A job's commit, under the fence its lease was granted with. Files must lie where this job's uploads go. */
export type JobCommit = { lease: string; fence: number; jobId: string; commit: LakeCommit };

/** How many forgotten commit keys one commit sweeps out: more than one, so that they cannot pile up. */
const KEYS_FORGOTTEN_MAX = 10;

/** Refuses with `resource_conflict` (dead fence, conflicting change) or `validation_failed`. */
export function commitToCatalog(
  storage: DurableObjectStorage,
  request: JobCommit,
  nowMs: number,
): Answer<CommitAnswer> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const { lease, fence, jobId, commit } = request;
    if (!isAlive(sql, lease, fence))
      return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
    const replayed = findCommit(sql, commit.key);
    if (replayed !== undefined) return accept({ snapshotId: replayed, replayed: true });

    const moved = findMovedNote(sql, commit.expects ?? []);
    if (moved !== undefined)
      return refuse("resource_conflict", "Another run has built the tables meanwhile: what this one read is not new.");
    const state = readState(sql, commit, { lease, nowMs });
    const decision = decideCommit(commit, state, { jobId, lease, nowMs, newUuid: () => crypto.randomUUID() });
    if (!decision.ok) return decision;
    const snapshotId = decision.value?.snapshotId ?? state.head.snapshotId;
    if (decision.value) writeSnapshot(sql, decision.value);
    writeState(sql, commit.state ?? [], snapshotId);
    rememberCommit(sql, commit.key, snapshotId, nowMs);
    if (lease.startsWith(STATEMENT_LEASES)) forgetWork(sql, { lease, fence });
    return accept({ snapshotId, replayed: false });
  });
}

/** The snapshot that a commit of this key made. */
export const findCommit = (sql: SqlStorage, key: string): number | undefined =>
  sql
    .exec<{ snapshotId: number }>("SELECT snapshot_id AS snapshotId FROM fjord_commits WHERE key = ?", key)
    .toArray()[0]?.snapshotId;

function rememberCommit(sql: SqlStorage, key: string, snapshotId: number, nowMs: number): void {
  sql.exec("INSERT INTO fjord_commits (key, snapshot_id, committed_at_ms) VALUES (?, ?, ?)", key, snapshotId, nowMs);
  sql.exec(
    `DELETE FROM fjord_commits WHERE key IN (SELECT key FROM fjord_commits WHERE committed_at_ms < ?
      ORDER BY committed_at_ms LIMIT ?)`,
    nowMs - LAKE_CATALOG_LIMITS.commitKeptMs,
    KEYS_FORGOTTEN_MAX,
  );
}
