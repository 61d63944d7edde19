// Finds the rows of a SQL Server table that were written since an earlier run, by the marks that the server leaves:
// change tracking's versions where it is on, else a rowversion column.
//
// Both are counters of the database. A change that an earlier snapshot did not hold was committed after its mark was
// read, and so has a later version, or a rowversion that is not smaller than the smallest that was in use then. Deleted
// rows are found by their keys.

import { z } from "zod";
import { READ_ALL, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { quoteName, quoteTable } from "../sql-text.ts";
import type { SqlServerTable } from "./describe-table.ts";
import type { SnapshotPosition } from "./position.ts";

const Digits = z.string().regex(/^\d{1,19}$/);
/**
 * The mark that a checkpoint keeps for the next run. It is plain data, stored with the rows: its fields keep their
 * names.
 */
const Mark = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("tracking"),
    database: z.string(),
    fingerprint: z.string(),
    version: Digits,
    /** From which version on the table is tracked: another one once that was turned off and on, or it was truncated. */
    begin: Digits,
  }),
  z.object({
    by: z.literal("rowversion"),
    database: z.string(),
    fingerprint: z.string(),
    from: z.string().regex(/^[0-9A-F]{16}$/),
    /** When the table had last been altered. */
    alteredAt: z.string(),
  }),
]);
export type Mark = z.infer<typeof Mark>;

/** The table's alias in the conditions on its rows. */
export const ROW = "source_row";

/** The mark of this run, and the rows since the earlier one; or why all have to be read. */
export type WrittenRows = { mark: Mark; since: { where: string; method: string } | { full: ReadAllReason } };

type Marked = { snapshot: SnapshotRows; position: SnapshotPosition; table: SqlServerTable; signal: AbortSignal };

/** `earlier`: the last run's mark. Undefined where the server leaves no marks of this table's rows. */
export async function findWrittenRows(marked: Marked, earlier: object | undefined): Promise<WrittenRows | undefined> {
  const { position, table } = marked;
  if (position.database === null || table.untrackedReason !== undefined) return undefined;
  const tracking = await readTracking(marked);
  const mark = markOf(position, position.database, table, tracking);
  if (!mark) return undefined;
  const before = earlier && Mark.safeParse(earlier).data;
  if (!before) return { mark, since: { full: READ_ALL.noEarlierRun } };
  const full = reasonToReadAll(before, mark, tracking);
  return { mark, since: full === undefined ? rowsSince(before, table) : { full } };
}

/** `leastValid`: the earliest version whose later changes are all kept. */
type Tracking = { begin: string; leastValid: string };

/** Undefined where the table is not tracked, or the account may not see its changes. */
async function readTracking({ snapshot, position, table, signal }: Marked): Promise<Tracking | undefined> {
  if (position.version === null || !table.isPrimary || table.primaryKey.length === 0) return undefined;
  const [[begin, leastValid] = []] = await snapshot.fetchRows(
    `SELECT t.begin_version, CHANGE_TRACKING_MIN_VALID_VERSION(${table.objectId}) AS least_valid
    FROM sys.change_tracking_tables t WHERE t.object_id = ${table.objectId}`,
    "NN",
    signal,
  );
  return begin == null || leastValid == null ? undefined : { begin, leastValid };
}

function markOf(
  { version, rowversion }: SnapshotPosition,
  database: string,
  table: SqlServerTable,
  tracking: Tracking | undefined,
): Mark | undefined {
  const { fingerprint, alteredAt } = table;
  if (tracking && version !== null) return { by: "tracking", database, fingerprint, version, begin: tracking.begin };
  if (table.rowversion === undefined || rowversion === null) return undefined;
  return { by: "rowversion", database, fingerprint, from: rowversion, alteredAt };
}

function reasonToReadAll(before: Mark, now: Mark, tracking: Tracking | undefined): ReadAllReason | undefined {
  if (before.database !== now.database) return READ_ALL.otherDatabase;
  if (before.fingerprint !== now.fingerprint) return READ_ALL.columnsChanged;
  if (before.by === "rowversion" && now.by === "rowversion") {
    if (before.from > now.from) return READ_ALL.serverBehind;
    return before.alteredAt === now.alteredAt ? undefined : READ_ALL.columnsOrPartitionsChanged;
  }
  if (before.by !== "tracking" || now.by !== "tracking" || !tracking) return READ_ALL.otherMarks;
  if (BigInt(before.version) > BigInt(now.version)) return READ_ALL.serverBehind;
  // A version that has not moved since tracking began could be that of another beginning.
  if (before.begin !== now.begin || BigInt(before.version) <= BigInt(before.begin)) return READ_ALL.trackingRestarted;
  return BigInt(before.version) < BigInt(tracking.leastValid) ? READ_ALL.trackingLapsed : undefined;
}

function rowsSince(before: Mark, table: SqlServerTable): { where: string; method: string } {
  if (before.by === "rowversion")
    return {
      where: `${ROW}.${quoteName(table.rowversion!)} >= 0x${before.from}`,
      method: "rows whose rowversion is later than the last run",
    };
  const isSame = table.primaryKey.map((key) => `changed.${quoteName(key)} = ${ROW}.${quoteName(key)}`).join(" AND ");
  return {
    where: `EXISTS (SELECT 1 FROM CHANGETABLE(CHANGES ${quoteTable(table)}, ${before.version}) AS changed WHERE ${isSame})`,
    method: "rows that change tracking names",
  };
}
