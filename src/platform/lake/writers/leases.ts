// Leases on a lake: one holder per name, and a fence that rises with every new holder and never falls.

import { accept, refuse, type Answer } from "../answer.ts";

/** `expiresAtMs` is on the catalog's own clock. `holder` is null once released. */
export type Lease = { fence: number; holder: string | null; expiresAtMs: number };

export type LeaseRequest = { name: string; holder: string; ttlMs: number };
export type LeaseRenewal = { name: string; fence: number; ttlMs: number };

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
 * refused.
 */
export function acquireLease(
  sql: SqlStorage,
  { name, holder, ttlMs }: LeaseRequest,
  nowMs: number,
): Answer<{ fence: number }> {
  const held = findHeldLease(sql, name, nowMs);
  if (held && held.holder !== holder)
    return refuse("resource_conflict", `The lease ${name} is held by ${held.holder}.`);
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
