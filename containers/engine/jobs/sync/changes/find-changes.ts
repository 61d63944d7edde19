// Which of a table's rows a `merge` has to look at, by the kind of source and what the last run remembers.

import { compareDigests, type TableDigests } from "../../../sources/mysql/extraction/range-digests.ts";
import type { MysqlTable } from "../../../sources/mysql/extraction/describe-table.ts";
import type { FirstBounds } from "../../../sources/mysql/extraction/key-ranges.ts";
import {
  changedSince,
  insertedSince,
  watermarkOf,
  type Changes,
  type PostgresWatermark,
} from "../../../sources/postgres/extraction/changed-rows.ts";
import type { PostgresTable } from "../../../sources/postgres/extraction/describe-table.ts";
import { isFrom, rereadFrom } from "../tables/cursor.ts";
import { checksumOfDigests, type KeyChecksum, type ChecksumMethod } from "./key-checksum.ts";
import { totalChecksum } from "./range-checksums.ts";
import type { PreparedTable } from "../sync-run.ts";

/** What is to become {@link Memory}: PostgreSQL's lacks the keys yet. */
export type NewBaseline =
  | { kind: "postgres"; mark: PostgresWatermark }
  | { kind: "late"; mark: PostgresWatermark }
  | { kind: "mysql"; digests: TableDigests }
  | null;

/** What lake rows may have to go: those whose key was read and is changed … */
export type Scope =
  /** … or is no more. */
  | { kind: "keys" }
  /** … or is no more, within `lakeWhere`: all the source has there was read. */
  | { kind: "ranges"; lakeWhere: string; bounds: readonly FirstBounds[] }
  /** … and no others: rows that are gone go unseen. */
  | { kind: "read" };

/** What the lake's keys come to, and what they have to come to. Without `now` the source's keys are read and summed. */
export type KeyTotals = { before: KeyChecksum; now?: KeyChecksum; summed: ChecksumMethod };

export type ChangedRows = {
  /** Conditions at the source, in its SQL; together they name the rows to read. */
  wheres: string[];
  scope: Scope;
  memory: NewBaseline;
  keys?: KeyTotals;
  /** How it was found, for people. */
  method: string;
};

/** `full`: why everything is to be read. What was learnt on the way is kept. */
export type Found = ChangedRows | { full: string | null; memory: NewBaseline };

const RANGES_PER_READ = 100;
/** Beyond this share of its rows, and so many, a table is read as a whole. */
const SHARE_MAX = 0.5;
const ROWS_MIN = 50_000;

export async function findChanges(described: PreparedTable): Promise<Found> {
  const { run, table, checkpoint, cursor, progress } = described;
  const { snapshot, staging, signal } = run;
  if (cursor && checkpoint?.cursor?.value) {
    const from = await rereadFrom(staging, cursor, checkpoint.cursor.value);
    if (from !== null)
      return {
        wheres: [isFrom(snapshot.kind, cursor, from)],
        scope: { kind: "read" },
        memory: null,
        method: `rows changed by ${cursor.column.name}`,
      };
  }
  if (cursor) return { full: null, memory: null };
  if (snapshot.kind === "postgres") {
    const told = table as PostgresTable;
    const mark = watermarkOf(snapshot, told);
    const memory = mark ? { kind: "postgres" as const, mark } : null;
    const before = checkpoint?.memory?.kind === "postgres" ? checkpoint.memory : undefined;
    const changes = changedSince(before?.mark, snapshot, told);
    // That a first run reads all of it goes without saying.
    if ("full" in changes || !before) return { full: checkpoint && "full" in changes ? changes.full : null, memory };
    return {
      wheres: [changes.where],
      scope: { kind: "keys" },
      memory,
      keys: { before: totalChecksum(before.keys), summed: "here" },
      method: "rows written since the last run",
    };
  }
  return findRanges(described, table as MysqlTable);
}

async function findRanges({ run, checkpoint, progress }: PreparedTable, table: MysqlTable): Promise<Found> {
  const { snapshot, signal, rangeRows } = run;
  // Digests and rows must be of one moment.
  if (snapshot.kind !== "mysql" || !/^(innodb|rocksdb)$/i.test(table.engine ?? "")) return { full: null, memory: null };
  progress.phase = "comparing";
  const remembered =
    checkpoint?.memory?.kind === "mysql" && hasKeys(checkpoint.memory.digests) ? checkpoint.memory.digests : undefined;
  const before = remembered?.fingerprint === table.fingerprint ? remembered : undefined;
  const compared = await compareDigests({
    snapshot,
    table,
    before,
    signal,
    rowsMin: rangeRows,
    onProgress: (rows) => void (progress.rowsCompared = rows),
  });
  progress.phase = "reading";
  if ("full" in compared) return { full: checkpoint ? compared.full : null, memory: null };
  const { digests, changed } = compared;
  const memory = { kind: "mysql" as const, digests };
  if (!before)
    return { full: remembered ? "The table's columns changed since the last run: all of it is read." : null, memory };
  const rows = digests.ranges.reduce((sum, range) => sum + range.rows, 0);
  const rowsChanged = changed.reduce((sum, range) => sum + range.rows, 0);
  if (rowsChanged > Math.max(ROWS_MIN, rows * SHARE_MAX))
    return { full: `Ranges with ${rowsChanged} of its ${rows} rows have changed: all of it is read.`, memory };
  const wheres: string[] = [];
  for (let i = 0; i < changed.length; i += RANGES_PER_READ)
    wheres.push(
      changed
        .slice(i, i + RANGES_PER_READ)
        .map(({ where }) => `(${where})`)
        .join(" OR "),
    );
  const ranges = changed.flatMap(({ lake }) => lake ?? []);
  const lakeWhere = ranges.map(({ where }) => `(${where})`).join(" OR ");
  const scope: Scope =
    ranges.length === changed.length
      ? { kind: "ranges", lakeWhere, bounds: ranges.map(({ bounds }) => bounds) }
      : { kind: "keys" };
  const keys: KeyTotals = { before: checksumOfDigests(before), now: checksumOfDigests(digests), summed: "by_mysql" };
  return { wheres, scope, memory, keys, method: `${changed.length} of ${digests.ranges.length} ranges had changed` };
}

/** Earlier versions kept no sums of keys. */
const hasKeys = ({ ranges }: TableDigests): boolean => ranges.every(({ keys }) => typeof keys === "string");

/**
 * What an `append` leaves to the next, by which that one finds rows that were committed late. Null: rows without a key
 * can't be told apart, or don't tell when they were written.
 */
export function lateBaseline({
  run: { snapshot },
  table,
}: PreparedTable): { kind: "late"; mark: PostgresWatermark } | null {
  if (snapshot.kind !== "postgres" || table.primaryKey.length === 0) return null;
  const mark = watermarkOf(snapshot, table as PostgresTable);
  return mark ? { kind: "late", mark } : null;
}

/**
 * The rows that the last run can't have seen, wherever their cursor stands; undefined where the last run left nothing
 * to tell them by.
 */
export function findLateRows({ run: { snapshot }, table, checkpoint }: PreparedTable): Changes | undefined {
  const memory = checkpoint?.memory;
  if (snapshot.kind !== "postgres" || table.primaryKey.length === 0 || !memory || memory.kind === "mysql")
    return undefined;
  return insertedSince(memory.mark, snapshot, table as PostgresTable);
}
