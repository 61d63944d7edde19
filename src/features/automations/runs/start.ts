import { AUTOMATION_LIMITS } from "../limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AuditAction } from "../../../platform/db/audit-actions.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { automationRuns } from "../../../platform/db/schema/work-schema.ts";
import { hasRunInSql, insertRunIf } from "../../work-model/runs/store-runs.ts";
import type { Job } from "../jobs/job.ts";
import { RESOURCES } from "../resources/resources.ts";
import { planRun, subjectOfMaintenance, type Run, type RunRequest, type RunSubject } from "./run.ts";
import { rowOf } from "./store-rows.ts";
import { isNextInLine, selectOpenRuns } from "./store.ts";

const TRIES = 5;

export type Started = {
  run: Run;
  /** False: it was in progress, and nothing new was started. */
  isNew: boolean;
};

type StartOptions = { overlap: Job["overlap"]; request: RunRequest; action: AuditAction };

/**
 * Records a run that somebody asked for; the one in progress is answered where it may not wait behind that. One that
 * was cancelled is not in progress any more, though others wait for its end. Its caller wakes it up, or takes its
 * first step. Throws `monthly_quota_exceeded` where a doc is to run and the month's runs are used up.
 */
export async function startRun(
  { scope, db }: Needs<"scope" | "db">,
  subject: RunSubject,
  { overlap, request, action }: StartOptions,
): Promise<Started> {
  await RESOURCES[subject.resourceType].requireQuota({ scope, db });
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const open = await selectOpenRuns(db, subject);
    const inProgress = overlap === "skip" ? open.find(({ cancelRequested }) => !cancelRequested) : undefined;
    if (inProgress) return { run: inProgress, isNew: false };
    if (open.length > AUTOMATION_LIMITS.runsWaitingMax)
      throw new Problem(
        "work_in_progress",
        `${open.length} runs of this have not ended, and it takes no more. Wait for them, or cancel those that are ` +
          "no longer wanted.",
      );
    const run = planRun(subject, request, scope.now);
    const [inserted] = await db.batch([
      insertRunIf(db, automationRuns, rowOf(run), isNextInLine(subject, open)),
      recordAuditIf(db, scope, {
        action,
        subjectId: subject.automationId ?? subject.resourceId,
        when: hasRunInSql(automationRuns, run),
        after: { run_id: run.id, cause: run.cause, kind: run.kind, replay_of: run.replayOf },
      }),
    ]);
    if (inserted.length > 0) return { run, isNew: true };
    // Another run came in between, or the job is gone.
  }
  throw notFound("Job", subject.automationId ?? subject.resourceId);
}

/** A lake's maintenance without a job; where one of its lake is in progress, of whichever job, that one is answered. */
export const startMaintenanceRun = (
  ctx: Needs<"scope" | "db">,
  { teamId, lakeId, kind }: { teamId: string; lakeId: string; kind: NonNullable<Job["kind"]> },
): Promise<Started> =>
  startRun(ctx, subjectOfMaintenance({ teamId, lakeId, kind, ownerId: ctx.scope.userId }), {
    overlap: "skip",
    request: { cause: "manual", scheduledFor: null, replayOf: null },
    action: "lake.maintain",
  });
