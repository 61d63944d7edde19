// Every statement about runs of automations. A read takes the team first; only the tick and the sweep look across
// teams.

import { and, asc, count, desc, eq, gte, inArray, isNull, lt, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { automationJobs, automationRuns } from "../../../platform/db/schema/work-schema.ts";
import type { TickClaim } from "../jobs/store.ts";
import { stateColumns, type RunName } from "../../work-model/run.ts";
import { findKeptProgress, isRun, byTurn, isFirstInLine, isOpenOnly } from "../../work-model/runs/store-runs.ts";
import { planRun, type Row, type Run, type RunSubject } from "./run.ts";
import { rowOf, runOf, SHOWN_COLUMNS, WORK_ID } from "./store-rows.ts";
import type { RunState } from "./wire-schema.ts";

export async function findRun(db: Db, teamId: string, id: string): Promise<Run | undefined> {
  const row = await db.select(SHOWN_COLUMNS).from(automationRuns).where(isRun(automationRuns, { teamId, id })).get();
  return row && runOf(row);
}

// ── Lists ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A run with the id of its last attempt's work: the engine's job, or the doc's run. */
export type ShownRun = { run: Run; lastWorkId: string | null };

export async function findShownRun(db: Db, teamId: string, id: string): Promise<ShownRun | undefined> {
  const row = await db
    .select({ ...SHOWN_COLUMNS, lastWorkId: WORK_ID })
    .from(automationRuns)
    .where(isRun(automationRuns, { teamId, id }))
    .get();
  return row && shownOf(row);
}

export const findRunProgress = (db: Db, run: RunName): Promise<string | null> =>
  findKeptProgress(db, automationRuns, run);

export type RunFilter = {
  states?: RunState[] | undefined;
  createdFrom?: string | undefined;
  createdBefore?: string | undefined;
};

/** Callers see a run that starts as one that runs. */
const keptStatesOf = (state: RunState): Row["state"][] => (state === "running" ? ["starting", "running"] : [state]);

export async function selectRunsOf(
  db: Db,
  job: { teamId: string; id: string },
  { states, createdFrom, createdBefore }: RunFilter,
  { ascending, limit, offset }: Page & { ascending: boolean },
): Promise<PageOf<ShownRun>> {
  const where = and(
    eq(automationRuns.teamId, job.teamId),
    eq(automationRuns.automationId, job.id),
    states && inArray(automationRuns.state, states.flatMap(keptStatesOf)),
    createdFrom === undefined ? undefined : gte(automationRuns.createdAt, createdFrom),
    createdBefore === undefined ? undefined : lt(automationRuns.createdAt, createdBefore),
  );
  const order = ascending ? asc : desc;
  const [rows, totals] = await db.batch([
    db
      .select({ ...SHOWN_COLUMNS, lastWorkId: WORK_ID })
      .from(automationRuns)
      .where(where)
      .orderBy(order(automationRuns.createdAt), order(automationRuns.id))
      .limit(limit)
      .offset(offset),
    db.select({ total: count() }).from(automationRuns).where(where),
  ]);
  return { items: rows.map(shownOf), total: totals[0]!.total, limit, offset };
}

/** Whether any run of a job is kept, be the job deleted or not. */
export const hasRuns = async (db: Db, teamId: string, jobId: string): Promise<boolean> =>
  (await db.$count(
    db
      .select({ id: automationRuns.id })
      .from(automationRuns)
      .where(and(eq(automationRuns.teamId, teamId), eq(automationRuns.automationId, jobId)))
      .limit(1),
  )) > 0;

function shownOf({ lastWorkId, ...row }: Omit<Row, "progress"> & { lastWorkId: string | null }): ShownRun {
  return { run: runOf(row), lastWorkId };
}

/** The newest run of each job, by the job's id. */
export async function selectLastRuns(db: Db, teamId: string, jobIds: string[]): Promise<Map<string, Run>> {
  const newest = sql`(select (select r.id from automation_runs r where r.automation_id = job.value
    order by r.created_at desc, r.id desc limit 1) from json_each(${JSON.stringify(jobIds)}) job)`;
  const rows = await db
    .select(SHOWN_COLUMNS)
    .from(automationRuns)
    .where(and(eq(automationRuns.teamId, teamId), sql`${automationRuns.id} in ${newest}`));
  return new Map(rows.map((row) => [row.automationId!, runOf(row)]));
}

// ── Beginnings ─────────────────────────────────────────────────────────────────────────────────────────────────────

type OfSubject = Pick<Run, "teamId" | "automationId" | "resourceType" | "resourceId">;

/** The runs that a new one of this subject would have to wait for: of its job; or, without a job, of its resource. */
const isOfSubject = ({ teamId, automationId, resourceType, resourceId }: OfSubject): SQL =>
  and(
    eq(automationRuns.teamId, teamId),
    automationId === null
      ? and(eq(automationRuns.resourceId, resourceId), eq(automationRuns.resourceType, resourceType))
      : eq(automationRuns.automationId, automationId),
  )!;

/** The runs that have not ended, also cancelled ones, in the order of their turns. */
export async function selectOpenRuns(db: Db, subject: OfSubject): Promise<Run[]> {
  const rows = await db
    .select(SHOWN_COLUMNS)
    .from(automationRuns)
    .where(and(isOfSubject(subject), isNull(automationRuns.endedAt)))
    .orderBy(...byTurn(automationRuns));
  return rows.map((row) => runOf(row));
}

/** True in SQL while the job is there and nothing of the subject is open but `open`. */
export const isNextInLine = (subject: OfSubject, open: Pick<Run, "id">[]): SQL =>
  and(
    subject.automationId === null
      ? undefined
      : sql`exists (select 1 from ${automationJobs} where team_id = ${subject.teamId} and id = ${subject.automationId})`,
    isOpenOnly(automationRuns, isOfSubject(subject), open),
  )!;

type InLine = {
  id: string | SQLWrapper;
  automationId: string | null | SQLWrapper;
  resourceType: string | SQLWrapper;
  resourceId: string | SQLWrapper;
  startedAt: string | null | SQLWrapper;
};

const isAlone = (type: SQL): SQL => isOfTypes(type, (facts) => facts.isAlone);

/**
 * True in SQL once it is the run's turn: no other of its job has begun and not ended, nor came before it; and where it
 * must be alone on its resource, as a lake's maintenance must, no other of its type there has begun. One that has begun
 * keeps its turn.
 */
const isItsTurn = ({ id, automationId, resourceType, resourceId, startedAt }: InLine): SQL =>
  sql`${isFirstInLine("automation_run", { subject: automationId, id, startedAt })}
  and (not ${isAlone(sql`${resourceType}`)} or not exists (
    select 1 from automation_runs other where other.resource_id = ${resourceId} and other.id <> ${id}
      and ${isAlone(sql`other.resource_type`)} and other.resource_type = ${resourceType}
      and other.ended_at is null and other.started_at is not null))`;

export const isTurnOf = (run: Run): SQL => isItsTurn({ ...run, startedAt: stateColumns(run).startedAt });
export const isItsTurnInSql: SQL = isItsTurn(automationRuns);
/** The runs that wait for their wake-up message. */
export const AUTOMATION_LINE = {
  wakeUp: "automation_run" as const,
  runs: { table: automationRuns, isItsTurn: isItsTurnInSql },
};

/**
 * Maintenances of the run's lake by other jobs that were woken before their turn and wait for the end of this run.
 * `stepRun` wakes the ones that were not woken yet.
 */
export const selectWaiting = (
  db: Db,
  { teamId, automationId, resourceId, id }: Run,
  rowsMax: number,
): Promise<RunName[]> =>
  db
    .select({ id: automationRuns.id, teamId: automationRuns.teamId })
    .from(automationRuns)
    .where(
      and(
        sql`${automationRuns.id} in (select id from automation_runs
            where team_id = ${teamId} and automation_id = ${automationId} and ended_at is null and started_at is null
          union select id from automation_runs
            where team_id = ${teamId} and resource_id = ${resourceId} and ended_at is null and started_at is null
              and ${isOfTypes(sql`resource_type`, ({ isAlone }) => isAlone)})`,
        sql`${automationRuns.id} <> ${id} and ${automationRuns.wokenAt} is not null`,
        isItsTurnInSql,
      ),
    )
    .orderBy(asc(automationRuns.id))
    .limit(rowsMax);

// ── The tick ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The runs of one tick, each if its job is still due at the time that was seen, and none for that time is there. Where
 * another run of the job is in progress and it may not wait, it is recorded as skipped. Returns those recorded.
 */
export function insertTickRuns(db: Db, claims: TickClaim[], now: Date, waitingMax: number) {
  const at = now.toISOString();
  const row = rowOf(planRun(NO_JOB, { cause: "schedule", scheduledFor: null, replayOf: null }, now));
  const own = {
    id: sql`due.run_id`,
    teamId: sql`due.team_id`,
    automationId: sql`due.id`,
    resourceType: sql`due.resource_type`,
    resourceId: sql`due.resource_id`,
    kind: sql`due.kind`,
    datasetKeys: sql`due.dataset_keys`,
    scheduledFor: sql`due.next_run_at`,
    ownerId: sql`due.owner_id`,
    attemptsMax: sql`due.attempts_max`,
    backoffSeconds: sql`due.backoff_seconds`,
    timeoutSeconds: sql`due.timeout_seconds`,
    state: sql`case when due.why is null then 'queued' else 'skipped' end`,
    error: sql`due.why`,
    endedAt: sql`case when due.why is null then null else ${at} end`,
  };
  const open = sql`from automation_runs other where other.automation_id = j.id and other.ended_at is null
    and other.cancel_requested_at is null`;
  const why = sql`case
    when j.overlap = 'skip' then (select 'Run ' || other.id || ' of this job was in progress.' ${open} limit 1)
    when (select count(*) ${open}) > ${waitingMax} then 'As many runs of this job as may wait were waiting.' end`;
  return db
    .insert(automationRuns)
    .select(
      sql`select ${valuesInSql(automationRuns, row, own)} from (
        select j.*, claim.value ->> 'runId' as run_id, ${why} as why
        from json_each(${JSON.stringify(claims)}) claim join automation_jobs j on j.id = claim.value ->> 'jobId'
        where j.is_enabled and j.next_run_at = claim.value ->> 'seen') due where true`,
    )
    .onConflictDoNothing()
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId, state: automationRuns.state });
}

/** The subjects of a tick's runs come from their jobs' rows; their time counts from the first attempt's beginning. */
const NO_JOB: RunSubject = {
  ...{ teamId: "", automationId: null, resourceType: "doc", resourceId: "", kind: null, datasetKeys: null },
  ...{ ownerId: "", attemptsMax: 0, backoffSeconds: 0, timeoutSeconds: 0 },
};
