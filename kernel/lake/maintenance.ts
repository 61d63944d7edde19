// A lake's maintenance: what its job is asked to do, what it asks of the platform on the way, and how it reports.
// The platform decides and deletes; the engine writes files anew and drives the steps.

import { z } from "zod";
import { LakeRoot, PlannedFile } from "./lake.ts";

const count = z.number().int().nonnegative();

/** `daily` merges small files, deletes what is due and collects orphans; `full` takes every step. */
export const MAINTENANCE_LEVELS = ["daily", "full"] as const;
export type MaintenanceLevel = (typeof MAINTENANCE_LEVELS)[number];

/** The steps, in the order in which they are taken. */
export const MAINTENANCE_STEPS = ["merge", "rewrite", "expire", "delete", "collect", "statistics"] as const;
export type MaintenanceStep = (typeof MAINTENANCE_STEPS)[number];
/** Steps that the engine drives and the platform takes; in the others the engine writes files anew. */
export type PlatformStep = Exclude<MaintenanceStep, "merge" | "rewrite">;

/** One job per lake, under the lease `maintenance`. */
export const MaintenanceWork = z.strictObject({
  kind: z.literal("maintenance"),
  lakeId: z.string(),
  level: z.enum(MAINTENANCE_LEVELS),
  /** The run's id, a part of its commits' keys. */
  runId: z.string(),
  /** The number of the attempt, from 1. */
  attempt: z.number().int().positive(),
});
export type MaintenanceWork = z.infer<typeof MaintenanceWork>;

/**
 * POST /internal/jobs/{jobId}/maintenance/plan: the next files to be written anew, as of the newest snapshot, a bounded
 * number of groups at a time. Each group becomes one `compact` change. `next` is what to ask with for the groups behind
 * them, null at the end.
 */
export const CompactionPlanRequest = z.strictObject({
  step: z.enum(["merge", "rewrite"]),
  /** The `next` of the answer before; absent at the beginning. */
  after: z.string().max(1_000).optional(),
});
export type CompactionPlanRequest = z.infer<typeof CompactionPlanRequest>;
export const CompactionGroup = z.object({
  tableId: z.number().int(),
  schema: z.string(),
  name: z.string(),
  /** Files to rewrite, in the table's order of files. */
  files: z.array(PlannedFile.extend({ rowIdStart: z.number().int().nullable(), deletes: PlannedFile.nullable() })),
  targetBytes: z.number().int().positive(),
  /** Rows of a row group in the new files, as the lake's options ask; null: the engine's default. */
  rowGroupRows: z.number().int().positive().nullable(),
  compression: z.string().nullable(),
});
export type CompactionGroup = z.infer<typeof CompactionGroup>;
export const CompactionPlan = z.object({
  snapshotId: z.number().int(),
  root: LakeRoot,
  groups: z.array(CompactionGroup),
  /** Tables that are left alone, and why: their sync is at work. */
  leftAlone: z.array(z.object({ schema: z.string(), name: z.string(), reason: z.string() })),
  next: z.string().nullable(),
});
export type CompactionPlan = z.infer<typeof CompactionPlan>;

/**
 * POST /internal/jobs/{jobId}/maintenance/{expire,delete,collect,statistics}: one bounded step of the platform's own.
 * Repeatable; `next` is what to ask with to go on, null once it is done.
 */
export const MaintenanceStepRequest = z.strictObject({ after: z.string().max(2_000).optional() });
export const MaintenanceStepAnswer = z.object({
  /** Snapshots expired, files deleted, orphans deleted, tables whose statistics were corrected. */
  done: count,
  /** Files that `expire` scheduled for deletion. */
  files: count,
  /** Bytes of the files that were deleted, or scheduled. */
  bytes: count,
  next: z.string().nullable(),
});
export type MaintenanceStepAnswer = z.infer<typeof MaintenanceStepAnswer>;

/** The rewriting of one table. `rows` counts the rows that a query sees: rewriting changes none. */
const TableReport = z.strictObject({
  schema: z.string(),
  name: z.string(),
  step: z.enum(["merge", "rewrite"]),
  state: z.enum(["running", "done", "failed", "left_alone"]),
  filesBefore: count,
  filesAfter: count,
  bytesBefore: count,
  bytesAfter: count,
  rowsBefore: count,
  rowsAfter: count,
  /** The reason for a failure, or for leaving the table alone. */
  note: z.string().max(4_096).nullable(),
});

/**
 * The sums of a step's {@link MaintenanceStepAnswer}s. For `merge` and `rewrite`: `done` counts the data files written
 * anew, `files` the files that took their place, `bytes` the size of those.
 */
const StepReport = z.strictObject({
  step: z.enum(MAINTENANCE_STEPS),
  state: z.enum(["waiting", "running", "done", "failed", "skipped"]),
  done: count,
  files: count,
  bytes: count,
  error: z.string().max(4_096).nullable(),
});

/**
 * How far a lake's maintenance is: the steps of its level and, of each table once per step, the files, bytes and rows
 * that it rewrote.
 */
export const MaintenanceProgress = z.strictObject({
  kind: z.literal("maintenance"),
  level: z.enum(MAINTENANCE_LEVELS),
  steps: z.array(StepReport).max(MAINTENANCE_STEPS.length),
  tables: z.array(TableReport).max(10_000),
});
export type MaintenanceProgress = z.infer<typeof MaintenanceProgress>;
