// Statements that write: each has a lease of its own, so that they may run beside each other and none outlives its
// permission.

import { LIMITS } from "../../../core/limits.ts";
import { accept, refuse, type Answer } from "../answer.ts";
import { findCommit } from "../commit/commit.ts";
import { readHead } from "../commit/state.ts";
import { acquireLease, endLease, hasEnded, recordBase, recordTable, STATEMENT_LEASES } from "./leases.ts";
import type { LakeTableName } from "../../../../containers/engine/contract/lake.ts";
import { findOwner } from "./owners.ts";
import { readTable } from "../commit/table-state.ts";

/**
 * One sending of a statement: `key` is its commit's, which a repeat of the request has again, and `jobId` is this
 * sending's own.
 */
export type SentStatement = { key: string; jobId: string };
export type NewStatement = SentStatement & { table: LakeTableName | undefined; ttlMs: number };
export type OpenStatement = { lease: string; fence: number; snapshotId: number; columnIdLast: number };

/** The commit's key of a statement, by the id of its request. */
export const statementKey = (statementId: string): string => `statement/${statementId}`;

const leaseOf = ({ jobId }: SentStatement): string => `${STATEMENT_LEASES}${jobId}`;

/**
 * How many leases of statements that are over one that begins or ends sweeps out: more than one, so that they cannot
 * pile up.
 */
const LEASES_FORGOTTEN_MAX = 10;

/**
 * Refuses with `resource_conflict` what is known to fail before any work is done: a table that a sync owns, and a
 * statement that was committed already, or ended. A statement that begins its commit anew opens again, and has the
 * lease that it had. No two sendings share a lease's name, so one that is forgotten lets no old fence live again.
 */
export function openStatement(
  storage: DurableObjectStorage,
  { table, ttlMs, ...sent }: NewStatement,
  nowMs: number,
): Answer<OpenStatement> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const { key, jobId } = sent;
    const lease = leaseOf(sent);
    const done = findCommit(sql, key);
    if (done !== undefined)
      return refuse("resource_conflict", `The request of this X-Request-Id wrote snapshot ${done}.`);
    if (hasEnded(sql, lease)) return refuse("resource_conflict", "The statement was ended before it began to write.");
    const owner = table && findOwner(sql, table.schema, table.name);
    if (owner) {
      const whose = `belongs to the sync ${owner.name} (${owner.owner.replace(/^sync:/, "")})`;
      return refuse(
        "resource_conflict",
        `${table.schema}.${table.name} ${whose}; nothing else may write to it. Delete the ` +
          "sync, or write to another table.",
      );
    }
    forgetLeases(sql, nowMs);
    const leased = acquireLease(sql, { name: lease, holder: jobId, ttlMs }, nowMs);
    if (!leased.ok) return leased;
    const holder = { lease, fence: leased.value.fence };
    const { snapshotId } = readHead(sql);
    recordBase(sql, holder, snapshotId);
    if (table) recordTable(sql, holder, table);
    const used = table ? (readTable(sql, table.schema, table.name)?.usedColumnIds ?? []) : [];
    return accept({ ...holder, snapshotId, columnIdLast: Math.max(0, ...used) });
  });
}

/**
 * Ends one sending of a statement, whatever it is at: from here on it begins and commits nothing. Answers the snapshot
 * that the statement's key wrote; null where there is none, and none will be by this sending.
 */
export function endStatement(storage: DurableObjectStorage, sent: SentStatement, nowMs: number): number | null {
  return storage.transactionSync(() => {
    const { sql } = storage;
    forgetLeases(sql, nowMs);
    endLease(sql, leaseOf(sent), nowMs + LIMITS.statementEndKeptMs);
    return findCommit(sql, sent.key) ?? null;
  });
}

function forgetLeases(sql: SqlStorage, nowMs: number): void {
  sql.exec(
    `DELETE FROM fjord_leases WHERE name IN
       (SELECT name FROM fjord_leases WHERE name >= ?1 AND name < 'statement0' AND expires_at_ms < ?2 ORDER BY name
         LIMIT ?3)`,
    ...[STATEMENT_LEASES, nowMs, LEASES_FORGOTTEN_MAX],
  );
}
