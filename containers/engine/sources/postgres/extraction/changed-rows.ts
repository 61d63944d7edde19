// The rows of a PostgreSQL table that were written since an earlier snapshot are known by the transactions that wrote
// them.
//
// Every row version carries the number of the transaction that wrote it (`xmin`), sub-transactions have later numbers
// than what they are part of, and a number below the oldest transaction that was running has ended. Rows that an
// earlier snapshot did not see were therefore written at or after its oldest running transaction. This is a full scan
// at the source of which only the rows that were written since travel; rows that were deleted leave nothing behind and
// are found by their keys. The scan that reads all keys says where the rows lie that were written since. Unless the
// table is very large, a scan of which nothing but sums travels comes first: it says whether there are such rows, and
// whether keys may be gone at all.

import {
  readWholeTable,
  type ChangedRows,
  type ChangeRequest,
  type Changes,
  type ChangeReport,
  type NamedRows,
  type SummedKeys,
} from "../../../extract/changes/changes.ts";
import type { SourceColumn } from "../../../extract/source-table.ts";
import { READ_ALL, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import { sameName } from "../../../duckdb/names.ts";
import { protocolViolation } from "../connection/messages.ts";
import type { SnapshotPosition } from "./position.ts";
import type { PostgresTable } from "./describe-table.ts";
import { digestColumn, type DigestedKeys, type TableSums } from "./sum-keys.ts";

/**
 * The watermark that a checkpoint keeps for the next run. It is plain data, stored with the rows: its fields keep their
 * names, as `moment` does, which is the snapshot's position.
 */
export type PostgresWatermark = {
  moment: SnapshotPosition;
  oid: number;
  fingerprint: string;
  /** The sum of all keys in the same snapshot, where a merge has asked for it. */
  keys?: DigestedKeys;
};

/** The part of a snapshot that this is about. */
type Positioned = { readonly position: SnapshotPosition };
/** `isLasting`: whether all that is read is of this one snapshot, so that rows stay where they lie. */
type Scanned = Positioned & { readonly isLasting: boolean };

/** Numbers go round at 2³²: half of it lies behind. The margin is for transactions begun while the table is read. */
const TRANSACTIONS_MAX = 2n ** 31n - 2n ** 28n;
const ROUND = 2n ** 32n;

/** Sums the table's keys, and counts the rows written since `oldest`; undefined where the server can't. */
export type AskSums = (oldest: bigint) => Promise<TableSums | undefined>;

/** Rows that were written since the last run, by the transactions that wrote them. */
export async function findWritten(
  snapshot: Scanned,
  table: PostgresTable,
  { before, isFirstRun }: Pick<ChangeRequest, "before" | "isFirstRun">,
  askSums: AskSums,
): Promise<ChangeReport> {
  const mark = watermarkOf(snapshot, table);
  const readAll = (reason: ReadAllReason): ChangeReport => readWholeTable(reason, mark ? { kind: "mark", mark } : null);
  if (isFirstRun) return readAll(READ_ALL.firstRun);
  const earlier = before?.kind === "mark" ? before : undefined;
  const watermark = earlier?.mark as PostgresWatermark | undefined;
  const changes = changedSince(watermark, snapshot, table);
  if ("full" in changes) return readAll(changes.full);
  if (!earlier || !watermark || !mark) return readAll(READ_ALL.noEarlierRun);
  // Sums of several snapshots can't be held against the rows of one.
  const isSummed = snapshot.isLasting && (table.bytesEstimate ?? 0) <= SUMMED_BYTES_MAX;
  const sums = isSummed ? await askSums(BigInt(watermark.moment.oldestRunning)) : undefined;
  // Where keys were gone at the last run, some may be again: a scan that reads all of them says what was written, too.
  const summed = sums && !earlier.wereKeysGone ? mayHaveAllKeys(watermark.keys, sums.keys, table) : undefined;
  const changed: ChangedRows = {
    wheres: summed && sums?.written === 0 ? [] : [changes.where],
    compared: { kind: "keys" },
    keys: { before: earlier.keys, method: "here" },
    method: "rows written since the last run",
    ...(sums && { rowsMin: sums.written }),
    ...(summed ? { summed } : snapshot.isLasting && hasPlaces(table) ? { named: namedByPlace(changes.where) } : {}),
  };
  return { changed, baseline: { kind: "mark", mark: { ...mark, ...(sums && { keys: sums.keys }) } } };
}

/**
 * Rows that were written take a scan after that of the sums. A larger table may not stay in the server's memory, and is
 * scanned once. The size is that of the server's statistics.
 */
const SUMMED_BYTES_MAX = 4 * 1024 * 1024 * 1024;

const DIGEST = "fjord digest";

/** Undefined where the sums are not to be compared, or keys are gone for certain. */
const mayHaveAllKeys = (
  before: DigestedKeys | undefined,
  now: DigestedKeys,
  { columns }: PostgresTable,
): SummedKeys | undefined =>
  before?.digest === now.digest && before.rows <= now.rows && isFree(DIGEST, columns)
    ? { before, now, column: digestColumn(now, DIGEST) }
    : undefined;

/** Whether a column of this name can be read beside the others. */
const isFree = (name: string, columns: readonly SourceColumn[]): boolean =>
  !columns.some(({ lake }) => sameName(lake.name, name));

const PLACE = "fjord place";
const IS_PLACE = /^\(\d{1,10},\d{1,5}\)$/;

/** A place names one row only where all rows lie in one table, and is read beside columns of other names. */
const hasPlaces = ({ storage, columns }: PostgresTable): boolean => storage.length === 1 && isFree(PLACE, columns);

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
