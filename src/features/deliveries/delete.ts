import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedDelivery, type DeliveryRow } from "./delivery.ts";
import type { DeliveryJobs } from "./of-entry.ts";
import { changedMeanwhile, requireDelivery } from "./find.ts";
import { deleteDeliveryRow, hasJobOfEntry, isUnused, selectJobsOf } from "./store.ts";

/**
 * Deletes a delivery. What it has sent stays in the log; one that a job runs is `resource_conflict`. A doc's delivery
 * goes together with its job, as it does when that is deleted.
 */
export async function deleteDelivery(
  ctx: Needs<"scope" | "db" | "wakeUps">,
  jobs: DeliveryJobs,
  id: string,
): Promise<void> {
  const { scope, db } = ctx;
  const row = await requireDelivery(ctx, id);
  await requireUnused(ctx, row);
  if (await hasJobOfEntry(db, row)) return jobs.deleteJob(ctx, row.id);
  const [, deleted] = await db.batch([
    // The audit event goes first: it is written only while there is still something to delete.
    recordAuditIf(db, scope, {
      action: "delivery.delete",
      subjectId: row.id,
      when: isUnused(row),
      before: auditedDelivery(row),
    }),
    deleteDeliveryRow(db, row),
  ]);
  if (deleted.length === 0) throw changedMeanwhile();
}

const JOBS_NAMED_MAX = 10;

async function requireUnused({ db }: Needs<"db">, row: DeliveryRow): Promise<void> {
  const jobs = await selectJobsOf(db, row, JOBS_NAMED_MAX);
  if (jobs.length === 0) return;
  const names = jobs.map(({ name }) => name).join(", ");
  const problem = new Problem("resource_conflict", `Jobs run this delivery: ${names}. Delete these first.`);
  problem.conflictsWith = jobs.map((job) => job.id);
  throw problem;
}
