import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../../docs/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { RESOURCE_FACTS } from "../../../core/resource-types.ts";
import { requireJob } from "../jobs/find.ts";
import type { Job } from "../jobs/job.ts";
import { RESOURCES } from "../resources/resources.ts";
import { takeFirstStep, type ProcessDeps } from "./first-step.ts";
import { showRun } from "./get.ts";
import { planDryRun } from "./plan-dry-run.ts";
import { subjectOfJob, type RunSubject } from "./run.ts";
import { startRun } from "./start.ts";
import { findShownRun } from "./store.ts";
import type { ProcessedRun } from "./wire-schema.ts";

export const RunJobRequest = z
  .strictObject({
    datasetKeys: z
      .array(z.string().min(1))
      .min(1)
      .max(DOC_LIMITS.datasetsMax)
      .optional()
      .openapi({ description: "Of a doc's job: only these of the datasets that it runs." }),
  })
  .openapi("RunAutomationJob", { example: {} });
export type RunJobRequest = z.infer<typeof RunJobRequest>;

type RunOptions = RunJobRequest & { dryRun: boolean; waitUntil: (work: Promise<unknown>) => void };

/**
 * Runs a job now, whether or not its schedule is enabled. Its first step is taken here. Where a run is in progress and
 * the job's overlap is `skip`, that one is answered. With `dryRun` all of it is checked and nothing kept.
 */
export async function processAutomationJob(
  ctx: ProcessDeps,
  jobId: string,
  { dryRun, waitUntil, ...body }: RunOptions,
): Promise<ProcessedRun> {
  const job = await requireJob(ctx, jobId);
  const subject = subjectAsked(job, body);
  await RESOURCES[subject.resourceType].require(ctx, subject);
  if (dryRun) return planDryRun(ctx, job, subject);
  const request = { cause: "manual" as const, scheduledFor: null, replayOf: null };
  const { run, isNew } = await startRun(ctx, subject, {
    overlap: job.overlap,
    request,
    action: "automation_job.process",
  });
  if (isNew) await takeFirstStep(ctx, run, waitUntil);
  return showRun(ctx, (await findShownRun(ctx.db, run.teamId, run.id)) ?? { run, lastWorkId: null });
}

/** Throws `validation_failed` for datasets that are none of the job's. */
function subjectAsked(job: Job, { datasetKeys }: RunJobRequest): RunSubject {
  const subject = subjectOfJob(job);
  if (datasetKeys === undefined) return subject;
  const flaws = datasetKeys.flatMap((key, index): Flaw[] =>
    RESOURCE_FACTS[job.resourceType].hasDatasets && (job.datasetKeys?.includes(key) ?? true)
      ? []
      : [{ pointer: `/datasetKeys/${index}`, message: `${key} is not among the datasets of this job.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
  return { ...subject, datasetKeys: [...new Set(datasetKeys)] };
}
