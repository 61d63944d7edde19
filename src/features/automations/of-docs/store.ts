// Every statement about the entries of docs' `automations`, and about the jobs of one doc. A read takes the team first.

import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { automationJobs, docAutomations } from "../../../platform/db/schema/work-schema.ts";
import type { Job } from "../jobs/job.ts";

export type EntryRow = typeof docAutomations.$inferSelect;
/** An entry as it was applied, and its job; undefined where that was deleted. */
export type AppliedEntry = { row: EntryRow; job: Job | undefined };
export type DocName = { teamId: string; docId: string };

const isOfDoc = ({ teamId, docId }: DocName): SQL =>
  and(eq(docAutomations.teamId, teamId), eq(docAutomations.docId, docId))!;
const isRow = ({ teamId, id }: Pick<EntryRow, "teamId" | "id">): SQL =>
  and(eq(docAutomations.teamId, teamId), eq(docAutomations.id, id))!;

export async function selectEntries(db: Db, doc: DocName): Promise<AppliedEntry[]> {
  const rows = await db
    .select()
    .from(docAutomations)
    .leftJoin(
      automationJobs,
      and(eq(automationJobs.teamId, docAutomations.teamId), eq(automationJobs.id, docAutomations.jobId)),
    )
    .where(isOfDoc(doc))
    .orderBy(asc(docAutomations.id));
  return rows.map(({ doc_automations: row, automation_jobs: job }) => ({ row, job: job ?? undefined }));
}

/** True in SQL while the doc has these entries, each with its job, as they were seen. */
export function areEntriesInSql({ teamId, docId }: DocName, seen: readonly AppliedEntry[]): SQL {
  const fingerprint = JSON.stringify(
    seen.map(({ row, job }) => [row.id, row.digest, row.state, row.deliveryState, job?.revision ?? null]),
  );
  return sql`(select json_group_array(json_array(e.id, e.digest, e.state, e.delivery_state, e.revision)) from (
    select d.id, d.digest, d.state, d.delivery_state, j.revision from doc_automations d
      left join automation_jobs j on j.team_id = d.team_id and j.id = d.job_id
      where d.team_id = ${teamId} and d.doc_id = ${docId} order by d.id) e) = ${fingerprint}`;
}

export const hasEntries = async (db: Db, doc: DocName, seen: readonly AppliedEntry[]): Promise<boolean> =>
  (
    await db
      .select({ holds: sql<number>`${areEntriesInSql(doc, seen)}` })
      .from(sql`(select 1)`)
      .get()
  )?.holds === 1;

export const insertEntry = (db: Db, row: EntryRow) => db.insert(docAutomations).values(row);

export const updateEntry = (db: Db, row: EntryRow) => db.update(docAutomations).set(row).where(isRow(row));

export const deleteEntry = (db: Db, row: EntryRow) => db.delete(docAutomations).where(isRow(row));

/** Notes what somebody does to a job by itself, if `when` is true in SQL; a job of no doc has no entry. */
export const noteChange = (db: Db, { teamId, id }: Pick<Job, "teamId" | "id">, state: EntryRow["state"], when: SQL) =>
  db
    .update(docAutomations)
    .set({ state })
    .where(
      and(eq(docAutomations.teamId, teamId), eq(docAutomations.jobId, id), ne(docAutomations.state, "deleted"), when),
    );

/** Notes what somebody does to a delivery by itself, if `when` is true in SQL; one of no doc has no entry. */
export const noteDeliveryChange = (db: Db, { teamId, id }: Pick<Job, "teamId" | "id">, when: SQL) =>
  db
    .update(docAutomations)
    .set({ deliveryState: "changed" })
    .where(and(eq(docAutomations.teamId, teamId), eq(docAutomations.jobId, id), when));

// ── Jobs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The jobs that a doc's entries have made: they run the doc, or a delivery of it. */
const isJobOfDoc = ({ teamId, docId }: DocName): SQL =>
  and(
    eq(automationJobs.teamId, teamId),
    sql`${automationJobs.id} in (select job_id from doc_automations where team_id = ${teamId} and doc_id = ${docId})`,
  )!;

export const pauseJobsOfDoc = (db: Db, doc: DocName, now: Date) =>
  db
    .update(automationJobs)
    .set({
      ...{ isEnabled: false, nextRunAt: null, pausedReason: "doc_archived" as const },
      ...{ revision: sql`${automationJobs.revision} + 1`, updatedAt: now.toISOString() },
    })
    .where(and(isJobOfDoc(doc), eq(automationJobs.isEnabled, true)));

export const selectPausedJobs = (db: Db, doc: DocName): Promise<Job[]> =>
  db
    .select()
    .from(automationJobs)
    .where(and(isJobOfDoc(doc), eq(automationJobs.pausedReason, "doc_archived")));
