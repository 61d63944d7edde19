// A table may have a writer at work: the sync that owns it, or a statement that writes to it. A compaction in between
// would cost them their commit, so it waits for them.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { findHeldLease } from "./leases.ts";
import { findOwner, shownOwner } from "./owners.ts";

/** Under which lease a sync commits to the tables it owns. */
const leaseOfOwner = (owner: string): string => owner.replace(":", "/");

/**
 * A sync whose heartbeats are late commits all the same until somebody displaces it. One that died is displaced sooner:
 * whoever watches its run ends its lease.
 */
const LATE_MS_MAX = 600_000;

/**
 * Why a table is not to be compacted now by another than the holder of `lease`, or undefined. A lease that ran out long
 * ago is nobody's work any more.
 */
export function findWork(
  sql: SqlStorage,
  { schema, name }: LakeTableName,
  lease: string,
  nowMs: number,
): string | undefined {
  const owner = findOwner(sql, schema, name);
  const ownerLease = owner && leaseOfOwner(owner.owner);
  if (ownerLease !== undefined && ownerLease !== lease && findHeldLease(sql, ownerLease, nowMs - LATE_MS_MAX))
    return `${shownOwner(owner!)} is at work on it`;
  const statements = sql.exec(
    `SELECT 1 FROM fjord_leases WHERE schema_name = ? COLLATE NOCASE AND table_name = ? COLLATE NOCASE
       AND holder IS NOT NULL AND expires_at_ms > ? AND name <> ? LIMIT 1`,
    schema,
    name,
    nowMs,
    lease,
  );
  return statements.toArray().length > 0 ? "a statement is writing to it" : undefined;
}
