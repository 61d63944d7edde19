// Statements that write: each has a lease of its own, so that they may run beside each other and none outlives its
// permission.

import { accept, refuse, type Answer } from "../answer.ts";
import { findCommit } from "../commit/commit.ts";
import { readHead } from "../commit/state.ts";
import { acquireLease, recordBase, recordTable, STATEMENT_LEASES } from "./leases.ts";
import type { LakeTableName } from "../../../../containers/engine/contract/lake.ts";
import { findOwner } from "./owners.ts";
import { readTable } from "../commit/table-state.ts";

export type NewStatement = { key: string; jobId: string; table: LakeTableName | undefined; ttlMs: number };
export type OpenStatement = { lease: string; fence: number; snapshotId: number; columnIdLast: number };

/**
 * How many leases of statements that are over one that begins sweeps out: more than one, so that they cannot pile up.
 */
const LEASES_FORGOTTEN_MAX = 10;

/**
 * Refuses with `resource_conflict` what is known to fail before any work is done: a table that a sync owns, and a
 * statement that was committed already. No two statements share a lease's name, so one that is forgotten lets no old
 * fence live again.
 */
export function openStatement(
  storage: DurableObjectStorage,
  { key, jobId, table, ttlMs }: NewStatement,
  nowMs: number,
): Answer<OpenStatement> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const done = findCommit(sql, key);
    if (done !== undefined)
      return refuse(
        "resource_conflict",
        `The request of this X-Request-Id wrote snapshot ${done}. Send another id to do it again.`,
      );
    const owner = table && findOwner(sql, table.schema, table.name);
    if (owner) {
      const whose = `belongs to the sync ${owner.name} (${owner.owner.replace(/^sync:/, "")})`;
      return refuse(
        "resource_conflict",
        `${table.schema}.${table.name} ${whose}; nothing else may write to it. Delete the ` +
          "sync, or write to another table.",
      );
    }
    sql.exec(
      `DELETE FROM fjord_leases WHERE name IN
         (SELECT name FROM fjord_leases WHERE name >= ?1 AND name < 'statement0' AND expires_at_ms < ?2 ORDER BY name
           LIMIT ?3)`,
      ...[STATEMENT_LEASES, nowMs, LEASES_FORGOTTEN_MAX],
    );
    const lease = `${STATEMENT_LEASES}${jobId}`;
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
