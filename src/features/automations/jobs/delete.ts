import { not } from "drizzle-orm";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { cancelRunsOf } from "../cancelling/store.ts";
import { noteChange } from "../of-docs/store.ts";
import { requireJob } from "./find.ts";
import { auditedJob } from "./job.ts";
import { deleteJobRow, hasJobRow } from "./store.ts";

/** Deletes a job; its runs that have not ended are cancelled. */
export async function deleteAutomationJob(ctx: Needs<"scope" | "db" | "wakeUps">, id: string): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const job = await requireJob(ctx, id);
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
  ]);
  if (deleted.length === 0) throw notFound("Job", id);
  await wakeUps.sendAll("automation_run", cancelled);
}
