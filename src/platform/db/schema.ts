// The D1 tables. Columns are snake_case in SQL and camelCase here; `migrations/` holds the SQL, a test holds the two together.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { SCHEDULES } from "../../core/schedule.ts";
import { ROLES } from "../../core/scope.ts";

export const PLANS = ["free", "trial", "standard", "enterprise"] as const;

export const teams = sqliteTable("teams", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  domain: text("domain"),
  plan: text("plan", { enum: PLANS }).notNull(),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  role: text("role", { enum: ROLES }).notNull(),
  isOperator: integer("is_operator", { mode: "boolean" }).notNull(),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const apiKeys = sqliteTable("api_keys", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  userId: text("user_id").notNull(),
  name: text("name").notNull(),
  suffixHash: text("suffix_hash").notNull(),
  hint: text("hint").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at"),
  revokedAt: text("revoked_at"),
});

export const integrations = sqliteTable("integrations", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  type: text("type").notNull(),
  name: text("name").notNull(),
  isDefault: integer("is_default", { mode: "boolean" }).notNull(),
  details: text("details", { mode: "json" }).$type<Record<string, string>>().notNull(),
  sealedCredentials: text("sealed_credentials"),
  vaultKeyId: text("vault_key_id"),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const auditEvents = sqliteTable("audit_events", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  actorId: text("actor_id").notNull(),
  action: text("action").notNull(),
  subjectId: text("subject_id").notNull(),
  at: text("at").notNull(),
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
});

/** What a sync was asked to do; `cursors` by source table. */
export type SyncConfigColumn = { tables: string[]; loadMethod: "merge" | "append" | "overwrite"; cursors: Record<string, string>; appendFullRows: boolean };

export const syncs = sqliteTable("syncs", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  sourceId: text("source_id").notNull(),
  lakeId: text("lake_id").notNull(),
  destSchema: text("dest_schema").notNull(),
  schedule: text("schedule", { enum: SCHEDULES }).notNull(),
  config: text("config", { mode: "json" }).$type<SyncConfigColumn>().notNull(),
  status: text("status", { enum: ["active", "paused", "planned", "removing"] }).notNull(),
  nextRunAt: text("next_run_at"),
  revision: integer("revision").notNull(),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const syncRuns = sqliteTable("sync_runs", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  syncId: text("sync_id").notNull(),
  sourceId: text("source_id").notNull(),
  lakeId: text("lake_id").notNull(),
  destSchema: text("dest_schema").notNull(),
  cause: text("cause", { enum: ["schedule", "manual", "configuration"] }).notNull(),
  scheduledFor: text("scheduled_for"),
  isFull: integer("is_full", { mode: "boolean" }).notNull(),
  onlyTables: text("only_tables", { mode: "json" }).$type<string[]>(),
  state: text("state", { enum: ["queued", "starting", "running", "succeeded", "failed", "cancelled"] }).notNull(),
  attempt: integer("attempt").notNull(),
  refusals: integer("refusals").notNull(),
  jobId: text("job_id"),
  fence: integer("fence"),
  dueAt: text("due_at").notNull(),
  claimedUntil: text("claimed_until"),
  cancelRequestedAt: text("cancel_requested_at"),
  cancelReason: text("cancel_reason"),
  deadlineAt: text("deadline_at").notNull(),
  error: text("error"),
  progress: text("progress"),
  rowsRead: integer("rows_read").notNull(),
  rowsWritten: integer("rows_written").notNull(),
  rowsDeleted: integer("rows_deleted").notNull(),
  bytesWritten: integer("bytes_written").notNull(),
  revision: integer("revision").notNull(),
  startedAt: text("started_at"),
  endedAt: text("ended_at"),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const driveTemporaryFiles = sqliteTable("drive_temporary_files", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
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
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  path: text("path").notNull(),
  objectKey: text("object_key").notNull(),
  storeUploadId: text("store_upload_id").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at").notNull(),
});
