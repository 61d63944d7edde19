import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import { findMaintenanceJob } from "./find.ts";
import { auditedJob, type AutomationJob, type Job, type NewAutomationJob } from "./job.ts";
import { planJob } from "./plan-job.ts";
import { requireResource } from "./require-resource.ts";
import { showJob } from "./show.ts";
import { countJobs, insertJob } from "./store.ts";

/**
 * A new job, whose runs have its creator's rights. A lake has one maintenance job of a kind: a second one is
 * `validation_failed` and names the first.
 */
export async function createAutomationJob(ctx: Needs<"scope" | "db">, input: NewAutomationJob): Promise<AutomationJob> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  const { resourceType, resourceId } = input;
  const datasetKeys = input.resourceType === "doc" ? (input.datasetKeys ?? null) : null;
  const { name } = await requireResource(ctx, { resourceType, resourceId, datasetKeys });
  const job = planJob(input, { teamId, ownerId: userId, now, resourceName: name });
  const first = await findTwin(ctx, job);
  if (first) throw isThere(first);
  if ((await countJobs(db, teamId)) >= LIMITS.automationJobsPerTeamMax)
    throw new Problem("business_quota_exceeded", `A team may have at most ${LIMITS.automationJobsPerTeamMax} jobs.`);
  try {
    await withinPlan(ctx, "jobs", (guard) =>
      db.batch([
        insertJob(db, job),
        recordAudit(db, scope, "automation_job.create", { id: job.id, after: auditedJob(job) }),
        guard,
      ]),
    );
  } catch (error) {
    // Of two calls at once for one lake and kind, the index lets one through.
    const winner = await findTwin(ctx, job);
    throw winner ? isThere(winner) : error;
  }
  return showJob(ctx, job);
}

const findTwin = async (ctx: Needs<"scope" | "db">, { kind, resourceId }: Job): Promise<Job | undefined> =>
  kind === null ? undefined : findMaintenanceJob(ctx, resourceId, kind);

function isThere({ id, name, kind }: Job): Problem {
  const message = `This lake has a job for its ${kind} maintenance already: ${name} (${id}). Change that one.`;
  return new Problem("validation_failed", message, [{ pointer: "/kind", message }]);
}
