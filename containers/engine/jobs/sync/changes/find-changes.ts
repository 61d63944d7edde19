// Which of a table's rows a `merge` has to look at, by the kind of source and what the last run's checkpoint compares
// with.

import { READ_ALL, ReadAllInstead } from "../../../extract/read-all-reasons.ts";
import type { FirstBounds } from "../../../sources/mysql/extraction/key-ranges.ts";
import type { MysqlTable } from "../../../sources/mysql/extraction/describe-table.ts";
import {
  compareDigests,
  type ChangedRange,
  type TableDigests,
} from "../../../sources/mysql/extraction/range-digests.ts";
import {
  changedSince,
  insertedSince,
  watermarkOf,
  type Changes,
  type PostgresWatermark,
} from "../../../sources/postgres/extraction/changed-rows.ts";
import type { PostgresTable } from "../../../sources/postgres/extraction/describe-table.ts";
import type { PreparedTable } from "../sync-run.ts";
import { isFrom, rereadFrom, type Cursor } from "../tables/cursor.ts";
import { checksumOfDigests, type ChecksumMethod, type KeyChecksum } from "./key-checksum.ts";
import { totalChecksum } from "./range-checksums.ts";

/** What is to become the checkpoint's baseline: PostgreSQL's lacks the keys yet. */
export type NewBaseline =
  | { kind: "postgres"; watermark: PostgresWatermark }
  | { kind: "late"; watermark: PostgresWatermark }
  | { kind: "mysql"; digests: TableDigests }
  | null;

/** Which rows of the lake may have to be deleted. Those whose key was read are compared in any case. */
export type Scope =
  /** Also those whose key the source has no more: all its keys are read where rows are missing. */
  | { kind: "keys" }
  /** Also those within `lakeWhere` that were not read: all that the source has there was read. */
  | { kind: "ranges"; lakeWhere: string; bounds: readonly FirstBounds[] }
  /** No others: rows that were deleted at the source go unseen. */
  | { kind: "read" };

/**
 * What the lake's keys come to, and what they have to come to. Without `now` the source's keys are read and
 * checksummed.
 */
export type KeyTotals = { before: KeyChecksum; now?: KeyChecksum; method: ChecksumMethod };

export type ChangedRows = {
  /** Conditions at the source, in its SQL; together they name the rows to read. */
  wheres: string[];
  scope: Scope;
  keys?: KeyTotals;
  /** How it was found, for people. */
  method: string;
};

/** `changed`: or why everything is to be read. `baseline` is for the next run either way. */
export type Found = { changed: ChangedRows | ReadAllInstead; baseline: NewBaseline };

const RANGES_PER_READ = 100;
/** Beyond this share of its rows, and so many, a table is read as a whole. */
const SHARE_MAX = 0.5;
const ROWS_MIN = 50_000;

export function findChanges(prepared: PreparedTable): Promise<Found> {
  const { run, table, cursor } = prepared;
  if (cursor) return findByCursor(prepared, cursor);
  if (run.snapshot.kind === "postgres") return Promise.resolve(findWritten(prepared, table as PostgresTable));
  return findRanges(prepared, table as MysqlTable);
}

const readAll = (note: string | null, baseline: NewBaseline = null): Found => ({
  changed: new ReadAllInstead(note),
  baseline,
});

async function findByCursor({ run, checkpoint }: PreparedTable, cursor: Cursor): Promise<Found> {
  const value = checkpoint?.cursor?.value;
  const from = value ? await rereadFrom(run.staging, cursor, value) : null;
  if (from === null) return readAll(READ_ALL.noCursorValue);
  const changed: ChangedRows = {
    wheres: [isFrom(run.snapshot.kind, cursor, from)],
    scope: { kind: "read" },
    method: `rows changed by ${cursor.column.name}`,
  };
  return { changed, baseline: null };
}

/** PostgreSQL: rows that were written since the last run, by the transactions that wrote them. */
function findWritten({ run: { snapshot }, checkpoint }: PreparedTable, table: PostgresTable): Found {
  if (snapshot.kind !== "postgres") throw new Error("the snapshot is not PostgreSQL's");
  const watermark = watermarkOf(snapshot, table);
  const baseline = watermark ? { kind: "postgres" as const, watermark } : null;
  const before = checkpoint?.baseline?.kind === "postgres" ? checkpoint.baseline : undefined;
  const changes = changedSince(before?.watermark, snapshot, table);
  if (!checkpoint) return readAll(READ_ALL.firstRun, baseline);
  if ("full" in changes) return readAll(changes.full, baseline);
  if (!before) return readAll(READ_ALL.noEarlierRun, baseline);
  const changed: ChangedRows = {
    wheres: [changes.where],
    scope: { kind: "keys" },
    keys: { before: totalChecksum(before.keys), method: "here" },
    method: "rows written since the last run",
  };
  return { changed, baseline };
}

/** MySQL: ranges of the key whose rows have another digest than at the last run. */
async function findRanges({ run, checkpoint, progress }: PreparedTable, table: MysqlTable): Promise<Found> {
  const { snapshot, signal, rangeRows } = run;
  // Digests and rows must be of one moment.
  if (snapshot.kind !== "mysql" || !/^(innodb|rocksdb)$/i.test(table.engine ?? ""))
    return readAll(READ_ALL.engineWithoutTransactions);
  const remembered =
    checkpoint?.baseline?.kind === "mysql" && hasKeys(checkpoint.baseline.digests)
      ? checkpoint.baseline.digests
      : undefined;
  const before = remembered?.fingerprint === table.fingerprint ? remembered : undefined;
  progress.phase = "comparing";
  const compared = await compareDigests({
    snapshot,
    table,
    before,
    signal,
    rowsMin: rangeRows,
    onProgress: (rows) => void (progress.rowsCompared = rows),
  });
  progress.phase = "reading";
  if ("full" in compared) return readAll(checkpoint ? compared.full : READ_ALL.firstRun);
  const { digests, changed } = compared;
  const baseline = { kind: "mysql" as const, digests };
  if (!before) return readAll(remembered ? READ_ALL.columnsChangedInMysql : READ_ALL.firstRun, baseline);
  const [rows, rowsChanged] = [rowsIn(digests.ranges), rowsIn(changed)];
  if (rowsChanged > Math.max(ROWS_MIN, rows * SHARE_MAX))
    return readAll(READ_ALL.manyRangesChanged(rowsChanged, rows), baseline);
  return { changed: readRanges(before, digests, changed), baseline };
}

const rowsIn = (ranges: readonly { rows: number }[]): number => ranges.reduce((sum, { rows }) => sum + rows, 0);

function readRanges(before: TableDigests, digests: TableDigests, changed: readonly ChangedRange[]): ChangedRows {
  const wheres: string[] = [];
  for (let i = 0; i < changed.length; i += RANGES_PER_READ)
    wheres.push(anyOf(changed.slice(i, i + RANGES_PER_READ).map(({ where }) => where)));
  const ranges = changed.flatMap(({ lake }) => lake ?? []);
  const scope: Scope =
    ranges.length === changed.length
      ? {
          kind: "ranges",
          lakeWhere: anyOf(ranges.map(({ where }) => where)),
          bounds: ranges.map(({ bounds }) => bounds),
        }
      : { kind: "keys" };
  return {
    wheres,
    scope,
    keys: { before: checksumOfDigests(before), now: checksumOfDigests(digests), method: "by_mysql" },
    method: `${changed.length} of ${digests.ranges.length} ranges had changed`,
  };
}

const anyOf = (conditions: readonly string[]): string => conditions.map((each) => `(${each})`).join(" OR ");

/** Earlier versions kept no sums of keys. */
const hasKeys = ({ ranges }: TableDigests): boolean => ranges.every(({ keys }) => typeof keys === "string");

/**
 * What an `append` leaves to the next, by which that one finds rows that were committed late. Null: rows without a key
 * can't be distinguished, or the server does not say when they were written.
 */
export function lateBaseline({
  run: { snapshot },
  table,
}: PreparedTable): { kind: "late"; watermark: PostgresWatermark } | null {
  if (snapshot.kind !== "postgres" || table.primaryKey.length === 0) return null;
  const watermark = watermarkOf(snapshot, table as PostgresTable);
  return watermark ? { kind: "late", watermark } : null;
}

/**
 * The rows that the last run can't have seen, wherever their cursor stands; undefined where the last run left nothing
 * to find them by.
 */
export function findLateRows({ run: { snapshot }, table, checkpoint }: PreparedTable): Changes | undefined {
  const baseline = checkpoint?.baseline;
  if (snapshot.kind !== "postgres" || table.primaryKey.length === 0 || !baseline || baseline.kind === "mysql")
    return undefined;
  return insertedSince(baseline.watermark, snapshot, table as PostgresTable);
}
