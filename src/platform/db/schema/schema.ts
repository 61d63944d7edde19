// The D1 tables. Columns are snake_case in SQL and camelCase here; `migrations/` holds the SQL, a test holds the two
// together.

import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SyncWarning } from "../../../../kernel/jobs/progress.ts";
import { DATASET_ERROR_CODES } from "../../../../kernel/wire/sandbox.ts";
import { SCHEDULES } from "../../../core/schedule/schedule.ts";
import { ROLES, type Right } from "../../../core/scope.ts";
import { CANCEL_CODES, workColumns } from "./work-schema.ts";
import type { LakeFigures } from "../../../../kernel/lake/figures.ts";
import { dated, ofTeam } from "./shared-columns.ts";

export const PLANS = ["free", "trial", "standard", "enterprise"] as const;

export const teams = sqliteTable("teams", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  domain: text("domain"),
  plan: text("plan", { enum: PLANS }).notNull(),
  ...dated,
  nameFolded: text("name_folded").notNull(),
  deletedAt: text("deleted_at"),
});

export const users = sqliteTable("users", {
  ...ofTeam,
  name: text("name").notNull(),
  email: text("email").notNull(),
  role: text("role", { enum: ROLES }).notNull(),
  isOperator: integer("is_operator", { mode: "boolean" }).notNull(),
  ...dated,
});

export const apiKeys = sqliteTable("api_keys", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  name: text("name").notNull(),
  suffixHash: text("suffix_hash").notNull(),
  hint: text("hint").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at"),
  revokedAt: text("revoked_at"),
  scopes: text("scopes", { mode: "json" }).$type<Right[]>(),
  successorId: text("successor_id"),
});

/** A key by which the cluster of an integration of type trino reads its lake; an integration has one at most. */
export const lakeKeys = sqliteTable("lake_keys", {
  integrationId: text("integration_id").primaryKey(),
  id: text("id").notNull(),
  teamId: text("team_id").notNull(),
  lakeId: text("lake_id").notNull(),
  userId: text("user_id").notNull(),
  keyHash: text("key_hash").notNull(),
  hint: text("hint").notNull(),
  createdAt: text("created_at").notNull(),
});

export const integrations = sqliteTable("integrations", {
  ...ofTeam,
  type: text("type").notNull(),
  name: text("name").notNull(),
  isDefault: integer("is_default", { mode: "boolean" }).notNull(),
  details: text("details", { mode: "json" }).$type<Record<string, string>>().notNull(),
  sealedCredentials: text("sealed_credentials"),
  vaultKeyId: text("vault_key_id"),
  ...dated,
});

export const lakeRemovals = sqliteTable("lake_removals", {
  lakeId: text("lake_id").primaryKey(),
  teamId: text("team_id").notNull(),
  createdAt: text("created_at").notNull(),
  nextTryAt: text("next_try_at").notNull(),
});

export const lakeCollections = sqliteTable("lake_collections", {
  lakeId: text("lake_id").primaryKey(),
  teamId: text("team_id").notNull(),
  dueAt: text("due_at").notNull(),
  afterKey: text("after_key"),
  tally: text("tally", { mode: "json" }).$type<ObjectTally>(),
});

/** How many objects of a lake are what, and their bytes; `features/lakes/objects` says what each means. */
export type ObjectTally = Record<
  "current" | "kept" | "scheduled" | "young" | "orphaned",
  { objects: number; bytes: number }
>;

export const lakeSummaries = sqliteTable("lake_summaries", {
  lakeId: text("lake_id").primaryKey(),
  teamId: text("team_id").notNull(),
  figures: text("figures", { mode: "json" }).$type<LakeFigures>(),
  measuredAt: text("measured_at"),
  objects: text("objects", { mode: "json" }).$type<ObjectTally>(),
  objectsMeasuredAt: text("objects_measured_at"),
});

/** What a sync was asked to do; `cursors` by source table. */
export type SyncConfigColumn = {
  tables: string[];
  loadMethod: "merge" | "append" | "overwrite";
  cursors: Record<string, string>;
  appendFullRows: boolean;
};

export const syncs = sqliteTable("syncs", {
  ...ofTeam,
  sourceId: text("source_id").notNull(),
  lakeId: text("lake_id").notNull(),
  destSchema: text("dest_schema").notNull(),
  schedule: text("schedule", { enum: SCHEDULES }).notNull(),
  config: text("config", { mode: "json" }).$type<SyncConfigColumn>().notNull(),
  status: text("status", { enum: ["active", "paused", "planned", "removing"] }).notNull(),
  nextRunAt: text("next_run_at"),
  revision: integer("revision").notNull(),
  ...dated,
  cron: text("cron"),
  timezone: text("timezone"),
});

export const syncRuns = sqliteTable("sync_runs", {
  ...ofTeam,
  syncId: text("sync_id").notNull(),
  sourceId: text("source_id").notNull(),
  lakeId: text("lake_id").notNull(),
  destSchema: text("dest_schema").notNull(),
  cause: text("cause", { enum: ["schedule", "manual", "configuration"] }).notNull(),
  scheduledFor: text("scheduled_for"),
  isFull: integer("is_full", { mode: "boolean" }).notNull(),
  onlyTables: text("only_tables", { mode: "json" }).$type<string[]>(),
  state: text("state", { enum: ["queued", "starting", "running", "succeeded", "failed", "cancelled"] }).notNull(),
  rowsRead: integer("rows_read").notNull(),
  rowsWritten: integer("rows_written").notNull(),
  rowsDeleted: integer("rows_deleted").notNull(),
  bytesWritten: integer("bytes_written").notNull(),
  summary: text("summary", { mode: "json" }).$type<RunSummary>(),
  ...workColumns,
});

/**
 * How many of a run's tables there were, were done, failed, and were left as they were; what is to be known of the run.
 */
export type RunSummary = {
  tables: number;
  done: number;
  failed: number;
  skipped: number;
  rowsEstimated: number | null;
  warnings: string[];
  /** Absent of runs that ended before there were codes. */
  warningCodes?: SyncWarning[];
};

export const driveTemporaryFiles = sqliteTable("drive_temporary_files", {
  ...ofTeam,
  path: text("path").notNull(),
  expiresAt: text("expires_at").notNull(),
});

export const driveLongPaths = sqliteTable("drive_long_paths", {
  objectKey: text("object_key").primaryKey(),
  teamId: text("team_id").notNull(),
  path: text("path").notNull(),
  checkAt: text("check_at"),
});

export const driveUploads = sqliteTable("drive_uploads", {
  ...ofTeam,
  path: text("path").notNull(),
  objectKey: text("object_key").notNull(),
  storeUploadId: text("store_upload_id").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at").notNull(),
});

export const DOC_KINDS = ["pipeline", "dashboard"] as const;
export const DOC_MEDIA_TYPES = ["application/json", "application/yaml"] as const;

export const docs = sqliteTable("docs", {
  ...ofTeam,
  name: text("name").notNull(),
  description: text("description"),
  kind: text("kind", { enum: DOC_KINDS }).notNull(),
  version: integer("version").notNull(),
  sealedWebhookSecret: text("sealed_webhook_secret"),
  vaultKeyId: text("vault_key_id"),
  createdBy: text("created_by").notNull(),
  ...dated,
  archivedAt: text("archived_at"),
});

export const docVersions = sqliteTable("doc_versions", {
  ...ofTeam,
  docId: text("doc_id").notNull(),
  version: integer("version").notNull(),
  text: text("text").notNull(),
  mediaType: text("media_type", { enum: DOC_MEDIA_TYPES }).notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
  columns: text("columns", { mode: "json" }).$type<Record<string, string[]>>(),
});

/** A test of a table of the lake that failed, or could not be run. */
export type FailedTest = { schema: string; table: string; name: string; severity: "error" | "warn" };

export const docRuns = sqliteTable("doc_runs", {
  ...ofTeam,
  docId: text("doc_id").notNull(),
  docName: text("doc_name").notNull(),
  docVersion: integer("doc_version").notNull(),
  cause: text("cause", { enum: ["webhook", "manual", "schedule"] }).notNull(),
  userId: text("user_id").notNull(),
  keyHash: text("key_hash").notNull(),
  state: text("state", { enum: ["starting", "running", "succeeded", "failed", "cancelled", "timed_out"] }).notNull(),
  error: text("error"),
  leaseUntil: text("lease_until").notNull(),
  deadlineAt: text("deadline_at").notNull(),
  cancelRequestedAt: text("cancel_requested_at"),
  createdAt: text("created_at").notNull(),
  startedAt: text("started_at"),
  endedAt: text("ended_at"),
  cancelCode: text("cancel_code", { enum: CANCEL_CODES }),
  accessDigest: text("access_digest"),
  buildId: text("build_id"),
  lakeId: text("lake_id"),
  rerunOf: text("rerun_of"),
  failedTests: text("failed_tests", { mode: "json" }).$type<FailedTest[]>(),
  hadData: integer("had_data", { mode: "boolean" }).notNull().default(false),
});

export const executions = sqliteTable("executions", {
  ...ofTeam,
  runId: text("run_id").notNull(),
  datasetKey: text("dataset_key").notNull(),
  engine: text("engine", { enum: ["sql", "cube", "python"] }).notNull(),
  position: integer("position").notNull(),
  isSelected: integer("is_selected", { mode: "boolean" }).notNull(),
  state: text("state", { enum: ["queued", "running", "succeeded", "failed", "skipped"] }).notNull(),
  error: text("error"),
  traceback: text("traceback"),
  result: text("result"),
  startedAt: text("started_at"),
  durationMs: real("duration_ms"),
  peakBytes: integer("peak_bytes"),
  updatedAt: text("updated_at").notNull(),
  errorCode: text("error_code", { enum: DATASET_ERROR_CODES }),
});

export const idempotencyKeys = sqliteTable("idempotency_keys", {
  ...ofTeam,
  docId: text("doc_id").notNull(),
  key: text("key").notNull(),
  runId: text("run_id").notNull(),
  createdAt: text("created_at").notNull(),
});

export const kvStores = sqliteTable("kv_stores", {
  ...ofTeam,
  name: text("name").notNull(),
  data: text("data").notNull(),
  versionId: text("version_id").notNull(),
  ...dated,
});

export const secrets = sqliteTable("secrets", {
  ...ofTeam,
  key: text("key").notNull(),
  sealedValue: text("sealed_value").notNull(),
  vaultKeyId: text("vault_key_id").notNull(),
  ...dated,
});

export const teamSettings = sqliteTable("team_settings", {
  teamId: text("team_id").primaryKey(),
  sandboxInternet: integer("sandbox_internet", { mode: "boolean" }).notNull(),
  updatedAt: text("updated_at").notNull(),
});
