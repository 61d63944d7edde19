// The dependencies of work on runs, each by its narrowest side: a test may put another engine or lake behind it.

import type { Needs } from "../../../../clients/context.ts";
import type { Engine } from "../../../../platform/engine/engine.ts";
import type { LakeTableName } from "../../../../../kernel/lake/lake.ts";
import type { OwnedTable, Owner } from "../../../../lake/writers/owners.ts";
import type { JobDeps, JobEngine, JobLake } from "../../../work-model/engine-attempt/job.ts";

export type RunEngine = JobEngine & Pick<Engine, "introspect">;

/** Besides leases and reports: whose the lake's tables are. */
export type RunLake = JobLake & {
  claimTables(owner: Owner, tables: LakeTableName[]): Promise<OwnedTable[]>;
  keepTables(owner: Owner, tables: LakeTableName[]): Promise<OwnedTable[]>;
  releaseOwner(owner: string): Promise<number>;
  /** Deletes the engine's own notes about a sync, by the beginning of their keys, except those in `kept`. */
  forgetNotes(prefix: string, kept?: string[]): Promise<number>;
};

export type SyncRunDeps = Omit<JobDeps, "openEngine" | "openLake"> &
  Needs<"vault" | "settings"> & { openEngine(teamId: string): RunEngine; openLake(lakeId: string): RunLake };
