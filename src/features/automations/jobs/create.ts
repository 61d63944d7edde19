import { AUTOMATION_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import { RESOURCES } from "../resources/resources.ts";
import { auditedJob, choiceOf, type AutomationJob, type NewAutomationJob } from "./job.ts";
import { planJob } from "./plan-job.ts";
import { showJob } from "./show.ts";
import { countJobs, insertJob } from "./store.ts";

/**
 * A new job, whose runs have its creator's rights. Where its resource takes no second one beside another, that is
 * `validation_failed` and names the first.
 */
export async function createAutomationJob(ctx: Needs<"scope" | "db">, input: NewAutomationJob): Promise<AutomationJob> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  const { resourceType, resourceId } = input;
  const kind = RESOURCES[resourceType];
  const choice = choiceOf(input);
  const { name } = await kind.require(ctx, { resourceId, ...choice });
  const job = planJob(input, { teamId, ownerId: userId, now, nameDefault: kind.jobNameOf(name, choice) });
  const twin = await kind.findTwin(ctx, job);
  if (twin) throw twin;
  if ((await countJobs(db, teamId)) >= AUTOMATION_LIMITS.jobsPerTeamMax)
    throw new Problem("business_quota_exceeded", `A team may have at most ${AUTOMATION_LIMITS.jobsPerTeamMax} jobs.`);
  try {
    await withinPlan(ctx, "jobs", (guard) =>
      db.batch([
        insertJob(db, job),
        recordAudit(db, scope, "automation_job.create", { id: job.id, after: auditedJob(job) }),
        guard,
      ]),
    );
  } catch (error) {
    // Where two calls at once name one lake and kind, the index lets one through.
    throw (await kind.findTwin(ctx, job)) ?? error;
  }
  return showJob(ctx, job);
}
