// The statements and conditions that the stores of each kind of work share, over its table of runs. A read takes the
// team first.

import { and, asc, eq, type InferSelectModel, isNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { RUN_TABLES, type RunKind, type RunTable } from "../kind.ts";
import type { RunName } from "../run.ts";

export const isRun = (table: RunTable, { teamId, id }: RunName): SQL =>
  and(eq(table.teamId, teamId), eq(table.id, id))!;

/** The progress that is kept of a run, as its row has it; null before there is any. */
export async function findKeptProgress(db: Db, table: RunTable, name: RunName): Promise<string | null> {
  const row = await db.select({ progress: table.progress }).from(table).where(isRun(table, name)).get();
  return row?.progress ?? null;
}

// ── Lines: runs of one subject, a sync or a job, begin one after the other ─────────────────────────────────────────

/** By kind, the column of the subject, by its bare name. */
export const SUBJECTS: Record<RunKind, SQL> = { automation_run: sql`automation_id`, sync_run: sql`sync_id` };

type Value = string | null | SQLWrapper;

/**
 * True in SQL once it is the run's turn: no other of its subject has begun and not ended, nor came before it. One that
 * has begun keeps its turn.
 */
export const isFirstInLine = (
  kind: RunKind,
  { subject, id, startedAt }: { subject: Value; id: Value; startedAt: Value },
): SQL =>
  sql`not exists (select 1 from ${RUN_TABLES[kind]} other where other.${SUBJECTS[kind]} = ${subject}
    and other.id <> ${id} and other.ended_at is null
    and (other.started_at is not null or (${startedAt} is null and other.id < ${id})))`;

/** The order of the turns of runs that have not ended. */
export const byTurn = (table: RunTable): SQL[] => [asc(isNull(table.startedAt)), asc(table.id)];

/** True in SQL while no run that `isOfSubject` is true of is open but `open`. */
export const isOpenOnly = (table: RunTable, isOfSubject: SQL, open: readonly Pick<RunName, "id">[]): SQL =>
  sql`not exists (select 1 from ${table} where ${isOfSubject} and ${isNull(table.endedAt)}
    and ${table.id} not in (select value from json_each(${JSON.stringify(open.map(({ id }) => id))})))`;

/** Returns the row, or nothing where `isWanted` is not true in SQL. */
export const insertRunIf = <Table extends RunTable>(
  db: Db,
  table: Table,
  row: InferSelectModel<Table>,
  isWanted: SQL,
) =>
  db
    .insert(table)
    .select(sql`select ${valuesInSql(table, row)} where ${isWanted}`)
    .returning({ id: table.id });

/** True in SQL once the run is recorded. */
export const hasRunInSql = (table: RunTable, run: RunName): SQL =>
  sql`exists (select 1 from ${table} where ${isRun(table, run)})`;

// ── Ends that somebody asks for ────────────────────────────────────────────────────────────────────────────────────

export type Cancelling = { at: string; code: CancelCode; reason: string | SQL };

const isCancellable = (table: RunTable): SQL => and(isNull(table.endedAt), isNull(table.cancelRequestedAt))!;

/** True in SQL while the run goes on and nobody has asked for its end. */
export const isCancellableInSql = (table: RunTable, run: RunName): SQL =>
  sql`exists (select 1 from ${table} where ${isRun(table, run)} and ${isCancellable(table)})`;

/**
 * Asks for the end of the runs that `which` is true of in SQL, as far as they go on. The first to ask says why. Whoever
 * works on a run sees it at the next step.
 */
export const cancelRuns = (db: Db, table: RunTable, which: SQL | undefined, { at, code, reason }: Cancelling) =>
  db
    .update(table)
    .set({ cancelRequestedAt: at, cancelCode: code, cancelReason: reason, dueAt: at, updatedAt: at })
    .where(and(which, isCancellable(table)))
    .returning({ id: table.id, teamId: table.teamId });

/** Asks for a run's end because somebody wants it. */
export const cancelRun = (db: Db, table: RunTable, run: RunName, why: Omit<Cancelling, "code">) =>
  cancelRuns(db, table, isRun(table, run), { ...why, code: "requested" });
