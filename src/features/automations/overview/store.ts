// The overview of automation jobs is read in one statement.

import { and, asc, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../platform/db/client.ts";
import { automationJobs, automationRuns } from "../../../platform/db/schema/work-schema.ts";
import type { JobFacts } from "./job-facts.ts";

/**
 * Asks for the facts of these teams' jobs, perhaps only of those that run one of the docs; the page begins behind the
 * job `after`.
 */
export type FactsQuery = {
  teamIds: string[];
  docIds?: string[];
  after?: { teamId: string; id: string } | undefined;
  rowsMax: number;
};

const success = alias(automationRuns, "success");
const failure = alias(automationRuns, "failure");

/** The states as the index spells them: then it is one look. */
const newestOf = (states: SQL): SQL =>
  sql`(select id from automation_runs r where r.automation_id = ${automationJobs.id} and ${states}
    order by r.ended_at desc limit 1)`;

const jobOf = (runId: typeof success.id | typeof failure.id): SQL<string | null> =>
  sql<string | null>`(select a.job_id from attempts a where a.run_id = ${runId} order by a.attempt desc limit 1)`;

/** By team and id. */
export async function selectJobFacts(db: Db, { teamIds, docIds, after, rowsMax }: FactsQuery): Promise<JobFacts[]> {
  const rows = await db
    .select({
      job: {
        id: automationJobs.id,
        teamId: automationJobs.teamId,
        name: automationJobs.name,
        resourceType: automationJobs.resourceType,
        resourceId: automationJobs.resourceId,
        kind: automationJobs.kind,
        datasetKeys: automationJobs.datasetKeys,
        isEnabled: automationJobs.isEnabled,
        pausedReason: automationJobs.pausedReason,
        cron: automationJobs.cron,
        timezone: automationJobs.timezone,
        updatedAt: automationJobs.updatedAt,
      },
      success: { id: success.id, endedAt: success.endedAt, attemptJobId: jobOf(success.id) },
      failure: { id: failure.id, endedAt: failure.endedAt, error: failure.error, attemptJobId: jobOf(failure.id) },
      isRunning: sql<number>`exists (select 1 from automation_runs r where r.automation_id = ${automationJobs.id}
        and r.started_at is not null and r.ended_at is null)`,
    })
    .from(automationJobs)
    .leftJoin(success, sql`${success.id} = ${newestOf(sql`r.state = 'succeeded'`)}`)
    .leftJoin(failure, sql`${failure.id} = ${newestOf(sql`r.state in ('failed', 'timed_out')`)}`)
    .where(
      and(
        sql`${automationJobs.teamId} in (select value from json_each(${JSON.stringify(teamIds)}))`,
        docIds && sql`${automationJobs.resourceId} in (select value from json_each(${JSON.stringify(docIds)}))`,
        after && sql`(${automationJobs.teamId}, ${automationJobs.id}) > (${after.teamId}, ${after.id})`,
      ),
    )
    .orderBy(asc(automationJobs.teamId), asc(automationJobs.id))
    .limit(rowsMax);
  return rows.map(({ success, failure, isRunning, ...row }) => ({
    ...row,
    success: ended(success),
    failure: ended(failure),
    isRunning: isRunning === 1,
  }));
}

/** The indexes name runs that have ended. */
const ended = <R extends { endedAt: string | null }>(run: R | null): (R & { endedAt: string }) | null =>
  run?.endedAt == null ? null : { ...run, endedAt: run.endedAt };
