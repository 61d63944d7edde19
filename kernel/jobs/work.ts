// The long works an engine may be asked to do, each as a job, and the status it answers of one. `job.ts` says how a job
// reports its progress and outcome to the platform.

import { z } from "zod";
import { MaintenanceWork } from "../lake/maintenance.ts";
import { Source } from "../wire/source.ts";

/** Copies tables of a source into a schema of a lake. */
export const SyncWork = z.strictObject({
  kind: z.literal("sync"),
  lakeId: z.string(),
  source: Source,
  destSchema: z.string(),
  /** `schema.table`, or `schema.*` for every table of a schema as it is then. */
  tables: z.array(z.string()),
  loadMethod: z.enum(["merge", "append", "overwrite"]),
  /** The column by which new rows are found, by source table (`schema.table`). */
  cursors: z.record(z.string(), z.string()),
  /** The cursors that the platform picked for tables without a named one; an earlier run's choice comes first. */
  cursorsPicked: z.record(z.string(), z.string()).optional(),
  /** Whether `append` adds all rows of a table without a cursor, including rows that the lake has. */
  appendFullRows: z.boolean(),
  /** Reads everything again, whatever earlier runs remember. */
  full: z.boolean(),
  /** The only source tables of this run; null: all that `tables` names. */
  only: z.array(z.string()).nullable(),
  /** Names from `tables` that only a star means. The run doesn't fail where such a table is gone. */
  brought: z.array(z.string()).optional(),
  /** Tables that a star means and that the run must leave alone, with the reason. */
  leftOut: z.array(z.strictObject({ path: z.string(), reason: z.string() })).optional(),
  /** The sync's id names its state in the lake, and its run in the keys of its commits. */
  syncId: z.string(),
  runId: z.string(),
  /** The number of the attempt, from 1. */
  attempt: z.number().int().positive(),
});
export type SyncWork = z.infer<typeof SyncWork>;

/** Writes the sample tables into an empty schema of the lake. */
export const SampleWork = z.strictObject({ kind: z.literal("load_sample"), lakeId: z.string(), schema: z.string() });
export type SampleWork = z.infer<typeof SampleWork>;

export const Work = z.discriminatedUnion("kind", [SampleWork, SyncWork, MaintenanceWork]);
export type Work = z.infer<typeof Work>;

/** POST /jobs → 202 {@link JobStatus}. A job that runs already under the same id answers with its status. */
export const JobRequest = z.strictObject({
  id: z.string(),
  /** Calls `/internal/jobs/{id}/…` on the platform; dies with the job's fence. */
  token: z.string(),
  work: Work,
});
export type JobRequest = z.infer<typeof JobRequest>;

/** GET /jobs/{id}; an engine forgets finished jobs when it stops. */
export const JobStatus = z.object({
  id: z.string(),
  state: z.enum(["running", "succeeded", "failed", "cancelled"]),
  /** The job's present activity, for people. */
  progress: z.string(),
  error: z.string().nullable(),
  /** The job failed while the platform, which it had reached before, could not be reached. */
  platformAway: z.boolean().default(false),
});
export type JobStatus = z.infer<typeof JobStatus>;
