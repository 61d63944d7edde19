// The dependencies of an attempt that is an engine's job: a lake whose lease lets it write, the engine, and the kind of
// its work. Each is named by its narrowest side, so that a test may put another engine or lake behind them.

import type { JobOutcome, JobProgress } from "../../../../kernel/jobs/job.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Engine } from "../../../platform/engine/engine.ts";
import type { Answer } from "../../../core/answer.ts";
import type { Reported } from "../../../lake/writers/job-reports.ts";
import type { Lease } from "../../../lake/writers/leases.ts";
import type { RunTable, WorkDeps } from "../kind.ts";
import type { WorkRun } from "../run.ts";

export type JobEngine = Pick<Engine, "startJob" | "getJob" | "cancelJob">;

/** A lake's leases, which decide who may write, and what its jobs have said of themselves. */
export type JobLake = {
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Answer<{ fence: number }>>;
  findHeldLease(name: string): Promise<Lease | undefined>;
  releaseLease(name: string, fence: number): Promise<boolean>;
  /** The last report of the newest job under the lease that reported anything, with its fence. */
  progressOf(lease: string): Promise<Reported<JobProgress> | undefined>;
  outcomeOf(lease: string): Promise<Reported<JobOutcome> | undefined>;
};

export type JobDeps = WorkDeps &
  Needs<"tokens"> & { openEngine(teamId: string): JobEngine; openLake(lakeId: string): JobLake };

export type JobRun = WorkRun & { lakeId: string };

/** One kind of an engine's work. */
export type JobKind<Run extends JobRun, Progress extends JobProgress> = {
  table: RunTable;
  /** The name of the work, for people. */
  noun: string;
  /** The lease of all runs that must not write beside each other: D1 has one of them active at a time. */
  leaseOf(run: Run): string;
  /** Throws for the report of another kind: that is a bug. */
  narrow(progress: JobProgress): Progress;
};
