// Deliveries are handed these verbs of the jobs that run them for docs.

import type { BatchItem } from "drizzle-orm/batch";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import type { DeliveryJobs } from "../../deliveries/of-entry.ts";
import { deleteAutomationJob } from "../jobs/delete.ts";
import { auditedJob, type Job } from "../jobs/job.ts";
import { patchJob } from "../jobs/plan-job.ts";
import { findJob, hasJobVersion, updateJobRow } from "../jobs/store.ts";
import { noteDeliveryChange } from "./store.ts";

/** Makes a job the caller's own, if it still is as it was seen. */
export function takeOverStatements({ scope, db }: Needs<"scope" | "db">, job: Job): BatchItem<"sqlite">[] {
  const taken = patchJob(job, { ownerId: scope.userId }, scope);
  return [
    recordAuditIf(db, scope, {
      action: "automation_job.update",
      subjectId: job.id,
      when: hasJobVersion(job),
      before: auditedJob(job),
      after: auditedJob(taken),
    }),
    updateJobRow(db, job, taken),
  ];
}

/** Whoever says what goes to whom sends it with their own rights. */
const changeStatements: DeliveryJobs["changeStatements"] = async (ctx, id, { when, sendsAnew }) => {
  const { scope, db } = ctx;
  const noted = noteDeliveryChange(db, { teamId: scope.teamId, id }, when);
  const job = sendsAnew ? await findJob(db, scope.teamId, id) : undefined;
  return job && job.ownerId !== scope.userId ? [noted, ...takeOverStatements(ctx, job)] : [noted];
};

export const DELIVERY_JOBS: DeliveryJobs = { changeStatements, deleteJob: deleteAutomationJob };
