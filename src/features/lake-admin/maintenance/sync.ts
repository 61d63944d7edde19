import { z } from "@hono/zod-openapi";
import { invalidAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { AUTOMATION_WORK } from "../../automations/automation-work.ts";
import { requireJob } from "../../automations/jobs/find.ts";
import { findMaintenance, type MaintenanceRun } from "../../automations/maintenance/find.ts";
import type { AutomationDeps } from "../../automations/resources/kind.ts";
import { RESOURCES } from "../../automations/resources/resources.ts";
import { stateOf } from "../../automations/runs/wire-mapping.ts";
import { RUN_STATES, type RunState } from "../../automations/runs/wire-schema.ts";
import { stepNow } from "../../work-model/step-now.ts";

const JOB_STATES = ["running", "succeeded", "failed", "cancelled", "vanished", "unreachable"] as const;
type JobState = (typeof JOB_STATES)[number];

const RunSeen = z.enum(RUN_STATES).nullable();

export const SyncedMaintenance = z
  .object({
    runId: z.uuid().nullable().openapi({ description: "Null where the job has not run yet." }),
    attempt: z.number().int().nullable(),
    engineJobId: z.string().nullable(),
    engineJob: z
      .enum(JOB_STATES)
      .nullable()
      .openapi({
        description:
          "What the engine says of the attempt's job: `vanished` where it knows of none, `unreachable` where it can't be " +
          "asked. Null where no attempt is under way.",
      }),
    before: RunSeen.openapi({ description: "The run's state as it was found." }),
    after: RunSeen.openapi({ description: "And as it is now; `queued`: it is tried again." }),
    moved: z.boolean().openapi({ description: "Whether this has changed anything." }),
    message: z.string().openapi({ description: "What was done, in words." }),
  })
  .openapi("SyncedMaintenance");
export type SyncedMaintenance = z.infer<typeof SyncedMaintenance>;

/**
 * Compares a maintenance job's latest attempt with the engine's job, and moves it on by the work model's own step.
 * Repeated, it changes nothing. Throws 422 for a job of anything else.
 */
export async function syncMaintenance(ctx: Needs<"scope"> & AutomationDeps, jobId: string): Promise<SyncedMaintenance> {
  const { scope, db } = ctx;
  const job = await requireJob(ctx, jobId);
  if (job.resourceType !== "lake_integration_maintenance") {
    const { noun } = RESOURCES[job.resourceType];
    const message = `This is a job of ${noun}; only one of a lake's maintenance has an engine's job.`;
    throw invalidAt("/path/job_id", message);
  }
  const find = () => findMaintenance(db, { teamId: job.teamId, lakeId: job.resourceId }, { automationId: job.id });
  const before = await find();
  if (!before) return NOTHING_RAN;
  if (before.run.endedAt !== null) return report(before, before, null);
  const engineJob = await askEngine(ctx, before);
  await stepNow(AUTOMATION_WORK, ctx, before.run, { scope, action: "automation_run.sync" });
  const after = await findMaintenance(db, before.run, { maintenanceId: before.run.id });
  return report(before, after ?? before, engineJob);
}

const NOTHING_RAN: SyncedMaintenance = {
  runId: null,
  attempt: null,
  engineJobId: null,
  engineJob: null,
  before: null,
  after: null,
  moved: false,
  message: "This job has not run yet.",
};

async function askEngine({ openEngine }: AutomationDeps, { run }: MaintenanceRun): Promise<JobState | null> {
  if (run.workId === null) return null;
  try {
    return (await openEngine(run.teamId).getJob(run.workId))?.state ?? "vanished";
  } catch {
    return "unreachable";
  }
}

function report(before: MaintenanceRun, after: MaintenanceRun, engineJob: JobState | null): SyncedMaintenance {
  const states = { before: stateOf(before.run), after: stateOf(after.run) };
  const moved = states.before !== states.after || before.run.attempt !== after.run.attempt;
  const { id: runId, attempt } = before.run;
  const { engineJobId } = before;
  return { runId, attempt, engineJobId, engineJob, ...states, moved, message: describe(states, after, engineJob) };
}

type States = { before: RunState; after: RunState };

function describe({ before, after }: States, { run }: MaintenanceRun, engineJob: JobState | null): string {
  if (run.endedAt !== null) {
    const how = `The run has ${after === "timed_out" ? "run out of time" : after}.`;
    return before === after ? `${how} There is nothing to do.` : how;
  }
  if (before !== "queued" && after === "queued") return `The attempt has ended, and is tried again. ${run.error ?? ""}`;
  if (before === "queued") return after === "queued" ? "The run waits for its turn." : "The run's attempt has begun.";
  if (engineJob === "running") return "The engine is at work on it.";
  return "The attempt goes on: somebody is at work on it, or its lease still holds.";
}
