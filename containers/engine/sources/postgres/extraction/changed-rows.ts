// Which rows of a PostgreSQL table were written since an earlier snapshot, by the transactions that wrote them.
//
// Every row version carries the number of the transaction that wrote it (`xmin`), sub-transactions have later numbers
// than what they are part of, and a number below the oldest transaction that was running has ended. So what an earlier
// snapshot did not see was written at or after its oldest running transaction. This is a full scan at the source of
// which only the rows that were written since travel; rows that were deleted leave nothing behind and are found by
// their keys.

import type { SnapshotPosition, PostgresSnapshot } from "./snapshot.ts";
import type { PostgresTable } from "./describe-table.ts";

/**
 * What the next run needs to know of this one. Plain data, stored with what was read: its fields keep their names, as
 * `moment` does, which is the snapshot's position.
 */
export type PostgresWatermark = { moment: SnapshotPosition; oid: number; fingerprint: string };

/** Rows to read, as a condition; or why all have to be, in words for people. */
export type Changes = { where: string } | { full: string };

/** Numbers go round at 2³²: half of it lies behind. The margin is for transactions begun while the table is read. */
const TRANSACTIONS_MAX = 2n ** 31n - 2n ** 28n;
const ROUND = 2n ** 32n;

/** Undefined: the next run will have to read it all. */
export function watermarkOf(
  { position }: PostgresSnapshot,
  { oid, fingerprint, untrackedReason }: PostgresTable,
): PostgresWatermark | undefined {
  return untrackedReason === undefined && position.systemIdentifier !== null
    ? { moment: position, oid, fingerprint }
    : undefined;
}

export function changedSince(
  watermark: PostgresWatermark | undefined,
  { position }: Pick<PostgresSnapshot, "position">,
  table: PostgresTable,
): Changes {
  const full = reasonToReadAll(watermark, position, table);
  if (full !== undefined || !watermark) return { full: full ?? "" };
  // Old rows are frozen and keep their number; one that looks young again is read once more, which does no harm.
  const oldest = BigInt(watermark.moment.oldestRunning) % ROUND;
  return { where: `pg_catalog.age(xmin) <= pg_catalog.age('${oldest}'::pg_catalog.xid)` };
}

/** As {@link changedSince}, of rows that were not there: a change of columns makes none, or writes all rows anew. */
export const insertedSince = (
  watermark: PostgresWatermark,
  snapshot: Pick<PostgresSnapshot, "position">,
  table: PostgresTable,
): Changes => changedSince({ ...watermark, fingerprint: table.fingerprint }, snapshot, table);

function reasonToReadAll(
  watermark: PostgresWatermark | undefined,
  now: SnapshotPosition,
  table: PostgresTable,
): string | undefined {
  if (table.untrackedReason !== undefined) return `${table.untrackedReason} All of it is read.`;
  if (!watermark) return "There is no earlier run to go by: all of it is read.";
  if (now.systemIdentifier === null)
    return "This role may not ask which cluster the server belongs to (pg_control_system): all of it is read.";
  const then = watermark.moment;
  if (then.systemIdentifier !== now.systemIdentifier || then.database !== now.database)
    return "The source is another database than at the last run: all of it is read.";
  if (then.timeline !== now.timeline)
    return "The server has been restored or another has taken over since the last run: all of it is read.";
  if (BigInt(now.lsn ?? 0) < BigInt(then.lsn ?? 0) || BigInt(now.next) < BigInt(then.oldestRunning))
    return "The server lies behind the one the last run read: all of it is read.";
  if (watermark.oid !== table.oid) return "The table was dropped and created since the last run: all of it is read.";
  if (watermark.fingerprint !== table.fingerprint)
    return "The table's columns or partitions changed since the last run: all of it is read.";
  if (BigInt(now.next) - BigInt(then.oldestRunning) > TRANSACTIONS_MAX)
    return "More transactions than PostgreSQL can tell apart have passed since the last run: all of it is read.";
  return undefined;
}
