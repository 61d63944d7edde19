// Every statement about runs and executions. A read takes the team first; only the sweep and a key's look-up look
// across teams.

import { and, asc, desc, eq, gt, isNotNull, isNull, lt, notInArray, or, sql, type SQL } from "drizzle-orm";
import { DatasetReport } from "../../../../kernel/wire/sandbox.ts";
import { DOC_LIMITS } from "../limits.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Db } from "../../../platform/db/client.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { docRuns, executions, teams, users } from "../../../platform/db/schema/schema.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import type { PlannedDataset } from "./plan/plan-run.ts";
import { executionState, type Execution, type Run } from "./run.ts";

type RunName = Pick<Run, "teamId" | "id">;

const isRun = (teamId: string, id: string): SQL => and(eq(docRuns.teamId, teamId), eq(docRuns.id, id))!;
const ofRun = ({ teamId, id }: RunName): SQL => and(eq(executions.teamId, teamId), eq(executions.runId, id))!;

export const findRun = async (db: Db, teamId: string, id: string): Promise<Run | undefined> =>
  runOf(await db.select().from(docRuns).where(isRun(teamId, id)).get());

/** The access digests of those of the runs that are there, by their ids. */
export async function selectAccessDigests(
  db: Db,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const isAsked = sql`${docRuns.id} in (select value from json_each(${JSON.stringify(ids)}))`;
  const { id, accessDigest } = docRuns;
  const rows = await db
    .select({ id, accessDigest })
    .from(docRuns)
    .where(and(eq(docRuns.teamId, teamId), isAsked));
  return new Map(rows.map((row) => [row.id, row.accessDigest]));
}

/** Newest first. */
export const selectRuns = (db: Db, teamId: string, docId: string, page: Page): Promise<PageOf<Run>> =>
  selectPage(db, docRuns, {
    where: and(eq(docRuns.teamId, teamId), eq(docRuns.docId, docId)),
    orderBy: [desc(docRuns.createdAt), desc(docRuns.id)],
    page,
    toItem: (row) => runOf(row),
  });

export const insertRun = (db: Db, run: Run, keyHash: string) => db.insert(docRuns).values({ ...run, keyHash });

/** All rows in one JSON parameter: D1 allows a hundred parameters in a statement. */
export function insertExecutions(db: Db, { teamId, id }: RunName, datasets: PlannedDataset[], at: string) {
  const rows = JSON.stringify(
    datasets.map(({ executionId, key, engine, ranAs = engine, isSelected }) => ({
      ...{ executionId, key, isSelected },
      engine: ranAs,
    })),
  );
  return db.insert(executions).select(
    sql`select e.value ->> 'executionId', ${teamId}, ${id}, e.value ->> 'key', e.value ->> 'engine', e.key,
      e.value ->> 'isSelected', 'queued',
        null, null, null, null, null, null, ${at}, null from json_each(${rows}) e`,
  );
}

// ── What a run's sandbox reports ─────────────────────────────────────────────────────────────────────────────────────

export const renewLease = (db: Db, { teamId, id }: RunName, leaseUntil: string, at: string) =>
  db
    .update(docRuns)
    .set({ leaseUntil, state: "running", startedAt: sql`coalesce(${docRuns.startedAt}, ${at})` })
    .where(and(isRun(teamId, id), isNull(docRuns.endedAt)));

/** A report on a run shows that the run has begun, also where no heartbeat of it got through. */
export const markBegun = (db: Db, { teamId, id }: RunName, at: string) =>
  db
    .update(docRuns)
    .set({ startedAt: at })
    .where(and(isRun(teamId, id), isNull(docRuns.startedAt), isNull(docRuns.endedAt)));

export const markRunning = (db: Db, run: RunName, ids: string[], at: string) =>
  db
    .update(executions)
    .set({ state: "running", startedAt: sql`coalesce(${executions.startedAt}, ${at})`, updatedAt: at })
    .where(
      and(
        ofRun(run),
        eq(executions.state, "queued"),
        sql`${executions.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    );

/** While the run has not ended, and once: what is settled stays. */
const isUnsettled = ({ teamId, id }: RunName): SQL =>
  and(
    notInArray(executions.state, ["succeeded", "failed", "skipped"]),
    sql`exists (select 1 from ${docRuns} where team_id = ${teamId} and id = ${id} and ended_at is null)`,
  )!;

export const settleExecution = (db: Db, run: RunName, report: DatasetReport, at: string) =>
  db
    .update(executions)
    .set({
      state: executionState(report),
      error: report.success ? null : report.error,
      errorCode: report.success ? null : report.errorCode,
      traceback: report.traceback?.slice(-DOC_LIMITS.tracebackCharactersMax) ?? null,
      result: report.result && packResult(report.result),
      startedAt: report.startedAt,
      durationMs: report.durationMs,
      peakBytes: report.peakBytes,
      updatedAt: at,
    })
    .where(and(ofRun(run), eq(executions.id, report.executionId), isUnsettled(run)));

/** Every team's rows share one database: a thousand columns with long names would take a megabyte of it. */
function packResult(result: NonNullable<DatasetReport["result"]>): string {
  const whole = JSON.stringify(result);
  return whole.length <= DOC_LIMITS.resultCharactersMax ? whole : JSON.stringify({ ...result, columns: null });
}

/** Marks all executions that have no outcome as failed. */
export const settleOthers = (db: Db, run: RunName, error: string, at: string) =>
  db
    .update(executions)
    .set({ state: "failed", error, updatedAt: at })
    .where(and(ofRun(run), isUnsettled(run)));

/** The end, and with it the end of the run's key. Returns the row, or nothing where it has ended already. */
export const endRun = (
  db: Db,
  { teamId, id }: RunName,
  end: Pick<Run, "state" | "error" | "accessDigest"> & { code?: CancelCode | undefined; at: string },
) => {
  const { state, error, code, at, accessDigest } = end;
  return db
    .update(docRuns)
    .set({ state, error, endedAt: at, accessDigest, ...(code ? { cancelCode: code } : {}) })
    .where(and(isRun(teamId, id), isNull(docRuns.endedAt)))
    .returning({ id: docRuns.id });
};

/**
 * Takes a run back that no sandbox has said it has: with its row its token is refused, so it can't begin any more. The
 * last returns the row, or nothing where it has begun or ended.
 */
export const withdrawRun = (db: Db, run: RunName) => {
  const isUnbegun = and(isRun(run.teamId, run.id), isNull(docRuns.startedAt), isNull(docRuns.endedAt))!;
  return [
    db.delete(executions).where(and(ofRun(run), sql`exists (select 1 from ${docRuns} where ${isUnbegun})`)),
    db.delete(docRuns).where(isUnbegun).returning({ id: docRuns.id }),
  ] as const;
};

/** True in SQL while the run goes on and nobody has asked for its end. */
export const isCancellableInSql = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${docRuns} where team_id = ${teamId} and id = ${id} and ended_at is null
    and cancel_requested_at is null)`;

export const requestCancel = (db: Db, teamId: string, id: string, at: string) =>
  db
    .update(docRuns)
    .set({ cancelRequestedAt: at, cancelCode: "requested" })
    .where(and(isRun(teamId, id), isNull(docRuns.endedAt), isNull(docRuns.cancelRequestedAt)));

// ── Executions ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const selectExecutions = async (db: Db, run: RunName): Promise<Execution[]> =>
  (await db.select().from(executions).where(ofRun(run)).orderBy(asc(executions.position))).map(executionOf);

export async function findExecution(
  db: Db,
  teamId: string,
  id: string,
): Promise<{ execution: Execution; run: Run } | undefined> {
  const row = await db
    .select()
    .from(executions)
    .innerJoin(docRuns, and(eq(docRuns.teamId, executions.teamId), eq(docRuns.id, executions.runId)))
    .where(and(eq(executions.teamId, teamId), eq(executions.id, id)))
    .get();
  return row && { execution: executionOf(row.executions), run: runOf(row.doc_runs) };
}

/** The key of the dataset that an execution of the run runs; undefined where the run has no such execution. */
export async function findDatasetKey(db: Db, run: RunName, id: string): Promise<string | undefined> {
  const key = { key: executions.datasetKey };
  return (
    await db
      .select(key)
      .from(executions)
      .where(and(ofRun(run), eq(executions.id, id)))
      .get()
  )?.key;
}

// ── Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** While the run goes on and its user is there; their role is the one they have now. */
export async function selectRunHolder(db: Db, userId: string, keyHash: string, now: Date): Promise<Caller | undefined> {
  const row = await db
    .select({ runId: docRuns.id, user: users, teamName: teams.name, plan: teams.plan })
    .from(docRuns)
    .innerJoin(users, and(eq(users.id, docRuns.userId), eq(users.teamId, docRuns.teamId)))
    .innerJoin(teams, eq(teams.id, users.teamId))
    .where(
      and(
        eq(docRuns.userId, userId),
        eq(docRuns.keyHash, keyHash),
        isNull(docRuns.endedAt),
        isNull(teams.deletedAt),
        gt(docRuns.deadlineAt, now.toISOString()),
      ),
    )
    .get();
  if (!row) return undefined;
  const { id, teamId, name, email, role, isOperator } = row.user;
  return {
    teamId,
    teamName: row.teamName,
    plan: row.plan,
    userId: id,
    userName: name,
    email,
    keyId: row.runId,
    role,
    isOperator,
    runId: row.runId,
  };
}

// ── The sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The runs whose sandbox is silent, and those past their deadline. */
export const selectLost = async (db: Db, at: string, rowsMax: number): Promise<Run[]> =>
  (
    await db
      .select()
      .from(docRuns)
      .where(and(isNull(docRuns.endedAt), or(lt(docRuns.leaseUntil, at), lt(docRuns.deadlineAt, at))))
      .orderBy(asc(docRuns.leaseUntil))
      .limit(rowsMax)
  ).map((row) => runOf(row));

/** Puts a silent run that could not be settled behind those that wait for the same. */
export const postponeRun = (db: Db, { teamId, id }: RunName, at: string) =>
  db.run(sql`update ${docRuns} set lease_until = ${at} where ${isRun(teamId, id)} and lease_until < ${at}`);

export const selectEndedBefore = (db: Db, at: string, rowsMax: number): Promise<RunName[]> =>
  db
    .select({ id: docRuns.id, teamId: docRuns.teamId })
    .from(docRuns)
    .where(and(isNotNull(docRuns.endedAt), lt(docRuns.endedAt, at)))
    .limit(rowsMax);

/** The condition for these runs, by the index that begins with the team. */
const idsOf = (runs: RunName[]): SQL =>
  sql`(select e.id from json_each(${JSON.stringify(runs.map(({ teamId, id }) => ({ teamId, id })))}) r
    join executions e on e.team_id = r.value ->> 'teamId' and e.run_id = r.value ->> 'id')`;

export const selectExecutionNames = (
  db: Db,
  runs: RunName[],
): Promise<{ teamId: string; runId: string; id: string }[]> =>
  db
    .select({ teamId: executions.teamId, runId: executions.runId, id: executions.id })
    .from(executions)
    .where(sql`${executions.id} in ${idsOf(runs)}`)
    .all();

export const deleteRuns = (db: Db, runs: RunName[]) =>
  [
    db.delete(executions).where(sql`${executions.id} in ${idsOf(runs)}`),
    db
      .delete(docRuns)
      .where(sql`${docRuns.id} in (select value from json_each(${JSON.stringify(runs.map(({ id }) => id))}))`),
  ] as const;

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof docRuns.$inferSelect;

function runOf(row: Row): Run;
function runOf(row: Row | undefined): Run | undefined;
function runOf(row: Row | undefined): Run | undefined {
  if (!row) return undefined;
  const { keyHash: _, ...run } = row;
  return run;
}

function executionOf({
  teamId: _,
  position: __,
  updatedAt: ___,
  result,
  ...row
}: typeof executions.$inferSelect): Execution {
  return { ...row, result: result === null ? null : DatasetReport.shape.result.parse(JSON.parse(result)) };
}
