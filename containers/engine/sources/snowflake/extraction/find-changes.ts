// Finds the rows of a Snowflake table that a merge has to read: those that its change tracking names, where the table
// has it on, else those of the ranges that have another digest than at the last run.
//
// Change tracking is asked from the last run's moment and from a little before it: a row that is named twice is read
// once, which does no harm. It tells no more than what is otherwise at the end of a time than at its beginning, so that
// neither would do alone: a row that changed shortly before that moment and back behind it is named by the former only.
// Rows that were deleted are found by their keys, of which all are read and added up; a row that came or went unnamed
// shows.

import {
  anyOf,
  readWholeTable,
  type ChangedRows,
  type ChangeRequest,
  type ChangeReport,
  type NewBaseline,
} from "../../../extract/changes/changes.ts";
import { READ_ALL, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import { Failure } from "../../../core/failure.ts";
import { findChangedPartitions } from "../../digests/find-changes.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { quoteIdentifier, quoteTable } from "../sql-text.ts";
import type { SnowflakeTable } from "./describe-table.ts";
import { digestDialect, instantSql } from "./digest-dialect.ts";

/** The part of a checkpoint by which change tracking goes on. It is plain data, stored with the rows. */
type TrackingMark = {
  /** The snapshot's, as text in UTC. */
  moment: string;
  createdOn: string;
  /** A column that is dropped and added again has other values, which are no change of a row. */
  lastDdl: string;
  fingerprint: string;
  /** Another role may see other rows, so the mark names the role. */
  role: string;
};

/** The part of a snapshot that this is about: its moment is text in UTC. */
type OpenSnapshot = SnapshotRows & {
  readonly database: string;
  readonly moment: string;
  readonly role: string;
  from(table: SnowflakeTable): string;
};

/** How much before the last moment changes are asked for. */
const OVERLAP_SECONDS = 60;
/** Beyond this share of its rows, and so many, a table is read as a whole. */
const SHARE_MAX = 0.5;
const ROWS_MIN = 50_000;

export async function findChangedRows(
  snapshot: OpenSnapshot,
  table: SnowflakeTable,
  request: ChangeRequest,
): Promise<ChangeReport> {
  // Digests and rows must be of one moment. The table's notes say why they are not.
  if (!table.hasPast) return readWholeTable(READ_ALL.notOfOneMoment);
  const { lastDdl } = table;
  if (table.isTracked && lastDdl !== null) return findTracked(snapshot, { ...table, lastDdl }, request);
  const dialect = digestDialect(table, snapshot.from(table), snapshot);
  if (!dialect) return readWholeTable(request.isFirstRun ? READ_ALL.firstRun : READ_ALL.notComparable);
  return findChangedPartitions(dialect, request);
}

/** Snowflake takes keys down and enforces none. */
export async function keyIsUnique(
  snapshot: OpenSnapshot,
  table: SnowflakeTable,
  signal: AbortSignal,
): Promise<boolean> {
  const key = table.primaryKey.map(quoteIdentifier).join(", ");
  const doubled = await snapshot.fetchRows(
    `SELECT COUNT(*) FROM ${snapshot.from(table)} GROUP BY ${key} HAVING COUNT(*) > 1 LIMIT 1`,
    "n",
    signal,
  );
  return doubled.length === 0;
}

async function findTracked(
  snapshot: OpenSnapshot,
  table: SnowflakeTable & { lastDdl: string },
  { before, isFirstRun, signal, onProgress }: ChangeRequest,
): Promise<ChangeReport> {
  const { moment, role } = snapshot;
  const { createdOn, lastDdl, fingerprint } = table;
  const mark: TrackingMark = { moment, createdOn, lastDdl, fingerprint, role };
  const baseline: NewBaseline = { kind: "mark", mark };
  if (isFirstRun) return readWholeTable(READ_ALL.firstRun, baseline);
  if (before?.kind !== "mark") return readWholeTable(READ_ALL.noEarlierRun, baseline);
  const reason = reasonToReadAll(before.mark as Partial<TrackingMark>, mark);
  if (reason !== undefined) return readWholeTable(reason, baseline);
  const found = await askTracking(snapshot, table, (before.mark as TrackingMark).moment, signal);
  if ("full" in found) return readWholeTable(found.full, baseline);
  onProgress(found.rows);
  const rows = table.rowsEstimate ?? 0;
  if (found.rows > Math.max(ROWS_MIN, rows * SHARE_MAX)) return readWholeTable(READ_ALL.manyRowsChanged, baseline);
  const changed: ChangedRows = {
    wheres: found.rows === 0 ? [] : [found.where],
    compared: { kind: "keys" },
    keys: { before: before.keys, method: "here" },
    method: "rows that change tracking named",
  };
  return { changed, baseline };
}

function reasonToReadAll(before: Partial<TrackingMark>, now: TrackingMark): ReadAllReason | undefined {
  if (typeof before.moment !== "string" || !MOMENT.test(before.moment)) return READ_ALL.noEarlierRun;
  if (before.moment > now.moment) return READ_ALL.serverBehind;
  if (before.createdOn !== now.createdOn) return READ_ALL.tableRecreated;
  if (before.role !== now.role) return READ_ALL.otherRole;
  if (before.lastDdl !== now.lastDdl || before.fingerprint !== now.fingerprint) return READ_ALL.columnsChanged;
  return undefined;
}

/** `2026-01-31 10:00:00.123456789`: in the order of time as texts too. */
export const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}$/;

type Tracked = { where: string; rows: number } | { full: ReadAllReason };

/** Where tracking does not reach back as far as was asked for, Snowflake says so. */
async function askTracking(
  snapshot: OpenSnapshot,
  table: SnowflakeTable,
  since: string,
  signal: AbortSignal,
): Promise<Tracked> {
  const key = table.primaryKey.map(quoteIdentifier).join(", ");
  const changesFrom = (from: string): string =>
    `SELECT ${key} FROM ${quoteTable(snapshot.database, table)} CHANGES(INFORMATION => DEFAULT) ` +
    `AT(TIMESTAMP => ${from}) END(TIMESTAMP => ${instantSql(snapshot.moment)})`;
  const exactly = changesFrom(instantSql(since));
  const before = changesFrom(`DATEADD('second', -${OVERLAP_SECONDS}, ${instantSql(since)})`);
  let lapsed = "";
  for (const asked of [[exactly, before], [exactly]]) {
    const counts = asked.map((changes) => `(SELECT COUNT(*) FROM (${changes}) CHANGED)`);
    try {
      const counted = await snapshot.fetchRows(`SELECT ${counts.join(" + ")}`, "n", signal);
      const [[rows] = protocolViolation("it does not count")] = counted;
      const where = anyOf(asked.map((changes) => `(${key}) IN (${changes} WHERE METADATA$ACTION = 'INSERT')`));
      return { where, rows: Number(rows) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "sql_error") throw error;
      lapsed = error.message;
    }
  }
  return { full: READ_ALL.trackingTooShort(lapsed) };
}
