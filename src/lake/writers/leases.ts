// Leases on a lake: one holder per name, and a fence that rises with every new holder and never falls.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";

/** `expiresAtMs` is on the catalog's own clock. `holder` is null once released. */
export type Lease = { fence: number; holder: string | null; expiresAtMs: number };

export type LeaseRequest = { name: string; holder: string; ttlMs: number };
export type LeaseRenewal = { name: string; fence: number; ttlMs: number };

/** Each sending of a statement that writes has a lease of its own, under which it commits once. */
export const STATEMENT_LEASES = "statement/";

/** Who asks: a job, by its lease and the fence it was granted. */
export type LeaseHolder = { lease: string; fence: number };

function findLease(sql: SqlStorage, name: string): Lease | undefined {
  return sql
    .exec<Lease>("SELECT fence, holder, expires_at_ms AS expiresAtMs FROM fjord_leases WHERE name = ?", name)
    .toArray()[0];
}

/** The lease, when somebody holds it now. */
export function findHeldLease(sql: SqlStorage, name: string, nowMs: number): Lease | undefined {
  const lease = findLease(sql, name);
  return lease?.holder != null && lease.expiresAtMs > nowMs ? lease : undefined;
}

/**
 * Takes a lease that is free, released or expired. Its holder may take it again and keeps the fence; others are
 * refused. A new holder has read nothing yet.
 */
export function acquireLease(
  sql: SqlStorage,
  { name, holder, ttlMs }: LeaseRequest,
  nowMs: number,
): Answer<{ fence: number }> {
  const held = findHeldLease(sql, name, nowMs);
  if (held && held.holder !== holder)
    return refuse("resource_conflict", `The lease ${name} is held by ${held.holder}.`);
  if (!held)
    sql.exec(
      "UPDATE fjord_leases SET base_snapshot = NULL, schema_name = NULL, table_name = NULL WHERE name = ?",
      name,
    );
  const { fence } = sql
    .exec<{ fence: number }>(
      `INSERT INTO fjord_leases (name, fence, holder, expires_at_ms) VALUES (?1, 1, ?2, ?3)
       ON CONFLICT (name) DO UPDATE SET fence = fence + ?4, holder = ?2, expires_at_ms = ?3 RETURNING fence`,
      name,
      holder,
      nowMs + ttlMs,
      held ? 0 : 1,
    )
    .one();
  return accept({ fence });
}

/**
 * Whether `fence` is the newest of its lease and not released. One that has merely expired lives until another takes
 * over.
 */
export const isAlive = (sql: SqlStorage, name: string, fence: number): boolean => {
  const lease = findLease(sql, name);
  return lease?.fence === fence && lease.holder !== null;
};

/** Says whether the lease was still the caller's to renew. */
export function renewLease(sql: SqlStorage, { name, fence, ttlMs }: LeaseRenewal, nowMs: number): boolean {
  const statement =
    "UPDATE fjord_leases SET expires_at_ms = ? WHERE name = ? AND fence = ? AND holder IS NOT NULL RETURNING 1";
  return sql.exec(statement, nowMs + ttlMs, name, fence).toArray().length > 0;
}

/** From here on the fence is dead. Says whether it was alive. */
export function releaseLease(sql: SqlStorage, name: string, fence: number): boolean {
  const statement =
    "UPDATE fjord_leases SET holder = NULL WHERE name = ? AND fence = ? AND holder IS NOT NULL RETURNING 1";
  return sql.exec(statement, name, fence).toArray().length > 0;
}

/** Kills the lease's fence for good, also where it was never granted: {@link hasEnded} until `untilMs`. */
export function endLease(sql: SqlStorage, name: string, untilMs: number): void {
  sql.exec(
    `INSERT INTO fjord_leases (name, fence, holder, expires_at_ms) VALUES (?1, 1, NULL, ?2)
     ON CONFLICT (name) DO UPDATE SET holder = NULL, expires_at_ms = ?2`,
    name,
    untilMs,
  );
}

/** Whether the lease has been released or ended, and nobody has taken it since; undefined where there is none. */
export function hasEnded(sql: SqlStorage, name: string): boolean | undefined {
  const lease = findLease(sql, name);
  return lease && lease.holder === null;
}

/**
 * Notes that the holder works from this snapshot: neither it nor a later one expires under it. The oldest counts, as it
 * may commit from any that it has read. A dead fence notes nothing.
 */
export function recordBase(sql: SqlStorage, { lease, fence }: LeaseHolder, snapshotId: number): void {
  sql.exec(
    `UPDATE fjord_leases SET base_snapshot = min(coalesce(base_snapshot, ?1), ?1)
     WHERE name = ?2 AND fence = ?3 AND holder IS NOT NULL`,
    snapshotId,
    lease,
    fence,
  );
}

/** Notes which table the holder writes. */
export function recordTable(sql: SqlStorage, { lease, fence }: LeaseHolder, { schema, name }: LakeTableName): void {
  sql.exec(
    "UPDATE fjord_leases SET schema_name = ?, table_name = ? WHERE name = ? AND fence = ?",
    schema,
    name,
    lease,
    fence,
  );
}

/** Its work is done: it reads and writes nothing any more, though its fence lives. */
export function forgetWork(sql: SqlStorage, { lease, fence }: LeaseHolder): void {
  sql.exec(
    "UPDATE fjord_leases SET base_snapshot = NULL, schema_name = NULL, table_name = NULL WHERE name = ? AND fence = ?",
    lease,
    fence,
  );
}

/**
 * The oldest snapshot that a holder works from; null where none does. A lease that ran out may be its job's still, as
 * long as its token is good; a statement's lease runs out with its token.
 */
export const findOldestBase = (sql: SqlStorage, nowMs: number): number | null =>
  sql
    .exec<{ base: number | null }>(
      `SELECT min(base_snapshot) AS base FROM fjord_leases WHERE holder IS NOT NULL
         AND expires_at_ms > iif(substr(name, 1, length(?1)) = ?1, ?2, ?3)`,
      STATEMENT_LEASES,
      nowMs,
      nowMs - LAKE_CATALOG_LIMITS.leaseSparesMs,
    )
    .one().base;
