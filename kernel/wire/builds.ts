// The tables that one run of a doc builds: each dataset is staged as files that nothing names yet, and one commit
// publishes all of them. Shapes between the platform and an engine.

import { z } from "zod";
import { NewDataFile, StateChange } from "../lake/commit.ts";
import { LakeColumn } from "../lake/lake.ts";
import { LakeGrant } from "./engine.ts";
import { BoundParameter } from "./parameters.ts";

/** `replace`: the rows are the table. `append`: they come beside its rows. `merge`: they replace rows of equal keys. */
export const BUILD_MODES = ["replace", "append", "merge"] as const;
export type BuildMode = (typeof BUILD_MODES)[number];

/** The table that a dataset builds. `key`: the columns that tell a row from others; empty unless rows are merged. */
export const TableTarget = z.strictObject({
  schema: z.string(),
  name: z.string(),
  mode: z.enum(BUILD_MODES),
  key: z.array(z.string()).max(100),
});
export type TableTarget = z.infer<typeof TableTarget>;

/** The values that a watermark may be. */
export const WATERMARK_TYPES = ["text", "integer", "decimal", "date", "timestamp", "timestamptz"] as const;
export type WatermarkType = (typeof WATERMARK_TYPES)[number];

/** How far a table has read its source by a column: the greatest value of it that was ever committed. */
export const Watermark = z.strictObject({ type: z.enum(WATERMARK_TYPES), value: z.string() });
export type Watermark = z.infer<typeof Watermark>;

/** A dataset's rows as files in the lake's bucket, and the table that they were made for. */
export const StagedTable = z.strictObject({
  dataset: z.string(),
  target: TableTarget,
  /** The table that was there; null where there was none. */
  tableId: z.number().int().nullable(),
  /** Whether the files are for a table that their commit makes. Absent where an engine of before staged them. */
  isNew: z.boolean().optional(),
  /** The columns of the table once it is published, with the field ids that the files have. */
  columns: z.array(LakeColumn),
  /** Field ids of the columns that the table lacks so far. */
  addedIds: z.array(z.number().int()),
  /** Columns of the table that take a wider type. */
  widened: z.array(z.strictObject({ id: z.number().int(), type: z.string() })),
  files: z.array(NewDataFile),
  rows: z.number().int().nonnegative(),
  /** How far the source is read with these rows; null where that is not followed, or nothing was ever read. */
  watermark: Watermark.nullable(),
});
export type StagedTable = z.infer<typeof StagedTable>;

/** Staged files with the URLs to read them by, in their order. */
export const ReadableStage = z.strictObject({ staged: StagedTable, urls: z.array(z.string()) });
export type ReadableStage = z.infer<typeof ReadableStage>;

const order = { id: z.string(), sender: z.string(), lake: LakeGrant, deadlineMs: z.number().int().positive() };

/**
 * POST /builds/stage: runs a dataset's SQL, or reads its frame, a Parquet file, and uploads the rows. `earlier`: what
 * the run has staged of the datasets that this one needs, and is read in the place of the tables in the lake.
 */
export const StageRequest = z.strictObject({
  ...order,
  dataset: z.string(),
  rows: z.union([
    z.strictObject({ sql: z.string(), parameters: z.record(z.string(), BoundParameter).optional() }),
    z.strictObject({ frame: z.strictObject({ url: z.string(), bytes: z.number().int().positive() }) }),
  ]),
  target: TableTarget,
  /** `since`: what was read before, which the SQL has as `$since`; null at the first run. */
  watermark: z.strictObject({ column: z.string(), since: Watermark.nullable() }).nullable(),
  earlier: z.array(ReadableStage).max(200),
});
export type StageRequest = z.infer<typeof StageRequest>;

/** A column of a table of the lake that values come from. */
export const SourceColumn = z.object({ schema: z.string(), name: z.string(), column: z.string() });
export type SourceColumn = z.infer<typeof SourceColumn>;

/** A built column, and where its values come from; `sources` is null where that is unknown. */
export const ColumnLineage = z.object({ column: z.string(), sources: z.array(SourceColumn).nullable() });
export type ColumnLineage = z.infer<typeof ColumnLineage>;

/** A table that rows were read from. `version`: the lake's, as it was read; null where the run itself has staged it. */
export const TableRead = z.object({ schema: z.string(), name: z.string(), version: z.string().nullable() });
export type TableRead = z.infer<typeof TableRead>;

export const StageAnswer = z.object({
  staged: StagedTable,
  reads: z.array(TableRead),
  /** The lineage of each column that the SQL answers. A frame has none, nor does an engine of before answer any. */
  lineage: z.array(ColumnLineage).optional(),
});
export type StageAnswer = z.infer<typeof StageAnswer>;

export const TEST_SEVERITIES = ["error", "warn"] as const;
export type TestSeverity = (typeof TEST_SEVERITIES)[number];

const scalar = z.union([z.string().max(4_096), z.number(), z.boolean()]);

/** A condition that the rows of a table must satisfy. The rows that a test answers are those that fail it. */
export const TableTest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("not_null"), columns: z.array(z.string()).min(1).max(100) }),
  z.strictObject({ kind: z.literal("unique"), columns: z.array(z.string()).min(1).max(100) }),
  z.strictObject({ kind: z.literal("accepted_values"), column: z.string(), values: z.array(scalar).min(1).max(1_000) }),
  z.strictObject({
    kind: z.literal("relationships"),
    column: z.string(),
    to: z.strictObject({ schema: z.string(), name: z.string(), column: z.string() }),
  }),
  z.strictObject({
    kind: z.literal("row_count"),
    min: z.number().int().nonnegative().nullable(),
    max: z.number().int().nonnegative().nullable(),
  }),
  z.strictObject({ kind: z.literal("sql"), sql: z.string() }),
]);
export type TableTest = z.infer<typeof TableTest>;
export type TestKind = TableTest["kind"];

export const TestOrder = z.strictObject({
  dataset: z.string(),
  /** Where the test stands among those of its dataset. */
  index: z.number().int().nonnegative(),
  severity: z.enum(TEST_SEVERITIES),
  test: TableTest,
});
export type TestOrder = z.infer<typeof TestOrder>;

/** Tests of all datasets of a run. */
export const RUN_TESTS_MAX = 1_000;

/** `broken`: the test itself could not be run. */
export const TEST_STATES = ["passed", "failed", "broken"] as const;

/** Bounds of the sample of rows that fail a test. Past the characters of all samples of a run, a test has none. */
export const SAMPLE = { rowsMax: 20, columnsMax: 50, charactersMax: 256, charactersOfRunMax: 4_000_000 } as const;

export const TestResult = z.object({
  dataset: z.string(),
  index: z.number().int(),
  severity: z.enum(TEST_SEVERITIES),
  state: z.enum(TEST_STATES),
  /** How many rows fail it, or groups of rows; of `row_count`, how many there are. Null where it is broken. */
  rows: z.number().int().nullable(),
  /** Some of the rows that fail it, cells as text. */
  sample: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string().nullable())) }).nullable(),
  /** Why it could not be run. */
  error: z.string().nullable(),
});
export type TestResult = z.infer<typeof TestResult>;

export const TestResults = z.array(TestResult).max(RUN_TESTS_MAX);
/** Bytes of the JSON of {@link TestResults}: the samples' characters, as UTF-8 and escaped, and what stands around. */
export const TEST_RESULTS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * POST /builds/publish: runs the tests over the tables as they would be, and commits all of them at once where no test
 * of the severity `error` fails. `expects` and `state`: the lake's notes as they must be, and as they are after.
 * `testsUrl`: where {@link TestResults} are put before the commit, so that they outlive the engine.
 */
export const PublishRequest = z.strictObject({
  ...order,
  stages: z.array(ReadableStage).min(1).max(200),
  tests: z.array(TestOrder).max(RUN_TESTS_MAX),
  expects: z.array(StateChange).max(400),
  state: z.array(StateChange).max(401),
  testsUrl: z.string(),
  message: z.string().max(1_000),
});
export type PublishRequest = z.infer<typeof PublishRequest>;

export const PublishAnswer = z.object({
  /** The snapshot that has the tables; null where a test kept them from it. */
  snapshotId: z.number().int().nullable(),
  tests: TestResults,
});
export type PublishAnswer = z.infer<typeof PublishAnswer>;
