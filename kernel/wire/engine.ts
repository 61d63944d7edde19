// The engine's written contract: what the Worker may ask of it, what it answers, and what it asks of the platform.
// Both sides parse what the other sends. A change that an older peer would misread raises PROTOCOL
// (`constants/program.ts`).

import { z } from "zod";
import { StatementAccess } from "../access/access.ts";
import { CONNECTION_REASONS, ENGINE_FAILURES, type EngineFailureCode } from "./failures.ts";
import { ClusterTarget } from "./statements/cluster.ts";
import { BoundParameter } from "./parameters.ts";
import { FORMATS, STATEMENT_CLASSES } from "./engine-program.ts";
import { EARLIER_PHASES } from "./phases.ts";
import { SemanticStatement } from "../semantic/query.ts";
import { Source } from "./source.ts";

// ── Statements ─────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Permission to read one lake, as of one snapshot and those before it. The token plans and signs for the statement's
 * lifetime. Whether its statement may write as well the platform knows, which is asked by who writes.
 */
export const LakeGrant = z.strictObject({
  teamId: z.string(),
  lakeId: z.string(),
  snapshotId: z.number().int().nonnegative(),
  token: z.string(),
  /**
   * Grants of one reader read the same tables of a snapshot, so the engine need not ask again. Absent: the token is a
   * reader of its own.
   */
  reader: z.string().optional(),
  /** The platform will refuse a statement that writes; the engine can say so at once. */
  isReadOnly: z.boolean().optional(),
});
export type LakeGrant = z.infer<typeof LakeGrant>;

/** How a result is to be written, and how much of it. */
export const ResultOptions = z.strictObject({
  format: z.enum(FORMATS),
  /** `string` writes int64, wider integers and decimals as JSON strings. */
  numbers: z.enum(["exact", "string"]),
  /** Bounds of a JSON answer; past either it is cut and says `truncated`. Other formats are not capped. */
  rowsMax: z.number().int().positive(),
  bytesMax: z.number().int().positive(),
  /** A semantic answer in JSON fails, rather than being cut. */
  isWhole: z.boolean().optional(),
  /** Rows of a semantic answer have their time as `time.<granularity>` as well: several answers are blended by it. */
  isBlended: z.boolean().optional(),
  /** Rows of NDJSON are lists of their values without the columns' names, each with a comma behind it. */
  isLists: z.boolean().optional(),
});
export type ResultOptions = z.infer<typeof ResultOptions>;

/**
 * POST /statements. The answer is the result itself in `format`, streamed.
 *
 * Until the first bytes are ready a failure is a plain {@link EngineFailure}. After that: a JSON document ends with
 * `"success":false` and an `error`; every other format breaks the connection off, so that a cut can't pass for an end.
 */
export const StatementRequest = z
  .strictObject({
    /** The request id; unique among the statements running in this engine. */
    id: z.string(),
    /** The sender: a cancellation in another sender's name does not find the statement. */
    sender: z.string().optional(),
    /** The SQL text that the sender wrote. Exactly one of `sql` and `semantic`, which the engine compiles to SQL. */
    sql: z.string().optional(),
    /** `sql` was made of another text: a place in it is none that the sender knows. */
    isTranslated: z.literal(true).optional(),
    semantic: SemanticStatement.optional(),
    /** Values for the `$names` in `sql`; where it is absent, `sql` may have none. */
    parameters: z.record(z.string(), BoundParameter).optional(),
    target: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("source"), source: Source, access: StatementAccess }),
      z.strictObject({ kind: z.literal("lake"), lake: LakeGrant }),
      ClusterTarget,
    ]),
    ...ResultOptions.shape,
    /** True for a statement on the lake whose kept result is of no use any more: the statement runs. */
    invalidate: z.boolean().optional(),
    /** False for a statement on the lake whose result is not to be kept. */
    persist: z.boolean().optional(),
    /**
     * The caller of SQL on the lake has results with these entity tags. Where the result has one of them, the answer is
     * 304 without a body. An answer of a result that the tables' versions decide has its tag as `etag`.
     */
    ifNoneMatch: z.array(z.string()).optional(),
    /** Milliseconds of the phases before this request, for the answer's account of the time. */
    earlier: z.partialRecord(z.enum(EARLIER_PHASES), z.number()).optional(),
    /** Milliseconds from the request's receipt to the answer's last byte. */
    deadlineMs: z.number().int().positive(),
    /** Without a renewal for this long the statement is cancelled. */
    leaseMs: z.number().int().positive(),
  })
  .refine(({ sql, semantic }) => (sql === undefined) !== (semantic === undefined), "sql or semantic: exactly one")
  .refine(
    ({ target, sql, parameters, ifNoneMatch }) =>
      target.kind !== "cluster" || (sql !== undefined && parameters === undefined && ifNoneMatch === undefined),
    "a statement for a cluster is SQL alone",
  )
  .refine(
    ({ target, format, isLists }) =>
      target.kind !== "cluster" || target.form === "cells" || (format === "ndjson" && isLists),
    "Trino's own values are written as lists, in NDJSON",
  );
export type StatementRequest = z.infer<typeof StatementRequest>;

// POST /statements/{id}/lease → 204, or 404 when it no longer runs. DELETE /statements/{id} → 204 or 404; with
// `?sender=`, only a statement of that sender's.

/** POST /estimates: what a statement on the lake will read, which is neither run nor fetched for. */
export const EstimateRequest = z.strictObject({
  id: z.string(),
  sender: z.string(),
  sql: z.string(),
  parameters: z.record(z.string(), BoundParameter).optional(),
  lake: LakeGrant,
  deadlineMs: z.number().int().positive(),
});
export type EstimateRequest = z.infer<typeof EstimateRequest>;

/** Files and their bytes: those that are read at most, and all of the table. */
const ReadFigures = z.object({
  files: z.number().int(),
  filesTotal: z.number().int(),
  bytes: z.number().int(),
  bytesTotal: z.number().int(),
});
export type ReadFigures = z.infer<typeof ReadFigures>;

/** `figures` are null of a table that the sender does not see as it is. `at`: as the statement names a snapshot. */
export const ReadEstimate = z.object({
  tables: z.array(
    z.object({ schema: z.string(), name: z.string(), at: z.string().nullable(), figures: ReadFigures.nullable() }),
  ),
  /** Whether files of the drive are read besides. */
  readsDrive: z.boolean(),
  /** Whether the statement writes: then nothing is known of what it reads, and `tables` is empty. */
  writes: z.boolean(),
});
export type ReadEstimate = z.infer<typeof ReadEstimate>;

// ── Jobs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// POST /jobs, GET /jobs/{id}: see work.ts. DELETE /jobs/{id} → 204, or 404 when it no longer runs.

// ── Catalog ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** POST /profiles: the figures of one column, from a live read. Runs, and is cancelled, like a statement. */
export const ProfileRequest = z.strictObject({
  id: z.string(),
  lake: LakeGrant,
  schema: z.string(),
  table: z.string(),
  column: z.string(),
  /** The column's DuckLake type; decides which figures there are. */
  type: z.string(),
  deadlineMs: z.number().int().positive(),
});
export type ProfileRequest = z.infer<typeof ProfileRequest>;

/**
 * Values are text in DuckDB's form. A figure that is null was not asked for, does not apply, or is in
 * `lacking`.
 */
export const ColumnProfile = z.object({
  rows: z.number().int(),
  /** Rows where the column is not NULL. */
  values: z.number().int(),
  /** NaN and infinities; they are in no quantile and no bucket. Null for types that have none. */
  notFinite: z.number().int().nullable(),
  min: z.string().nullable(),
  max: z.string().nullable(),
  distinct: z.object({ count: z.number().int(), exact: z.boolean() }).nullable(),
  top: z
    .object({ values: z.array(z.object({ value: z.string(), count: z.number().int() })), exact: z.boolean() })
    .nullable(),
  /** Estimates, by rank in [0, 1]. */
  quantiles: z.array(z.object({ at: z.number(), value: z.string() })).nullable(),
  /** Buckets of equal width that do not overlap: each holds what is above the one before and up to `to`. */
  histogram: z
    .object({
      buckets: z.array(z.object({ from: z.string(), to: z.string(), count: z.number().int() })),
      exact: z.boolean(),
    })
    .nullable(),
  /** Figures that could not be had, each with the reason in words. */
  lacking: z.array(z.object({ figure: z.string(), reason: z.string() })),
});
export type ColumnProfile = z.infer<typeof ColumnProfile>;

/** The versions of DuckLake's format in which a catalog can be exported. */
export const DUCKLAKE_FORMATS = ["1.0", "0.3"] as const;

/**
 * POST /exports: a lake's catalog as an SQLite file, answered whole as {@link SQLITE_TYPE} with its length. The lake's
 * token is one for exports.
 */
export const ExportRequest = z.strictObject({
  id: z.string(),
  lake: LakeGrant,
  format: z.enum(DUCKLAKE_FORMATS),
  /** The root of the lake's files for the reader of the exported file; ends in a slash. */
  dataPath: z.string().min(1),
  deadlineMs: z.number().int().positive(),
});
export type ExportRequest = z.infer<typeof ExportRequest>;

export const SQLITE_TYPE = "application/vnd.sqlite3";

// ── State ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What an engine has taken on, by which statements are placed among a team's engines. */
export const EngineLoad = z.object({
  /** The most statements that the engine takes at once. */
  statementsMax: z.number().int().positive(),
  /** The statements that run or wait. */
  statementIds: z.array(z.string()),
  /** How many statements of each class run at once. */
  slots: z.record(z.enum(STATEMENT_CLASSES), z.number().int().positive()),
  /** What holds a slot of its class, or waits for one; null for work that is no sender's own statement. */
  admitted: z.array(z.object({ id: z.string().nullable(), statementClass: z.enum(STATEMENT_CLASSES) })),
});
export type EngineLoad = z.infer<typeof EngineLoad>;

/** GET /status */
export const EngineStatus = z.object({
  protocol: z.number().int(),
  statements: z.number().int(),
  /** How many requests run that are no statements and no jobs, such as the test of a connection. */
  requests: z.number().int().default(0),
  jobs: z.number().int(),
  /** Absent: an engine of a release before this one. */
  load: EngineLoad.optional(),
});
export type EngineStatus = z.infer<typeof EngineStatus>;

// ── Failures ───────────────────────────────────────────────────────────────────────────────────────────────────────

export const EngineFailure = z.object({
  code: z.enum(Object.keys(ENGINE_FAILURES) as [EngineFailureCode, ...EngineFailureCode[]]),
  /** Written for the end user; never holds a password, a token, or a path of this machine. */
  message: z.string(),
  position: z.number().int().positive().optional(),
  reason: z.enum(CONNECTION_REASONS).optional(),
  retryAfterSeconds: z.number().int().positive().optional(),
  /** The statement only reads, so that it wrote nothing. Absent where it may have written. */
  isRead: z.literal(true).optional(),
});
export type EngineFailure = z.infer<typeof EngineFailure>;
