// An attempt of a lake's maintenance: one engine job, under the one lease that all maintenance of the lake shares.

import type { JobProgress } from "../../../../../kernel/jobs/job.ts";
import type { MaintenanceProgress, MaintenanceWork } from "../../../../../kernel/lake/maintenance.ts";
import type { Needs } from "../../../../clients/context.ts";
import { automationRuns } from "../../../../platform/db/schema/work-schema.ts";
import { MAINTENANCE_LEASE } from "../../../../lake/lake.ts";
import { getLake } from "../../../integrations/get.ts";
import { keepFigures, type MeasureDeps } from "../../../lakes/summaries/keep-summary.ts";
import type { JobDeps, JobKind, JobLake } from "../../../work-model/engine-attempt/job.ts";
import { startJob } from "../../../work-model/engine-attempt/start.ts";
import { progressOf, stopJob, watchJob } from "../../../work-model/engine-attempt/watch.ts";
import type { StepOutcome } from "../../../work-model/kind.ts";
import type { Run } from "../../runs/run.ts";

type LakeRun = Run & { lakeId: string };
type Outcome = StepOutcome<MaintenanceProgress>;

const KIND: JobKind<LakeRun, MaintenanceProgress> = {
  table: automationRuns,
  noun: "maintenance",
  leaseOf: () => MAINTENANCE_LEASE,
  narrow,
};

function narrow(progress: JobProgress): MaintenanceProgress {
  if (progress.kind === "maintenance") return progress;
  throw new Error("A maintenance's job has reported on another kind of work.");
}

const onLake = (run: Run): LakeRun => ({ ...run, lakeId: run.resourceId });

export const startMaintenance = (deps: JobDeps, run: Run): Promise<Outcome> =>
  startJob(KIND, deps, onLake(run), async (): Promise<MaintenanceWork> => {
    const { id: lakeId } = await getLake({ ...deps, scope: run }, run.resourceId);
    return { kind: "maintenance", lakeId, level: run.kind!, runId: run.id, attempt: run.attempt };
  });

export const watchMaintenance = (deps: JobDeps, run: Run): Promise<Outcome> => watchJob(KIND, deps, onLake(run));

export const stopMaintenance = (deps: JobDeps, run: Run): Promise<Outcome> => stopJob(KIND, deps, onLake(run));

/** Each round keeps the summaries of many lakes. */
export const endMaintenance = (
  deps: Needs<"db"> & MeasureDeps,
  { teamId, resourceId }: Run,
  now: Date,
): Promise<void> => keepFigures(deps, { teamId, lakeId: resourceId }, now);

/** How far the job under way is, as it reported; undefined where there is none, or it has not said anything. */
export async function progressOfMaintenance(
  { openLake }: { openLake(lakeId: string): Pick<JobLake, "progressOf"> },
  run: Run,
): Promise<MaintenanceProgress | undefined> {
  if (run.state !== "running") return undefined;
  return progressOf(KIND, openLake(run.resourceId), onLake(run));
}
