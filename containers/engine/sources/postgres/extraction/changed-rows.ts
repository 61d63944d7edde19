// The rows of a PostgreSQL table that were written since an earlier snapshot are known by the transactions that wrote
// them.
//
// Every row version carries the number of the transaction that wrote it (`xmin`), sub-transactions have later numbers
// than what they are part of, and a number below the oldest transaction that was running has ended. Rows that an
// earlier snapshot did not see were therefore written at or after its oldest running transaction. This is a full scan
// at the source of which only the rows that were written since travel; rows that were deleted leave nothing behind and
// are found by their keys. The scan that reads all keys says where the rows lie that were written since.

import type { ChangedRows, ChangeRequest, Changes, FoundChanges, NamedRows } from "../../../extract/changes/changes.ts";
import { READ_ALL, ReadAllInstead, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import { sameName } from "../../../duckdb/names.ts";
import { protocolViolation } from "../connection/messages.ts";
import type { SnapshotPosition } from "./position.ts";
import type { PostgresTable } from "./describe-table.ts";

/**
 * The watermark that a checkpoint keeps for the next run. It is plain data, stored with the rows: its fields keep their
 * names, as `moment` does, which is the snapshot's position.
 */
export type PostgresWatermark = { moment: SnapshotPosition; oid: number; fingerprint: string };

/** The part of a snapshot that this is about. */
type Positioned = { readonly position: SnapshotPosition };
/** `isLasting`: whether all that is read is of this one snapshot, so that rows stay where they lie. */
type Scanned = Positioned & { readonly isLasting: boolean };

/** Numbers go round at 2³²: half of it lies behind. The margin is for transactions begun while the table is read. */
const TRANSACTIONS_MAX = 2n ** 31n - 2n ** 28n;
const ROUND = 2n ** 32n;

/** Rows that were written since the last run, by the transactions that wrote them. */
export function findWritten(
  snapshot: Scanned,
  table: PostgresTable,
  { before, isFirstRun }: Pick<ChangeRequest, "before" | "isFirstRun">,
): FoundChanges {
  const mark = watermarkOf(snapshot, table);
  const baseline = mark ? { kind: "mark" as const, mark } : null;
  const readAll = (reason: ReadAllReason): FoundChanges => ({ changed: new ReadAllInstead(reason), baseline });
  if (isFirstRun) return readAll(READ_ALL.firstRun);
  const earlier = before?.kind === "mark" ? before : undefined;
  const changes = changedSince(earlier?.mark as PostgresWatermark | undefined, snapshot, table);
  if ("full" in changes) return readAll(changes.full);
  if (!earlier) return readAll(READ_ALL.noEarlierRun);
  const changed: ChangedRows = {
    wheres: [changes.where],
    compared: { kind: "keys" },
    keys: { before: earlier.keys, method: "here" },
    method: "rows written since the last run",
    ...(snapshot.isLasting && hasPlaces(table) ? { named: namedByPlace(changes.where) } : {}),
  };
  return { changed, baseline };
}

const PLACE = "fjord place";
const IS_PLACE = /^\(\d{1,10},\d{1,5}\)$/;

/** A place names one row only where all rows lie in one table, and is read beside columns of other names. */
const hasPlaces = ({ storage, columns }: PostgresTable): boolean =>
  storage.length === 1 && !columns.some(({ lake }) => sameName(lake.name, PLACE));

/** Rows that satisfy `where`, by their place in the table (`ctid`). */
const namedByPlace = (where: string): NamedRows => ({
  column: {
    name: PLACE,
    type: "tid",
    lake: { id: 0, name: PLACE, type: "varchar", nullable: true, children: [] },
    select: `CASE WHEN ${where} THEN ctid::pg_catalog.text END`,
    reading: { as: "text" },
    width: 16,
  },
  where(places) {
    if (!places.every((place) => IS_PLACE.test(place))) protocolViolation("a row lies at no place");
    return `ctid = ANY ('{${places.map((place) => `"${place}"`).join(",")}}'::pg_catalog.tid[])`;
  },
});

/** Undefined: the next run will have to read it all. */
export function watermarkOf(
  { position }: Positioned,
  { oid, fingerprint, untrackedReason }: PostgresTable,
): PostgresWatermark | undefined {
  return untrackedReason === undefined && position.systemIdentifier !== null
    ? { moment: position, oid, fingerprint }
    : undefined;
}

export function changedSince(
  watermark: PostgresWatermark | undefined,
  { position }: Positioned,
  table: PostgresTable,
): Changes {
  const full = reasonToReadAll(watermark, position, table);
  if (full !== undefined || !watermark) return { full: full ?? READ_ALL.noEarlierRun };
  // Old rows are frozen and keep their number; one that looks young again is read once more, which does no harm.
  const oldest = BigInt(watermark.moment.oldestRunning) % ROUND;
  return { where: `pg_catalog.age(xmin) <= pg_catalog.age('${oldest}'::pg_catalog.xid)` };
}

/**
 * Does for new rows what {@link changedSince} does for written ones: a change of columns makes no new rows, or writes
 * all rows anew.
 */
export const insertedSince = (watermark: PostgresWatermark, snapshot: Positioned, table: PostgresTable): Changes =>
  changedSince({ ...watermark, fingerprint: table.fingerprint }, snapshot, table);

function reasonToReadAll(
  watermark: PostgresWatermark | undefined,
  now: SnapshotPosition,
  table: PostgresTable,
): ReadAllReason | undefined {
  if (table.untrackedReason !== undefined) return READ_ALL.untracked(table.untrackedReason);
  if (!watermark) return READ_ALL.noEarlierRun;
  if (now.systemIdentifier === null) return READ_ALL.clusterUnknown;
  const then = watermark.moment;
  if (then.systemIdentifier !== now.systemIdentifier || then.database !== now.database) return READ_ALL.otherDatabase;
  if (then.timeline !== now.timeline) return READ_ALL.otherTimeline;
  if (BigInt(now.lsn ?? 0) < BigInt(then.lsn ?? 0) || BigInt(now.next) < BigInt(then.oldestRunning))
    return READ_ALL.serverBehind;
  if (watermark.oid !== table.oid) return READ_ALL.tableRecreated;
  if (watermark.fingerprint !== table.fingerprint) return READ_ALL.columnsOrPartitionsChanged;
  if (BigInt(now.next) - BigInt(then.oldestRunning) > TRANSACTIONS_MAX) return READ_ALL.tooManyTransactions;
  return undefined;
}
