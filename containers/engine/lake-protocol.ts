// What the engine asks of the platform about a lake: describe, plan, sign, and, inside a job, upload and commit.
// Column types are DuckLake 1.0 type names; statistics are strings as the specification stores them.

import { z } from "zod";

/** A column of a lake table. `id` is the Parquet field id, unique within the table, nested fields included. */
export type LakeColumn = {
  id: number;
  name: string;
  /** DuckLake type: `int64`, `decimal(18,2)`, `varchar`, `timestamptz`, `list`, `struct`, `map` … */
  type: string;
  nullable: boolean;
  children: LakeColumn[];
};
export const LakeColumn: z.ZodType<LakeColumn> = z.lazy(() =>
  z.object({ id: z.number().int(), name: z.string(), type: z.string(), nullable: z.boolean(), children: z.array(LakeColumn) }),
);

export const LakeTable = z.object({
  tableId: z.number().int(),
  schema: z.string(),
  name: z.string(),
  columns: z.array(LakeColumn),
});
export type LakeTable = z.infer<typeof LakeTable>;

/** POST /internal/lakes/{lakeId}/describe: every table the token's holder may read, as of the token's snapshot. */
export const LakeDescription = z.object({ snapshotId: z.number().int(), schemas: z.array(z.string()), tables: z.array(LakeTable) });
export type LakeDescription = z.infer<typeof LakeDescription>;

/** POST /internal/lakes/{lakeId}/plan: the files of some tables, as of the token's snapshot. Unreadable tables are absent. */
export const PlanRequest = z.strictObject({ tableIds: z.array(z.number().int()).min(1).max(1_000) });
export type PlanRequest = z.infer<typeof PlanRequest>;

export const PlannedFile = z.object({
  /** `data_file_id` or `delete_file_id`; a file never changes and its id is never reused. */
  id: z.number().int(),
  /** Relative to the lake's root in the bucket. */
  path: z.string(),
  bytes: z.number().int(),
  rows: z.number().int(),
});
export type PlannedFile = z.infer<typeof PlannedFile>;

export const TablePlan = z.object({
  tableId: z.number().int(),
  files: z.array(PlannedFile.extend({ deletes: PlannedFile.nullable() })),
});
export type TablePlan = z.infer<typeof TablePlan>;
export const PlanAnswer = z.object({ tables: z.array(TablePlan) });

/** POST /internal/lakes/{lakeId}/sign: GET URLs for planned files about to be fetched. */
export const SignRequest = z.strictObject({ fileIds: z.array(z.number().int()).min(1).max(500) });
export const SignAnswer = z.object({ urls: z.record(z.string(), z.string()) });

/** POST /internal/jobs/{jobId}/uploads: PUT URLs under fresh keys of the job's lake. */
export const UploadRequest = z.strictObject({ tables: z.array(z.strictObject({ schema: z.string(), name: z.string() })).min(1).max(100) });
export const UploadAnswer = z.object({ uploads: z.array(z.object({ path: z.string(), url: z.string() })) });

/** Statistics of one column in one file, by field id; absent bounds mean unknown. */
export const ColumnStatistics = z.strictObject({
  columnId: z.number().int(),
  bytes: z.number().int(),
  values: z.number().int(),
  nulls: z.number().int(),
  min: z.string().nullable(),
  max: z.string().nullable(),
  /** `null` is unknown, and keeps a file from being pruned. */
  containsNan: z.boolean().nullable(),
});
export type ColumnStatistics = z.infer<typeof ColumnStatistics>;

export const NewDataFile = z.strictObject({
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  footerBytes: z.number().int().nonnegative(),
  rows: z.number().int().nonnegative(),
  statistics: z.array(ColumnStatistics),
});
export type NewDataFile = z.infer<typeof NewDataFile>;

export const LakeChange = z.discriminatedUnion("kind", [
  /** Creates the schema too where it is missing. Field ids are the writer's: 1, 2, 3 … depth first. */
  z.strictObject({ kind: z.literal("create_table"), schema: z.string(), name: z.string(), columns: z.array(LakeColumn) }),
  z.strictObject({ kind: z.literal("append"), schema: z.string(), name: z.string(), files: z.array(NewDataFile) }),
]);
export type LakeChange = z.infer<typeof LakeChange>;

/**
 * POST /internal/jobs/{jobId}/commit: the one write. A repeated `key` answers with the first result and changes nothing.
 * Changes apply in order; `append` may name a table created earlier in the same commit.
 */
export const LakeCommit = z.strictObject({
  key: z.string().min(1).max(200),
  author: z.string().nullable(),
  message: z.string().nullable(),
  /** The snapshot the changes were made from. With it, an append to a table that was altered, replaced or deleted from since is refused. */
  baseSnapshotId: z.number().int().nonnegative().optional(),
  changes: z.array(LakeChange).min(1).max(1_000),
});
export type LakeCommit = z.infer<typeof LakeCommit>;
export const CommitAnswer = z.object({ snapshotId: z.number().int(), replayed: z.boolean() });
export type CommitAnswer = z.infer<typeof CommitAnswer>;

/** POST /internal/jobs/{jobId}/heartbeat: keeps the job's lease. A job that is told it is cancelled may not write any more and stops. */
export const HeartbeatAnswer = z.object({ cancelled: z.boolean() });

/** POST /internal/jobs/{jobId}/log → 204 */
export const LogRequest = z.strictObject({
  lines: z.array(z.strictObject({ level: z.enum(["info", "warning", "error"]), message: z.string().max(4_096) })).min(1).max(100),
});
