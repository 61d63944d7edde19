// What working on runs touches, by its narrowest side: a test may put another engine or lake behind it.

import type { JobOutcome, JobProgress } from "../../../../../containers/engine/contract/job.ts";
import type { Needs } from "../../../../platform/context.ts";
import type { Engine } from "../../../../platform/engine/engine.ts";
import type { Answer } from "../../../../platform/lake/answer.ts";
import type { Reported } from "../../../../platform/lake/writers/job-reports.ts";
import type { Lease } from "../../../../platform/lake/writers/leases.ts";
import type { LakeTableName } from "../../../../../containers/engine/contract/lake.ts";
import type { OwnedTable, Owner } from "../../../../platform/lake/writers/owners.ts";

export type RunEngine = Pick<Engine, "startJob" | "getJob" | "cancelJob" | "introspect">;

/** A lake's leases, which decide who may write, and what its jobs have said of themselves. */
export type RunLake = {
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Answer<{ fence: number }>>;
  findHeldLease(name: string): Promise<Lease | undefined>;
  releaseLease(name: string, fence: number): Promise<boolean>;
  /** What the newest job under the lease that said anything has said, with its fence. */
  progressOf(lease: string): Promise<Reported<JobProgress> | undefined>;
  outcomeOf(lease: string): Promise<Reported<JobOutcome> | undefined>;
  claimTables(owner: Owner, tables: LakeTableName[]): Promise<OwnedTable[]>;
  keepTables(owner: Owner, tables: LakeTableName[]): Promise<OwnedTable[]>;
  releaseOwner(owner: string): Promise<number>;
  /** What the engine has kept of its own about a sync, by the beginning of its keys; all but what is `kept`. */
  forgetNotes(prefix: string, kept?: string[]): Promise<number>;
};

export type SyncRunDeps = Needs<"db" | "wakeUps" | "tokens" | "vault" | "openLog" | "settings"> & {
  openEngine(teamId: string): RunEngine;
  openLake(lakeId: string): RunLake;
};
