import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { noteChange } from "../of-docs/store.ts";
import { RESOURCES } from "../resources/resources.ts";
import { requireJob } from "./find.ts";
import { auditedJob, type AutomationJob, type AutomationJobPatch } from "./job.ts";
import { patchJob } from "./plan-job.ts";
import { showJob } from "./show.ts";
import { findJob, hasJobVersion, updateJobRow } from "./store.ts";

/**
 * Changes a job. Runs that have begun go on as they were. The second of two changes at the same time is
 * `resource_conflict`.
 */
export async function updateAutomationJob(
  ctx: Needs<"scope" | "db">,
  id: string,
  patch: AutomationJobPatch,
): Promise<AutomationJob> {
  const { scope, db } = ctx;
  const before = await requireJob(ctx, id);
  const job = patchJob(before, patch, scope);
  if (patch.datasetKeys) await RESOURCES[job.resourceType].require(ctx, job);
  const [, changed] = await db.batch([
    // The audit event goes first: another change may have made the same version.
    recordAuditIf(db, scope, {
      action: "automation_job.update",
      subjectId: job.id,
      when: hasJobVersion(before),
      before: auditedJob(before),
      after: auditedJob(job),
    }),
    updateJobRow(db, before, job),
    noteChange(db, job, "changed", hasJobVersion(job)),
  ]);
  const [row] = changed;
  if (row) return showJob(ctx, { ...job, nextRunAt: row.nextRunAt });
  if (!(await findJob(db, scope.teamId, job.id))) throw notFound("Job", id);
  throw new Problem("resource_conflict", "The job was changed at the same time. Read it again, and repeat this.");
}
