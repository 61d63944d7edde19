// Each type of resource says for the jobs that run it: who may run it, which obstacles there are, what an attempt does,
// and what is shown of it. Facts that SQL statements need are in `core/resource-types.ts`.

import type { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import type { Problem } from "../../../core/problem.ts";
import type { Right, Scope } from "../../../core/scope.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import type { BuildLakes } from "../../docs/builds/build.ts";
import type { SendDeps } from "../../deliveries/send/send.ts";
import type { QueryDeps } from "../../query/prepare-query.ts";
import type { OutputDeps } from "../../docs/executions/read-output.ts";
import type { MeasureDeps } from "../../lakes/summaries/keep-summary.ts";
import type { JobDeps } from "../../work-model/engine-attempt/job.ts";
import type { StepOutcome } from "../../work-model/kind.ts";
import type { Job } from "../jobs/job.ts";
import type { Run, RunSubject } from "../runs/run.ts";
import type { RunPlan } from "../runs/wire-schema.ts";

export type AutomationDeps = JobDeps &
  MeasureDeps &
  BuildLakes &
  SendDeps &
  Omit<QueryDeps, "scope"> &
  Needs<"openSandbox" | "bucket">;
export type Outcome = StepOutcome<MaintenanceProgress>;

/** An obstacle to every run: its code is shown with the job, its sentence with the run. */
export type Obstacle = { pausedReason: NonNullable<Job["pausedReason"]>; error: string };

export type ResourceKind = {
  /** How a sentence names it: "a doc". */
  noun: string;
  /** The right that a run needs of its job's owner. */
  right: Right;

  // ── Jobs ──
  /**
   * The resource by its name. One of another team answers exactly as a missing one. Throws `validation_failed` for
   * dataset keys that the resource does not have.
   */
  require(
    ctx: Needs<"db"> & OfTeam,
    of: { resourceId: string; datasetKeys: string[] | null },
  ): Promise<{ name: string }>;
  /** The name of a job whose creator gave none. */
  jobNameOf(resourceName: string, job: Pick<Job, "kind">): string;
  /** The problem that another job of the resource is to a new one; undefined where any number may stand beside it. */
  findTwin(ctx: Needs<"db"> & OfTeam, job: Pick<Job, "resourceId" | "kind">): Promise<Problem | undefined>;

  // ── Runs that somebody asks for ──
  /** Throws `monthly_quota_exceeded` where the plan's month leaves nothing for a run. */
  requireQuota(ctx: Needs<"scope" | "db">): Promise<void>;
  /** The plan of a run, for a dry run. */
  plan(ctx: Needs<"scope" | "db" | "openLake">, subject: RunSubject): Promise<Omit<RunPlan, "notes">>;

  // ── Attempts; as a `WorkKind` has them ──
  /** The id of what will work on an attempt. */
  newWorkId(runId: string, attempt: number): string;
  findObstacle(deps: Needs<"db">, run: Run): Promise<Obstacle | undefined>;
  /** With the rights that the job's owner has now. */
  start(deps: AutomationDeps, run: Run, owner: Scope): Promise<Outcome>;
  /**
   * Starts a run without a job, whose caller's right was checked at the request. Null means that every run has a job.
   */
  startAlone: ((deps: AutomationDeps, run: Run) => Promise<Outcome>) | null;
  watch(deps: AutomationDeps, run: Run): Promise<Outcome>;
  stop(deps: AutomationDeps, run: Run): Promise<Outcome>;
  /** After the end has been recorded. */
  ended(deps: AutomationDeps, run: Run, now: Date): Promise<void>;

  // ── What is shown ──
  /** Who may know what a run met on its way: the words of its failures, how far it is, and its log. */
  mayReadOutput(
    ctx: OutputDeps,
    run: Pick<Run, "teamId" | "id" | "resourceType" | "resourceId" | "ownerId">,
  ): Promise<boolean>;
  /** How far a run is, or was at its last end; undefined where runs of this type never say. */
  findProgress(ctx: Needs<"db" | "openLake">, run: Run): Promise<MaintenanceProgress | null | undefined>;
};
