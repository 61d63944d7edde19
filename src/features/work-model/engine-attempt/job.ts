// What an attempt that is an engine's job needs: a lake whose lease lets it write, the engine, and the kind of its
// work. By their narrowest sides, so that a test may put another engine or lake behind them.

import type { JobOutcome, JobProgress } from "../../../../containers/engine/contract/job.ts";
import type { Needs } from "../../../platform/context.ts";
import type { Engine } from "../../../platform/engine/engine.ts";
import type { Answer } from "../../../core/answer.ts";
import type { Reported } from "../../../platform/lake/writers/job-reports.ts";
import type { Lease } from "../../../platform/lake/writers/leases.ts";
import type { RunTable, WorkDeps } from "../kind.ts";
import type { WorkRun } from "../run.ts";

export type JobEngine = Pick<Engine, "startJob" | "getJob" | "cancelJob">;

/** A lake's leases, which decide who may write, and what its jobs have said of themselves. */
export type JobLake = {
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Answer<{ fence: number }>>;
  findHeldLease(name: string): Promise<Lease | undefined>;
  releaseLease(name: string, fence: number): Promise<boolean>;
  /** What the newest job under the lease that said anything has said, with its fence. */
  progressOf(lease: string): Promise<Reported<JobProgress> | undefined>;
  outcomeOf(lease: string): Promise<Reported<JobOutcome> | undefined>;
};

export type JobDeps = WorkDeps &
  Needs<"tokens"> & { openEngine(teamId: string): JobEngine; openLake(lakeId: string): JobLake };

export type JobRun = WorkRun & { lakeId: string };

/** One kind of an engine's work. */
export type JobKind<Run extends JobRun, Progress extends JobProgress> = {
  table: RunTable;
  /** What it is called, for people. */
  noun: string;
  /** Of all runs that must not write beside each other: D1 has one of them active at a time. */
  leaseOf(run: Run): string;
  /** Throws for the report of another kind: that is a bug. */
  narrow(progress: JobProgress): Progress;
};
