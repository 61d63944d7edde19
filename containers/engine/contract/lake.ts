// What the engine asks of the platform about a lake: describe, plan, sign, and, inside a job, upload and commit.
// Column types are DuckLake 1.0 type names; statistics are strings as the specification stores them.

import { z } from "zod";
import { SyncProgress } from "./progress.ts";

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
  z.object({
    id: z.number().int(),
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    children: z.array(LakeColumn),
  }),
);

/** The types that are one word in DuckDB; decimals and nested types are spelled out. */
export const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  boolean: "BOOLEAN",
  int8: "TINYINT",
  int16: "SMALLINT",
  int32: "INTEGER",
  int64: "BIGINT",
  int128: "HUGEINT",
  uint8: "UTINYINT",
  uint16: "USMALLINT",
  uint32: "UINTEGER",
  uint64: "UBIGINT",
  uint128: "UHUGEINT",
  float32: "FLOAT",
  float64: "DOUBLE",
  date: "DATE",
  time: "TIME",
  time_ns: "TIME_NS",
  timetz: "TIME WITH TIME ZONE",
  timestamp: "TIMESTAMP",
  timestamp_s: "TIMESTAMP_S",
  timestamp_ms: "TIMESTAMP_MS",
  timestamp_ns: "TIMESTAMP_NS",
  timestamptz: "TIMESTAMP WITH TIME ZONE",
  interval: "INTERVAL",
  varchar: "VARCHAR",
  blob: "BLOB",
  json: "JSON",
  uuid: "UUID",
  variant: "VARIANT",
  geometry: "GEOMETRY",
};

/** A table's name in the lake: its schema there, and its own. */
export type LakeTableName = { schema: string; name: string };

export const LakeTable = z.object({
  tableId: z.number().int(),
  schema: z.string(),
  name: z.string(),
  columns: z.array(LakeColumn),
});
export type LakeTable = z.infer<typeof LakeTable>;

/** A lake token reads the snapshot it was made for and, where a request names one, an earlier one. */
const asOf = { snapshotId: z.number().int().nonnegative().optional() };

/** POST /internal/lakes/{lakeId}/describe: every table the token's holder may read. */
export const DescribeRequest = z.strictObject(asOf);
export const LakeDescription = z.object({
  snapshotId: z.number().int(),
  schemas: z.array(z.string()),
  tables: z.array(LakeTable),
});
export type LakeDescription = z.infer<typeof LakeDescription>;

/**
 * What rows must satisfy to matter: one value for a comparison, some for `in`, none for the two about NULL. Values are
 * written as bounds are. A file that can hold no such row is left out of a plan; one that might stays.
 */
export const Predicate = z.strictObject({
  columnId: z.number().int(),
  op: z.enum(["=", "<", "<=", ">", ">=", "in", "is_null", "is_not_null"]),
  values: z.array(z.string()).max(1_000),
});
export type Predicate = z.infer<typeof Predicate>;

/** What one plan takes: so many lists, each of so many predicates. */
export const PLANNED = { listsMax: 16, predicatesMax: 100 } as const;

/**
 * POST /internal/lakes/{lakeId}/plan: the files of some tables, as of the token's snapshot. Unreadable tables are
 * absent.
 * `anyOf` is about one table: a row matters where all predicates of one list hold, and the plan is none of the whole
 * table.
 */
export const PlanRequest = z
  .strictObject({
    tableIds: z.array(z.number().int()).min(1).max(1_000),
    anyOf: z.array(z.array(Predicate).max(PLANNED.predicatesMax)).min(1).max(PLANNED.listsMax).optional(),
  })
  .refine(({ tableIds, anyOf }) => !anyOf || tableIds.length === 1, {
    path: ["anyOf"],
    message: "Predicates are about one table.",
  });
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

/** POST /internal/lakes/{lakeId}/plan and …/sign, as of a snapshot. */
export const LakePlanRequest = PlanRequest.safeExtend(asOf);

/**
 * POST /internal/lakes/{lakeId}/snapshots: which snapshot was the newest at an instant (RFC 3339); none before the
 * first that is kept.
 */
export const SnapshotRequest = z.strictObject({ at: z.iso.datetime() });
export const SnapshotAnswer = z.object({ snapshotId: z.number().int().nullable() });

/** POST /internal/lakes/{lakeId}/sign: GET URLs for planned files about to be fetched. */
export const SignRequest = z.strictObject({ fileIds: z.array(z.number().int()).min(1).max(500) });
export const LakeSignRequest = SignRequest.extend(asOf);
export const SignAnswer = z.object({ urls: z.record(z.string(), z.string()) });

/** POST /internal/jobs/{jobId}/uploads: PUT URLs under fresh keys of the job's lake. */
export const UploadRequest = z.strictObject({
  tables: z
    .array(z.strictObject({ schema: z.string(), name: z.string() }))
    .min(1)
    .max(100),
});
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

/**
 * Where a lake lies: a file's path below it makes its whole address. Other engines know files by that, character by
 * character.
 */
export const LakeRoot = z.string().regex(/^s3:\/\/.+\/$/);

/**
 * A Parquet file of `file_path`, the data file's whole address, and `pos`: which rows of one data file are deleted,
 * those deleted before among them.
 */
export const NewDeleteFile = z.strictObject({
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  footerBytes: z.number().int().nonnegative(),
  rows: z.number().int().nonnegative(),
});
export type NewDeleteFile = z.infer<typeof NewDeleteFile>;

export const ColumnChange = z.discriminatedUnion("kind", [
  /** Rows that are there already have NULL. Its field ids, children's included, were never used in this table. */
  z.strictObject({ kind: z.literal("add_column"), column: LakeColumn }),
  /** A top-level column, with all it holds. */
  z.strictObject({ kind: z.literal("drop_column"), id: z.number().int() }),
  z.strictObject({ kind: z.literal("rename_column"), id: z.number().int(), to: z.string() }),
  /** To a wider whole number of the same sign, or from `float32` to `float64`. */
  z.strictObject({ kind: z.literal("set_type"), id: z.number().int(), type: z.string() }),
  z.strictObject({ kind: z.literal("set_nullable"), id: z.number().int(), nullable: z.boolean() }),
]);
export type ColumnChange = z.infer<typeof ColumnChange>;

const table = { schema: z.string(), name: z.string() };
/** The table the writer means: another one of this name is a conflict. */
const existing = { ...table, expect: z.strictObject({ tableId: z.number().int() }).optional() };
const fileIds = z.array(z.number().int()).max(100_000);

/** Of one comment. */
export const COMMENT_CHARACTERS_MAX = 4_096;
const Comment = z
  .string()
  .min(1)
  .max(COMMENT_CHARACTERS_MAX)
  .regex(/^[^\0]*$/, "A comment has no zero character.");

export const LakeChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("create_schema"), schema: z.string(), ifMissing: z.boolean().optional() }),
  z.strictObject({ kind: z.literal("drop_schema"), schema: z.string(), cascade: z.boolean() }),
  /** Creates the schema too where it is missing. Field ids are the writer's: 1, 2, 3 … depth first. */
  z.strictObject({
    kind: z.literal("create_table"),
    ...table,
    columns: z.array(LakeColumn),
    orReplace: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal("drop_table"), ...existing }),
  z.strictObject({ kind: z.literal("rename_table"), ...existing, to: z.string() }),
  z.strictObject({ kind: z.literal("alter_table"), ...existing, changes: z.array(ColumnChange).min(1).max(1_000) }),
  /** By field id, the table's own under null. A comment of null goes; what is not named, or is as it was, stays. */
  z.strictObject({
    kind: z.literal("set_comments"),
    ...existing,
    comments: z
      .array(z.strictObject({ columnId: z.number().int().nullable(), comment: Comment.nullable() }))
      .min(1)
      .max(2_001),
  }),
  /**
   * `readsTable`: what is added depends on the rows that were there, so that any that another commit added are a
   * conflict too.
   */
  z.strictObject({
    kind: z.literal("append"),
    ...existing,
    files: z.array(NewDataFile),
    readsTable: z.boolean().optional(),
  }),
  /** Ends every data and delete file of the table and begins `files`, at once. */
  z.strictObject({ kind: z.literal("overwrite"), ...existing, files: z.array(NewDataFile) }),
  /** Each delete file takes the place of its data file's earlier one. Needs `baseSnapshotId`. */
  z.strictObject({
    kind: z.literal("delete"),
    ...existing,
    deletes: z.array(z.strictObject({ dataFileId: z.number().int(), file: NewDeleteFile })),
  }),
  /** Ends data files none of whose rows are left, with their delete files. Needs `baseSnapshotId`. */
  z.strictObject({ kind: z.literal("drop_files"), ...existing, dataFileIds: fileIds }),
  /**
   * Writes the rows left in some data files anew. `deleteFileIds` are the delete files that were applied to them, all
   * of them. Needs `baseSnapshotId`, and a commit of compactions alone: a snapshot that compacts changes no row. Where
   * the files' row ids do not run on, or rows were deleted, the new files carry them in `_ducklake_internal_row_id`.
   */
  z.strictObject({
    kind: z.literal("compact"),
    ...existing,
    dataFileIds: fileIds,
    deleteFileIds: fileIds,
    files: z.array(NewDataFile),
  }),
]);
export type LakeChange = z.infer<typeof LakeChange>;

/** A writer's own note, kept in the same transaction; null forgets it. At most 1 MiB. */
export const StateChange = z.strictObject({ key: z.string().min(1).max(1_000), value: z.string().nullable() });

/** Data and delete files that one commit brings. */
export const COMMIT_FILES_MAX = 10_000;

/**
 * POST /internal/jobs/{jobId}/commit: the one write. A repeated `key` answers with the first result and changes
 * nothing.
 * Changes apply in order and become one snapshot; a change may name what an earlier one of the commit made. A commit of
 * `state` alone, or of comments that are there already, makes no snapshot and answers with the newest.
 */
export const LakeCommit = z
  .strictObject({
    key: z.string().min(1).max(200),
    author: z.string().nullable(),
    message: z.string().nullable(),
    /** Whose tables these may be, where a sync owns them: `sync:<id>` under that sync's lease; absent is `user`. */
    actor: z.string().max(200).optional(),
    /**
     * The snapshot the changes were made from. With it, a change that conflicts with one committed since is refused.
     */
    baseSnapshotId: z.number().int().nonnegative().optional(),
    changes: z.array(LakeChange).max(1_000),
    state: z.array(StateChange).max(1_000).optional(),
  })
  .refine(({ changes, state }) => changes.length > 0 || (state?.length ?? 0) > 0, {
    path: ["changes"],
    message: "A commit has a change.",
  });
export type LakeCommit = z.infer<typeof LakeCommit>;
export const CommitAnswer = z.object({ snapshotId: z.number().int(), replayed: z.boolean() });
export type CommitAnswer = z.infer<typeof CommitAnswer>;

/** POST /internal/jobs/{jobId}/state: what was kept under each key; null where nothing is. */
export const StateRequest = z.strictObject({ keys: z.array(z.string().max(1_000)).min(1).max(1_000) });
export const StateAnswer = z.object({ values: z.record(z.string(), z.string().nullable()) });

/** POST /internal/jobs/{jobId}/tables: one schema's tables as of now; none where there is no such schema. */
export const TablesRequest = z.strictObject({ schema: z.string() });
export const TablesAnswer = z.object({ snapshotId: z.number().int(), tables: z.array(LakeTable) });
export type TablesAnswer = z.infer<typeof TablesAnswer>;

/**
 * POST /internal/jobs/{jobId}/plan and …/sign: as a lake token's, at `snapshotId` or, without it, the newest snapshot.
 */
export const JobPlanRequest = PlanRequest.safeExtend(asOf);
export const JobPlanAnswer = PlanAnswer.extend({ snapshotId: z.number().int(), root: LakeRoot });
export const JobSignRequest = SignRequest.extend(asOf);

/**
 * POST /internal/jobs/{jobId}/heartbeat: keeps the job's lease. A job that is answered it is cancelled may not write any
 * more and stops.
 */
export const HeartbeatRequest = z.strictObject({ progress: SyncProgress.optional() });
export const HeartbeatAnswer = z.object({ cancelled: z.boolean() });

/** POST /internal/jobs/{jobId}/finish → 204: how the job ended. Repeatable; refused once another job has taken over. */
export const JobOutcome = z.strictObject({
  outcome: z.enum(["succeeded", "failed", "cancelled"]),
  error: z.string().max(16_384).nullable(),
  retryable: z.boolean(),
  /** The platform could not be reached for a part of the time, so a failure may say nothing of the work. */
  platformAway: z.boolean().default(false),
  progress: SyncProgress,
});
export type JobOutcome = z.input<typeof JobOutcome>;

/** POST /internal/jobs/{jobId}/log → 204 */
export const LogRequest = z.strictObject({
  lines: z
    .array(z.strictObject({ level: z.enum(["info", "warning", "error"]), message: z.string().max(4_096) }))
    .min(1)
    .max(100),
});
