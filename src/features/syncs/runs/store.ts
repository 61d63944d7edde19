// Every statement about runs. A read takes the team first; only the sweep looks across teams.

import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import type { Db } from "../../../platform/db/client.ts";
import { syncRuns } from "../../../platform/db/schema/schema.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import { planRun, type Run } from "./run.ts";
import type { RunStatus } from "./wire-schema.ts";
import { isRun, rowOf, runOf, SHOWN_COLUMNS } from "./store-rows.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import type { RunName } from "../../work-model/run.ts";
import type { Destination, TickClaim } from "../store.ts";
import type { Sync } from "../sync.ts";

export const findRun = async (db: Db, teamId: string, id: string): Promise<Run | undefined> =>
  runOf(await db.select(SHOWN_COLUMNS).from(syncRuns).where(isRun(teamId, id)).get());

const isCancellable = and(isNull(syncRuns.endedAt), isNull(syncRuns.cancelRequestedAt))!;

/** A sync's runs that have not ended, also cancelled ones, in the order of their turns. */
export async function selectOpenRuns(db: Db, teamId: string, syncId: string): Promise<Run[]> {
  const isOpen = and(eq(syncRuns.teamId, teamId), eq(syncRuns.syncId, syncId), isNull(syncRuns.endedAt));
  return (
    await db
      .select(SHOWN_COLUMNS)
      .from(syncRuns)
      .where(isOpen)
      .orderBy(asc(isNull(syncRuns.startedAt)), asc(syncRuns.id))
  ).map((row) => runOf(row));
}

/** The run that is in progress, or comes to its turn next. */
export const findActiveRun = async (db: Db, teamId: string, syncId: string): Promise<Run | undefined> =>
  (await selectOpenRuns(db, teamId, syncId)).find(({ cancelRequested }) => !cancelRequested);

type InLine = { syncId: string | SQLWrapper; id: string | SQLWrapper; startedAt: string | null | SQLWrapper };

/**
 * True in SQL once it is the run's turn: no other of its sync has begun and not ended, nor came before it. One that has
 * begun keeps its turn.
 */
export const isItsTurn = ({ syncId, id, startedAt }: InLine): SQL =>
  sql`not exists (select 1 from sync_runs other where other.sync_id = ${syncId} and other.id <> ${id}
    and other.ended_at is null
    and (other.started_at is not null or (${startedAt} is null and other.id < ${id})))`;

/** The runs that wait for their wake-up message. */
export const SYNC_LINE = { wakeUp: "sync_run" as const, runs: { table: syncRuns, isItsTurn: isItsTurn(syncRuns) } };

export const isTurnOf = ({ syncId, id, startedAtMs }: Pick<Run, "syncId" | "id" | "startedAtMs">): SQL =>
  isItsTurn({ syncId, id, startedAt: startedAtMs === null ? null : new Date(startedAtMs).toISOString() });

/**
 * True in SQL while the sync is there and has had no run since `open` was all it had; then `run` is the last of them.
 */
export const isNextInLine = ({ teamId, syncId }: Pick<Run, "teamId" | "syncId">, open: Pick<Run, "id">[]): SQL =>
  sql`exists (select 1 from syncs where id = ${syncId} and team_id = ${teamId} and status in ('active', 'paused'))
    and not exists (select 1 from sync_runs other where other.sync_id = ${syncId} and other.ended_at is null
      and other.id not in (select value from json_each(${JSON.stringify(open.map(({ id }) => id))})))`;

/** True in SQL while no run of the sync has still to bring anything. */
const isIdle = (syncId: string | SQL): SQL =>
  sql`not exists (select 1 from sync_runs other where other.sync_id = ${syncId} and other.ended_at is null
    and other.cancel_requested_at is null)`;

/** The kept progress of the run's tables; null before there is any. */
export async function findProgress(db: Db, teamId: string, id: string): Promise<SyncProgress | null> {
  const row = await db.select({ progress: syncRuns.progress }).from(syncRuns).where(isRun(teamId, id)).get();
  return row?.progress == null ? null : SyncProgress.parse(JSON.parse(row.progress));
}

/** Where the runs of an integration that are kept go. */
export const selectDestinations = (db: Db, teamId: string, sourceId: string): Promise<Destination[]> =>
  db
    .selectDistinct({ sourceId: syncRuns.sourceId, lakeId: syncRuns.lakeId, destSchema: syncRuns.destSchema })
    .from(syncRuns)
    .where(and(eq(syncRuns.teamId, teamId), eq(syncRuns.sourceId, sourceId)));

/** True in SQL of an integration's runs but those that go to where the caller may know of none. */
const isShown = (teamId: string, sourceId: string, hidden: readonly Destination[]): SQL =>
  and(
    eq(syncRuns.teamId, teamId),
    eq(syncRuns.sourceId, sourceId),
    sql`not exists (select 1 from json_each(${JSON.stringify(hidden)}) h
      where h.value ->> 'lakeId' = ${syncRuns.lakeId} and h.value ->> 'destSchema' = ${syncRuns.destSchema})`,
  )!;

export const hasRunsOf = async (
  db: Db,
  teamId: string,
  sourceId: string,
  hidden: readonly Destination[],
): Promise<boolean> =>
  (await db
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(isShown(teamId, sourceId, hidden))
    .limit(1)
    .get()) !== undefined;

const STATES: Record<RunStatus, Run["state"][]> = {
  STARTED: ["queued", "starting", "running"],
  SUCCESS: ["succeeded"],
  FAILED: ["failed", "cancelled"],
};

export type RunQuery = { limit: number; offset: number; desc: boolean; status?: RunStatus | undefined };
type RunsOf = { sourceId: string; hidden: readonly Destination[] };

export async function selectRuns(
  db: Db,
  teamId: string,
  { sourceId, hidden }: RunsOf,
  query: RunQuery,
): Promise<Run[]> {
  const order = query.desc ? desc : asc;
  const rows = await db
    .select(SHOWN_COLUMNS)
    .from(syncRuns)
    .where(and(isShown(teamId, sourceId, hidden), query.status && inArray(syncRuns.state, STATES[query.status])))
    .orderBy(order(syncRuns.createdAt), order(syncRuns.id))
    .limit(query.limit)
    .offset(query.offset);
  return rows.map((row) => runOf(row));
}

/** Returns the row, or nothing where `isWanted` is not true in SQL. */
export function insertRun(db: Db, run: Run, isWanted: SQL) {
  return db
    .insert(syncRuns)
    .select(sql`select ${valuesInSql(syncRuns, rowOf(run))} where ${isWanted}`)
    .returning({ id: syncRuns.id });
}

/** True in SQL once the run is recorded. */
export const hasRunInSql = ({ teamId, id }: Pick<Run, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${syncRuns} where team_id = ${teamId} and id = ${id})`;

/** Inserts a run where the sync has no run that has still to bring anything. */
export const insertOnlyRun = (db: Db, run: Run, isWanted: SQL) =>
  insertRun(db, run, sql`${isWanted} and ${isIdle(run.syncId)}`);

/**
 * The runs of one tick, each if its sync is still due at the tick that was seen and does not run. Returns those
 * recorded.
 */
export function insertTickRuns(db: Db, claims: TickClaim[], now: Date) {
  const row = rowOf(planRun(NO_SYNC, { cause: "schedule", isFull: false, onlyTables: null, scheduledFor: null }, now));
  const own = {
    id: sql`claim.value ->> 'runId'`,
    teamId: sql`s.team_id`,
    syncId: sql`s.id`,
    sourceId: sql`s.source_id`,
    lakeId: sql`s.lake_id`,
    destSchema: sql`s.dest_schema`,
    scheduledFor: sql`s.next_run_at`,
  };
  return db
    .insert(syncRuns)
    .select(
      sql`select ${valuesInSql(syncRuns, row, own)}
        from json_each(${JSON.stringify(claims)}) claim join syncs s on s.id = claim.value ->> 'syncId'
        where s.status = 'active' and s.next_run_at = claim.value ->> 'seen' and ${isIdle(sql`s.id`)}`,
    )
    .onConflictDoNothing()
    .returning({ id: syncRuns.id, teamId: syncRuns.teamId });
}

/** The own fields of a tick's runs come from their syncs' rows. */
const NO_SYNC = { id: "", teamId: "", sourceId: "", lakeId: "", destSchema: "" };

/** The first to ask says why. Whoever works on the run sees it at the next step. */
const cancelled = (at: string, code: CancelCode, reason: string | SQL) => ({
  cancelRequestedAt: at,
  cancelCode: code,
  cancelReason: reason,
  dueAt: at,
  updatedAt: at,
});

/** True in SQL while the run goes on and nobody has asked for its end. */
export const isCancellableInSql = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${syncRuns} where team_id = ${teamId} and id = ${id} and ended_at is null
    and cancel_requested_at is null)`;

export const cancelRun = (db: Db, { teamId, id }: Pick<Run, "teamId" | "id">, at: string, reason: string) =>
  db
    .update(syncRuns)
    .set(cancelled(at, "requested", reason))
    .where(and(isRun(teamId, id), isCancellable))
    .returning({ id: syncRuns.id });

/** Rides in the batch of what makes the runs pointless: `happened` is true in SQL once that has taken effect. */
export const cancelRunsOf = (
  db: Db,
  { teamId, id }: Pick<Sync, "teamId" | "id">,
  { at, code, reason, happened }: { at: string; code: CancelCode; reason: string; happened: SQL },
) =>
  db
    .update(syncRuns)
    .set(cancelled(at, code, reason))
    .where(and(eq(syncRuns.teamId, teamId), eq(syncRuns.syncId, id), isCancellable, happened))
    .returning({ id: syncRuns.id });

/** Everything under way that reads from, or writes to, an integration; `reasons` for one and the other. */
export const cancelRunsAt = (
  db: Db,
  teamId: string,
  { integrationId, at, reasons }: { integrationId: string; at: string; reasons: { source: string; lake: string } },
) =>
  db
    .update(syncRuns)
    .set(
      cancelled(
        at,
        "integration_deleted",
        sql`case when ${syncRuns.sourceId} = ${integrationId} then ${reasons.source} else ${reasons.lake} end`,
      ),
    )
    .where(and(isAt(teamId, integrationId), isCancellable));

/** The runs that go on though their end was asked for. */
export const selectCancelledAt = (db: Db, teamId: string, integrationId: string): Promise<RunName[]> =>
  db
    .select({ id: syncRuns.id, teamId: syncRuns.teamId })
    .from(syncRuns)
    .where(and(isAt(teamId, integrationId), isNull(syncRuns.endedAt), isNotNull(syncRuns.cancelRequestedAt)));

const isAt = (teamId: string, integrationId: string): SQL =>
  and(eq(syncRuns.teamId, teamId), or(eq(syncRuns.sourceId, integrationId), eq(syncRuns.lakeId, integrationId)))!;
