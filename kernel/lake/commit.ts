// A job writes to its lake by uploads of new files, and by the one commit that makes them a snapshot. Statistics are
// strings as DuckLake 1.0 stores them.

import { z } from "zod";
import { LakeColumn } from "./lake.ts";

/**
 * The table that a file is for. `isNew`: the job's commit makes the table, whatever the name means now. Where it is
 * absent, the file is for the table of that name, and for a new one where there is none.
 */
export const UploadTarget = z.strictObject({ schema: z.string(), name: z.string(), isNew: z.boolean().optional() });
export type UploadTarget = z.infer<typeof UploadTarget>;

/** POST /internal/jobs/{jobId}/uploads: PUT URLs under fresh keys of the job's lake. */
export const UploadRequest = z.strictObject({ tables: z.array(UploadTarget).min(1).max(100) });
export const UploadAnswer = z.object({ uploads: z.array(z.object({ path: z.string(), url: z.string() })) });

/** Statistics of one column in one file, by field id; absent bounds mean unknown. */
export const ColumnStatistics = z.strictObject({
  columnId: z.number().int(),
  bytes: z.number().int(),
  values: z.number().int(),
  nulls: z.number().int(),
  min: z.string().nullable(),
  max: z.string().nullable(),
  /** Whether there are NaNs; null: unknown, which keeps the file from being pruned. */
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
 * A Parquet file of `file_path`, the data file's whole address, and `pos`: all deleted rows of one data file, those
 * deleted earlier included.
 */
export const NewDeleteFile = z.strictObject({
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  footerBytes: z.number().int().nonnegative(),
  rows: z.number().int().nonnegative(),
});
export type NewDeleteFile = z.infer<typeof NewDeleteFile>;

export const ColumnChange = z.discriminatedUnion("kind", [
  /** Adds a column, NULL in all rows that exist. Its field ids, children's included, were never used in this table. */
  z.strictObject({ kind: z.literal("add_column"), column: LakeColumn }),
  /** Drops a top-level column, with its children. */
  z.strictObject({ kind: z.literal("drop_column"), id: z.number().int() }),
  z.strictObject({ kind: z.literal("rename_column"), id: z.number().int(), to: z.string() }),
  /** Widens a type: to a wider whole number of the same sign, or from `float32` to `float64`. */
  z.strictObject({ kind: z.literal("set_type"), id: z.number().int(), type: z.string() }),
  z.strictObject({ kind: z.literal("set_nullable"), id: z.number().int(), nullable: z.boolean() }),
]);
export type ColumnChange = z.infer<typeof ColumnChange>;

const table = { schema: z.string(), name: z.string() };
/** The table that the writer means: a different table under this name is a conflict. */
const existing = { ...table, expect: z.strictObject({ tableId: z.number().int() }).optional() };
const fileIds = z.array(z.number().int()).max(100_000);

/** The longest that one comment may be. */
export const COMMENT_CHARACTERS_MAX = 4_096;
const Comment = z
  .string()
  .min(1)
  .max(COMMENT_CHARACTERS_MAX)
  .regex(/^[^\0]*$/, "A comment has no zero character.");

export const LakeChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("create_schema"), schema: z.string(), ifMissing: z.boolean().optional() }),
  z.strictObject({ kind: z.literal("drop_schema"), schema: z.string(), cascade: z.boolean() }),
  /** Creates the table, and its schema where that is missing. Field ids are the writer's: 1, 2, 3 … depth first. */
  z.strictObject({
    kind: z.literal("create_table"),
    ...table,
    columns: z.array(LakeColumn),
    orReplace: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal("drop_table"), ...existing }),
  z.strictObject({ kind: z.literal("rename_table"), ...existing, to: z.string() }),
  z.strictObject({ kind: z.literal("alter_table"), ...existing, changes: z.array(ColumnChange).min(1).max(1_000) }),
  /**
   * Sets comments by field id, with the table's own under the key null. A null comment is removed; columns that are not
   * named keep theirs.
   */
  z.strictObject({
    kind: z.literal("set_comments"),
    ...existing,
    comments: z
      .array(z.strictObject({ columnId: z.number().int().nullable(), comment: Comment.nullable() }))
      .min(1)
      .max(2_001),
  }),
  /**
   * `readsTable`: the added rows depend on the table's rows, so that rows added by another commit are a conflict too.
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
   * of them. Needs `baseSnapshotId`, and a commit of compactions alone: a snapshot that compacts changes no row.
   * Refused while a sync or a statement is at work on the table. Where the files' row ids do not run on in their order,
   * or a row was deleted, the new files carry every row's id in `_ducklake_internal_row_id`, an int64 of the field id
   * 2147483540, as DuckLake's own do; the catalog leaves their `row_id_start` empty. Files without a row left have no
   * new file.
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

/** Data and delete files that one commit may bring. */
export const COMMIT_FILES_MAX = 10_000;

/**
 * POST /internal/jobs/{jobId}/commit: the one write. A repeated `key` answers with the first result and changes
 * nothing. Changes apply in order and become one snapshot; a change may name what an earlier one of the commit made. A
 * commit of `state` alone, or of comments that are there already, makes no snapshot and answers with the newest.
 */
export const LakeCommit = z
  .strictObject({
    key: z.string().min(1).max(200),
    author: z.string().nullable(),
    message: z.string().nullable(),
    /**
     * The owner of these tables, where a sync or a doc owns them: `sync:<id>` under that sync's lease, `doc:<id>` under
     * one of that doc's; absent is `user`.
     */
    actor: z.string().max(200).optional(),
    /**
     * The snapshot the changes were made from. With it, a change that conflicts with one committed since is refused.
     */
    baseSnapshotId: z.number().int().nonnegative().optional(),
    changes: z.array(LakeChange).max(1_000),
    state: z.array(StateChange).max(1_000).optional(),
    /** Notes as they must be: where one is another by now, the commit is refused as a conflict. */
    expects: z.array(StateChange).max(1_000).optional(),
  })
  .refine(({ changes, state }) => changes.length > 0 || (state?.length ?? 0) > 0, {
    path: ["changes"],
    message: "A commit has a change.",
  });
export type LakeCommit = z.infer<typeof LakeCommit>;
export const CommitAnswer = z.object({ snapshotId: z.number().int(), replayed: z.boolean() });
export type CommitAnswer = z.infer<typeof CommitAnswer>;
