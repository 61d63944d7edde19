import { not } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { deleteDeliveryStatements } from "../../deliveries/of-entry.ts";
import { cancelRunsOf } from "../cancelling/store.ts";
import { noteChange } from "../of-docs/store.ts";
import { requireJob } from "./find.ts";
import { auditedJob, type Job } from "./job.ts";
import { deleteJobRow, hasJobRow } from "./store.ts";

type Deps = Needs<"scope" | "db" | "wakeUps">;

/** Deletes a job; its runs that have not ended are cancelled. The delivery of a doc's job goes with it. */
export const deleteAutomationJob = async (ctx: Deps, id: string): Promise<void> => {
  const job = await requireJob(ctx, id);
  return deleteJob(ctx, job, deliveryStatements(ctx, job));
};

const deliveryStatements = (ctx: Deps, { id, docEntry }: Job): BatchItem<"sqlite">[] =>
  docEntry === null ? [] : deleteDeliveryStatements(ctx, id);

/** `more` is deleted in the same batch. */
export async function deleteJob(ctx: Deps, job: Job, more: BatchItem<"sqlite">[] = []): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const reason = `The job was deleted by ${scope.userName}.`;
  const [, cancelled, deleted] = await db.batch([
    // The audit event goes first: it is written only while there is still something to delete.
    recordAuditIf(db, scope, {
      action: "automation_job.delete",
      subjectId: job.id,
      when: hasJobRow(job),
      before: auditedJob(job),
    }),
    cancelRunsOf(db, scope.teamId, { of: { jobId: job.id }, at: scope.now.toISOString(), code: "job_deleted", reason }),
    deleteJobRow(db, job),
    noteChange(db, job, "deleted", not(hasJobRow(job))),
    ...more,
  ]);
  if (deleted.length === 0) throw notFound("Job", job.id);
  await wakeUps.sendAll("automation_run", cancelled);
}
