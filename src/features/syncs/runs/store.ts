// Every statement about runs. A read takes the team first; only the sweep looks across teams.

import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import type { Db } from "../../../platform/db/client.ts";
import { syncRuns } from "../../../platform/db/schema/schema.ts";
import { planRun, type Run } from "./run.ts";
import type { RunStatus } from "./wire-schema.ts";
import { rowOf, runOf, SHOWN_COLUMNS } from "./store-rows.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import {
  cancelRuns,
  type Cancelling,
  findKeptProgress,
  isRun,
  byTurn,
  insertRunIf,
  isFirstInLine,
  isOpenOnly,
} from "../../work-model/runs/store-runs.ts";
import { stateColumns, type RunName } from "../../work-model/run.ts";
import type { Destination, TickClaim } from "../store.ts";
import type { Sync } from "../sync.ts";

export async function findRun(db: Db, teamId: string, id: string): Promise<Run | undefined> {
  const row = await db.select(SHOWN_COLUMNS).from(syncRuns).where(isRun(syncRuns, { teamId, id })).get();
  return row && runOf(row);
}

/** A sync's runs that have not ended, also cancelled ones, in the order of their turns. */
export async function selectOpenRuns(db: Db, teamId: string, syncId: string): Promise<Run[]> {
  const isOpen = and(eq(syncRuns.teamId, teamId), eq(syncRuns.syncId, syncId), isNull(syncRuns.endedAt));
  const rows = await db
    .select(SHOWN_COLUMNS)
    .from(syncRuns)
    .where(isOpen)
    .orderBy(...byTurn(syncRuns));
  return rows.map((row) => runOf(row));
}

/** The run that is in progress, or comes to its turn next. */
export const findActiveRun = async (db: Db, teamId: string, syncId: string): Promise<Run | undefined> =>
  (await selectOpenRuns(db, teamId, syncId)).find(({ cancelRequested }) => !cancelRequested);

/** The runs that wait for their wake-up message. */
export const SYNC_LINE = {
  wakeUp: "sync_run" as const,
  runs: { table: syncRuns, isItsTurn: isFirstInLine("sync_run", { ...syncRuns, subject: syncRuns.syncId }) },
};

export const isTurnOf = (run: Run): SQL =>
  isFirstInLine("sync_run", { id: run.id, subject: run.syncId, startedAt: stateColumns(run).startedAt });

/** True in SQL while the sync is there and has had no run since `open` was all it had. */
export const isNextInLine = ({ teamId, syncId }: Pick<Run, "teamId" | "syncId">, open: Pick<Run, "id">[]): SQL =>
  sql`exists (select 1 from syncs where id = ${syncId} and team_id = ${teamId} and status in ('active', 'paused'))
    and ${isOpenOnly(syncRuns, eq(syncRuns.syncId, syncId), open)}`;

/** True in SQL while no run of the sync has still to bring anything. */
const isIdle = (syncId: string | SQL): SQL =>
  sql`not exists (select 1 from sync_runs other where other.sync_id = ${syncId} and other.ended_at is null
    and other.cancel_requested_at is null)`;

/** The kept progress of the run's tables; null before there is any. */
export async function findProgress(db: Db, run: RunName): Promise<SyncProgress | null> {
  const kept = await findKeptProgress(db, syncRuns, run);
  return kept === null ? null : SyncProgress.parse(JSON.parse(kept));
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

/** Inserts a run where the sync has no run that has still to bring anything. */
export const insertOnlyRun = (db: Db, run: Run, isWanted: SQL) =>
  insertRunIf(db, syncRuns, rowOf(run), sql`${isWanted} and ${isIdle(run.syncId)}`);

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

/** Rides in the batch of what makes the runs pointless: `happened` is true in SQL once that has taken effect. */
export const cancelRunsOf = (
  db: Db,
  { teamId, id }: Pick<Sync, "teamId" | "id">,
  { happened, ...why }: Cancelling & { happened: SQL },
) => cancelRuns(db, syncRuns, and(eq(syncRuns.teamId, teamId), eq(syncRuns.syncId, id), happened), why);

/** Everything under way that reads from, or writes to, an integration; `reasons` for one and the other. */
export const cancelRunsAt = (
  db: Db,
  teamId: string,
  { integrationId, at, reasons }: { integrationId: string; at: string; reasons: { source: string; lake: string } },
) =>
  cancelRuns(db, syncRuns, isAt(teamId, integrationId), {
    at,
    code: "integration_deleted",
    reason: sql`case when ${syncRuns.sourceId} = ${integrationId} then ${reasons.source} else ${reasons.lake} end`,
  });

/** The runs that go on though their end was asked for. */
export const selectCancelledAt = (db: Db, teamId: string, integrationId: string): Promise<RunName[]> =>
  db
    .select({ id: syncRuns.id, teamId: syncRuns.teamId })
    .from(syncRuns)
    .where(and(isAt(teamId, integrationId), isNull(syncRuns.endedAt), isNotNull(syncRuns.cancelRequestedAt)));

const isAt = (teamId: string, integrationId: string): SQL =>
  and(eq(syncRuns.teamId, teamId), or(eq(syncRuns.sourceId, integrationId), eq(syncRuns.lakeId, integrationId)))!;
