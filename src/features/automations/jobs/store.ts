// Every statement about jobs. A read takes the team first, so none can forget it; only the tick looks across teams.

import { and, asc, desc, eq, lte, not, sql, type SQL, isNotNull } from "drizzle-orm";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import { WORK_LIMITS } from "../../work-model/limits.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { automationJobs, automationRuns } from "../../../platform/db/schema/work-schema.ts";
import type { Run } from "../runs/run.ts";
import type { Job } from "./job.ts";
import { isPlannedAnew } from "./plan-job.ts";

type JobName = Pick<Job, "teamId" | "id">;

const isJob = ({ teamId, id }: JobName): SQL => and(eq(automationJobs.teamId, teamId), eq(automationJobs.id, id))!;

const isVersion = (job: Pick<Job, "teamId" | "id" | "revision">): SQL =>
  and(isJob(job), eq(automationJobs.revision, job.revision))!;

export const findJob = (db: Db, teamId: string, id: string): Promise<Job | undefined> =>
  db.select().from(automationJobs).where(isJob({ teamId, id })).get();

/** What the job of a run hands it, as the job is now. */
export const findPayload = async (
  db: Db,
  { teamId, automationId }: Pick<Run, "teamId" | "automationId">,
): Promise<Job["payload"]> =>
  (
    await db
      .select({ payload: automationJobs.payload })
      .from(automationJobs)
      .where(isJob({ teamId, id: automationId ?? "" }))
      .get()
  )?.payload ?? null;

export const findMaintenanceJobOf = (
  db: Db,
  teamId: string,
  lakeId: string,
  kind: NonNullable<Job["kind"]>,
): Promise<Job | undefined> =>
  db
    .select()
    .from(automationJobs)
    .where(
      and(
        eq(automationJobs.teamId, teamId),
        eq(automationJobs.resourceId, lakeId),
        eq(automationJobs.kind, kind),
        eq(automationJobs.resourceType, "lake_integration_maintenance"),
      ),
    )
    .get();

export type JobFilter = {
  ids?: string[] | undefined;
  enabled?: boolean | undefined;
  resourceId?: string | undefined;
  resourceType?: Job["resourceType"] | undefined;
  name?: string | undefined;
  isScheduled?: true | undefined;
};

export function selectJobs(
  db: Db,
  teamId: string,
  { ids, enabled, resourceId, resourceType, name, isScheduled }: JobFilter,
  { ascending, ...page }: Page & { ascending: boolean },
): Promise<PageOf<Job>> {
  const order = ascending ? asc : desc;
  const where = and(
    eq(automationJobs.teamId, teamId),
    ids && sql`${automationJobs.id} in (select value from json_each(${JSON.stringify(ids)}))`,
    enabled === undefined ? undefined : eq(automationJobs.isEnabled, enabled),
    resourceId === undefined ? undefined : eq(automationJobs.resourceId, resourceId),
    resourceType && eq(automationJobs.resourceType, resourceType),
    isScheduled && isNotNull(automationJobs.cron),
    // instr, because LIKE patterns are bounded at 50 bytes here and know wildcards.
    name === undefined ? undefined : sql`instr(${automationJobs.nameFolded}, ${foldText(name)}) > 0`,
  );
  return selectPage(db, automationJobs, {
    where,
    orderBy: [order(automationJobs.createdAt), order(automationJobs.id)],
    page,
  });
}

export const countJobs = (db: Db, teamId: string): Promise<number> =>
  db.$count(automationJobs, eq(automationJobs.teamId, teamId));

export const insertJob = (db: Db, job: Job) => db.insert(automationJobs).values(job);

/**
 * Returns the row, or nothing where another change has come in between. A tick moves only the next run on, and that
 * stays as it is unless the change plans it anew.
 */
export function updateJobRow(db: Db, before: Job, { id: _, teamId: __, nextRunAt, ...after }: Job) {
  const planned = isPlannedAnew(before, { ...before, ...after }) ? { nextRunAt } : {};
  return db
    .update(automationJobs)
    .set({ ...after, ...planned })
    .where(isVersion(before))
    .returning({ id: automationJobs.id, nextRunAt: automationJobs.nextRunAt });
}

/** Disables the job that a run is of, if it has a schedule and the run's owner is still its own. */
export const pauseJobRow = (
  db: Db,
  { teamId, automationId, ownerId }: Pick<Run, "teamId" | "automationId" | "ownerId">,
  pausedReason: Job["pausedReason"],
  at: string,
) =>
  db
    .update(automationJobs)
    .set({
      ...{ isEnabled: false, nextRunAt: null, pausedReason },
      ...{ revision: sql`${automationJobs.revision} + 1`, updatedAt: at },
    })
    .where(
      and(
        isJob({ teamId, id: automationId ?? "" }),
        eq(automationJobs.ownerId, ownerId),
        eq(automationJobs.isEnabled, true),
        isNotNull(automationJobs.cron),
      ),
    );

/** True in SQL once this version is the one that is kept. */
export const hasJobVersion = ({ teamId, id, revision }: Job): SQL =>
  sql`exists (select 1 from ${automationJobs} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

export const hasJobRow = ({ teamId, id }: JobName): SQL =>
  sql`exists (select 1 from ${automationJobs} where team_id = ${teamId} and id = ${id})`;

export const deleteJobRow = (db: Db, job: JobName) =>
  db.delete(automationJobs).where(isJob(job)).returning({ id: automationJobs.id });

export const deleteJobsOfLake = (db: Db, teamId: string, lakeId: string) =>
  db.delete(automationJobs).where(
    and(
      eq(automationJobs.teamId, teamId),
      eq(automationJobs.resourceId, lakeId),
      isOfTypes(automationJobs.resourceType, ({ subject }) => subject === "lake"),
    ),
  );

// ── The schedule ───────────────────────────────────────────────────────────────────────────────────────────────────

export type DueJob = Pick<Job, "id" | "teamId" | "cron" | "timezone"> & { nextRunAt: string };

/**
 * True in SQL of a job that skips times at which a run of it is in progress, while such a run should have been looked
 * at and was not: its step died, or the platform was away. It may be over, so the time waits until somebody has looked.
 */
const isHeldBack = (at: Date): SQL =>
  sql`(${automationJobs.overlap} = 'skip' and exists (select 1 from automation_runs other
    where other.automation_id = ${automationJobs.id} and other.ended_at is null and other.cancel_requested_at is null
      and other.state in ('starting', 'running') and (other.claimed_until <= ${at.toISOString()}
        or other.due_at <= ${new Date(at.getTime() - WORK_LIMITS.wakeUpLostMs).toISOString()})))`;

/** The due jobs of all teams, which take turns, each with so many of its longest due; or one job. */
export async function selectDueJobs(
  db: Db,
  at: Date,
  { rowsMax, perTeamMax, jobId }: { rowsMax: number; perTeamMax: number; jobId?: string },
): Promise<DueJob[]> {
  const { id, teamId, cron, timezone, nextRunAt } = automationJobs;
  const isOne = jobId === undefined ? undefined : eq(id, jobId);
  const due = db
    .select({
      ...{ id, teamId, cron, timezone, nextRunAt },
      place: sql<number>`row_number() over (partition by ${teamId} order by ${nextRunAt})`.as("place"),
    })
    .from(automationJobs)
    .where(and(lte(nextRunAt, at.toISOString()), isOne, not(isHeldBack(at))))
    .as("due");
  const rows = await db
    .select()
    .from(due)
    .where(lte(due.place, perTeamMax))
    .orderBy(asc(due.place), asc(due.nextRunAt))
    .limit(rowsMax);
  return rows.map(({ place: _, ...row }) => ({ ...row, nextRunAt: row.nextRunAt! }));
}

/** A tick's claim of one job: the time that was seen, the one after it (null: never), and the run of it. */
export type TickClaim = { jobId: string; runId: string; seen: string; next: string | null };

/** Moves each claimed job on to its next time, if the run of this one is recorded: that statement goes before it. */
export function advanceJobs(db: Db, claims: TickClaim[]) {
  const recorded = sql`exists (select 1 from ${automationRuns} r where r.automation_id = ${automationJobs.id}
    and r.scheduled_for = ${automationJobs.nextRunAt})`;
  return db
    .update(automationJobs)
    .set({ nextRunAt: sql`claim.value ->> 'next'` })
    .from(sql`json_each(${JSON.stringify(claims)}) claim`)
    .where(
      and(
        sql`${automationJobs.id} = claim.value ->> 'jobId'`,
        sql`${automationJobs.nextRunAt} = claim.value ->> 'seen'`,
        recorded,
      ),
    );
}
