// Statements that write: each has a lease of its own, so that they may run beside each other and none outlives its
// permission.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { findCommit } from "./commit.ts";
import { readHead } from "../state/state.ts";
import { acquireLease, endLease, hasEnded, recordBase, recordTable, STATEMENT_LEASES } from "../writers/leases.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { findOwner, shownOwner } from "../writers/owners.ts";
import { readTable } from "../state/table-state.ts";

/**
 * One sending of a statement: `key` is its commit's, which a repeat of the request has again, and `jobId` is this
 * sending's own.
 */
export type SentStatement = { key: StatementKey; jobId: string };
/** `actor`: whose tables it may write besides those that are nobody's. */
export type NewStatement = SentStatement & {
  table: LakeTableName | undefined;
  actor?: string | undefined;
  ttlMs: number;
};
export type OpenStatement = { lease: string; fence: number; snapshotId: number; columnIdLast: number };

/** The commit's key of a statement, by the id of its request. Its sendings' leases begin with it. */
export const statementKey = (statementId: string): StatementKey => `${STATEMENT_LEASES}${statementId}`;
type StatementKey = `${typeof STATEMENT_LEASES}${string}`;

/** All sendings of a statement have the beginning in common, and sort by when they were sent. */
const leaseOf = ({ key, jobId }: SentStatement): string => `${key}/${jobId}`;

/**
 * What became of a statement as one sending of it ended: the snapshot that it wrote; another sending may write it yet;
 * or this sending and those before it write nothing.
 */
export type StatementEnd = number | "running" | "unwritten";

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
  { table, ttlMs, actor, ...sent }: NewStatement,
  nowMs: number,
): Answer<OpenStatement> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const { key, jobId } = sent;
    const lease = leaseOf(sent);
    const done = findCommit(sql, key);
    if (done !== undefined)
      return refuse("resource_conflict", `The request of this X-Request-Id wrote snapshot ${done}.`);
    if (isOver(sql, sent)) return refuse("resource_conflict", "The statement was ended before it began to write.");
    const owner = table && findOwner(sql, table.schema, table.name);
    if (owner && owner.owner !== actor) {
      const [kind = "", id = ""] = owner.owner.split(":");
      return refuse(
        "resource_conflict",
        `${table.schema}.${table.name} belongs to ${shownOwner(owner)} (${id}); nothing else may write to it. ` +
          `${kind === "doc" ? "Build it no longer there" : "Delete the sync"}, or write to another table.`,
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
 * Ends one sending of a statement, whatever it is at: from here on it begins and commits nothing. Where its statement
 * is not written, and no other sending of it has begun, no earlier sending begins any more either.
 */
export function endStatement(storage: DurableObjectStorage, sent: SentStatement, nowMs: number): StatementEnd {
  return storage.transactionSync(() => {
    const { sql } = storage;
    forgetLeases(sql, nowMs);
    const lease = leaseOf(sent);
    endLease(sql, lease, nowMs + LAKE_CATALOG_LIMITS.statementEndKeptMs);
    return findCommit(sql, sent.key) ?? (isSendingHeld(sql, sent.key, nowMs) ? "running" : "unwritten");
  });
}

/** Whether this sending was ended; or has not begun, and one that was sent after it was ended. */
function isOver(sql: SqlStorage, sent: SentStatement): boolean {
  const lease = leaseOf(sent);
  const own = hasEnded(sql, lease);
  if (own !== undefined) return own;
  const later = "SELECT 1 FROM fjord_leases WHERE name > ? AND name < ? AND holder IS NULL LIMIT 1";
  return sql.exec(later, lease, `${sent.key}0`).toArray().length > 0;
}

function isSendingHeld(sql: SqlStorage, key: string, nowMs: number): boolean {
  const held =
    "SELECT 1 FROM fjord_leases WHERE name > ? AND name < ? AND holder IS NOT NULL AND expires_at_ms > ? LIMIT 1";
  return sql.exec(held, `${key}/`, `${key}0`, nowMs).toArray().length > 0;
}

function forgetLeases(sql: SqlStorage, nowMs: number): void {
  sql.exec(
    `DELETE FROM fjord_leases WHERE name IN
       (SELECT name FROM fjord_leases WHERE name >= ?1 AND name < 'statement0' AND expires_at_ms < ?2 ORDER BY name
         LIMIT ?3)`,
    ...[STATEMENT_LEASES, nowMs, LEASES_FORGOTTEN_MAX],
  );
}
