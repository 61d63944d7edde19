// The engine's requests to the platform about a lake, with a lake token or in a job: describe, plan, sign. Column types
// are DuckLake 1.0 type names; bounds in predicates are strings as the specification stores them.

import { z } from "zod";
import { TableView } from "../access/access.ts";
import { FORESEEN, PLANNED } from "./constants.ts";

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

/** A table's name in the lake: its schema there, and its own. */
export type LakeTableName = { schema: string; name: string };

export const LakeTable = z.object({
  tableId: z.number().int(),
  schema: z.string(),
  name: z.string(),
  /**
   * Opaque. Equal versions of a table, within one lake and for equal rights, mean that all about it is equal whatever
   * the snapshot: this entry, its plan, its rows.
   */
  version: z.string(),
  /** The columns that the token's holder may read. */
  columns: z.array(LakeColumn),
  /**
   * Whether the token's holder may read the whole table, or which of its rows and cells, columns by their ids.
   * `beneath` are the columns that only its conditions read.
   */
  view: z.union([z.literal("whole"), z.object({ ...TableView.shape, beneath: z.array(LakeColumn) })]),
});
export type LakeTable = z.infer<typeof LakeTable>;

/** A lake token reads the snapshot it was made for and, where a request names one, an earlier one. */
export const AS_OF = { snapshotId: z.number().int().nonnegative().optional() };

/** A lake at a snapshot: every table that the token's holder may read. */
export const LakeDescription = z.object({
  snapshotId: z.number().int(),
  schemas: z.array(z.string()),
  tables: z.array(LakeTable),
});
export type LakeDescription = z.infer<typeof LakeDescription>;

/**
 * A condition that rows must satisfy to matter: one value for a comparison, some for `in`, none for the two about NULL.
 * Values are written as bounds are. A plan leaves out a file only if no row in it can satisfy the condition.
 */
export const Predicate = z.strictObject({
  columnId: z.number().int(),
  op: z.enum(["=", "<", "<=", ">", ">=", "in", "is_null", "is_not_null"]),
  values: z.array(z.string()).max(1_000),
});
export type Predicate = z.infer<typeof Predicate>;

/**
 * POST /internal/lakes/{lakeId}/plan: the files of some tables, as of the token's snapshot. Unreadable tables are
 * absent. `anyOf` is about one table: a row matters where all predicates of one list hold, and files
 * that can hold no such row are left out of the plan.
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
  files: z.array(
    PlannedFile.extend({
      deletes: PlannedFile.nullable(),
      /** The bytes in the file of the columns that the plan names, where they are known of each. */
      columnBytes: z.number().int().optional(),
    }),
  ),
});
export type TablePlan = z.infer<typeof TablePlan>;
export const PlanAnswer = z.object({ tables: z.array(TablePlan) });

/** GET URLs of files, by their ids. */
const Urls = z.record(z.string(), z.string());

/**
 * POST /internal/lakes/{lakeId}/describe: what the lake holds, and what is asked next of tables with one of these
 * names: their plans, but for those that are known already, and URLs of the files in them. Either may be missing, where
 * there are many: {@link FORESEEN}.
 */
export const DescribeRequest = z.strictObject({
  ...AS_OF,
  names: z.array(z.string()).max(FORESEEN.namesMax).optional(),
  /** Plans that the sender has, each with its newest file: only later files are signed. */
  known: z
    .array(z.strictObject({ tableId: z.number().int(), version: z.string(), fileId: z.number().int() }))
    .max(FORESEEN.namesMax)
    .optional(),
});
export type DescribeRequest = z.infer<typeof DescribeRequest>;
export const DescribeAnswer = LakeDescription.extend({ plans: z.array(TablePlan), urls: Urls });

/**
 * POST /internal/lakes/{lakeId}/plan, as of a snapshot. `signs`: with URLs of all the files, unless they are many.
 * `columnIds` are columns without children, of one table that is seen whole, whose size in each file is asked for.
 */
export const LakePlanRequest = PlanRequest.safeExtend({
  ...AS_OF,
  signs: z.boolean().optional(),
  columnIds: z.array(z.number().int()).min(1).max(PLANNED.columnsMax).optional(),
}).refine(({ tableIds, columnIds }) => !columnIds || tableIds.length === 1, {
  path: ["columnIds"],
  message: "Columns are of one table.",
});
export const LakePlanAnswer = PlanAnswer.extend({ urls: Urls });

/**
 * POST /internal/lakes/{lakeId}/snapshots: which snapshot was the newest at an instant (RFC 3339), none before the
 * first that is kept; or a snapshot by its number, none where it is not kept any more.
 */
export const SnapshotRequest = z.union([
  z.strictObject({ at: z.iso.datetime() }),
  z.strictObject({ snapshotId: z.number().int().nonnegative() }),
]);
export type SnapshotRequest = z.infer<typeof SnapshotRequest>;
export const SnapshotAnswer = z.object({ snapshotId: z.number().int().nullable() });

/** POST /internal/lakes/{lakeId}/sign: GET URLs for planned files about to be fetched. */
export const SignRequest = z.strictObject({ fileIds: z.array(z.number().int()).min(1).max(500) });
export const LakeSignRequest = SignRequest.extend(AS_OF);
export const SignAnswer = z.object({ urls: Urls });

/**
 * The lake's root: a file's path below it makes the file's whole address. Other engines know files by that address,
 * character by character.
 */
export const LakeRoot = z.string().regex(/^s3:\/\/.+\/$/);
