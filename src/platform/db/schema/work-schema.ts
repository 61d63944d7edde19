// The D1 tables of automations, and of the attempts of all runs. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { dated, ofTeam } from "./shared-columns.ts";

export const MAINTENANCE_KINDS = ["full", "daily"] as const;
export const OVERLAPS = ["skip", "queue"] as const;
/** Why a run was cancelled. */
export const CANCEL_CODES = [
  "requested",
  "job_deleted",
  "sync_configured",
  "sync_deleted",
  "integration_deleted",
  "doc_archived",
  "owner_gone",
] as const;
export type CancelCode = (typeof CANCEL_CODES)[number];
export const PAUSED_REASONS = ["doc_archived", "owner_gone", "owner_lacks_right"] as const;
export const RUN_CAUSES = ["schedule", "manual", "replay"] as const;

/** What every table of runs has, beside what they are runs of: `features/work-model` goes by these. */
export const workColumns = {
  attempt: integer("attempt").notNull(),
  refusals: integer("refusals").notNull(),
  breaks: integer("breaks").notNull().default(0),
  absences: integer("absences").notNull().default(0),
  workId: text("job_id"),
  fence: integer("fence"),
  dueAt: text("due_at").notNull(),
  claimedUntil: text("claimed_until"),
  cancelRequestedAt: text("cancel_requested_at"),
  cancelReason: text("cancel_reason"),
  deadlineAt: text("deadline_at").notNull(),
  error: text("error"),
  progress: text("progress"),
  revision: integer("revision").notNull(),
  startedAt: text("started_at"),
  endedAt: text("ended_at"),
  ...dated,
  wokenAt: text("woken_at"),
  cancelCode: text("cancel_code", { enum: CANCEL_CODES }),
};

/** What an automation's job and its runs are about, and how far a run may go. */
const automationColumns = {
  resourceType: text("resource_type", { enum: RESOURCE_TYPES }).notNull(),
  resourceId: text("resource_id").notNull(),
  kind: text("kind", { enum: MAINTENANCE_KINDS }),
  datasetKeys: text("dataset_keys", { mode: "json" }).$type<string[]>(),
  ownerId: text("owner_id").notNull(),
  attemptsMax: integer("attempts_max").notNull(),
  backoffSeconds: integer("backoff_seconds").notNull(),
  timeoutSeconds: integer("timeout_seconds").notNull(),
};

/** What a job hands its runs as a webhook's data and variables are. `data` absent: none, which code reads as null. */
export type JobPayload = { data?: unknown; environmentVariables?: Record<string, string> };

export const automationJobs = sqliteTable("automation_jobs", {
  ...ofTeam,
  name: text("name").notNull(),
  nameFolded: text("name_folded").notNull(),
  isEnabled: integer("is_enabled", { mode: "boolean" }).notNull(),
  ...automationColumns,
  cron: text("cron"),
  timezone: text("timezone"),
  overlap: text("overlap", { enum: OVERLAPS }).notNull(),
  nextRunAt: text("next_run_at"),
  revision: integer("revision").notNull(),
  ...dated,
  pausedReason: text("paused_reason", { enum: PAUSED_REASONS }),
  docEntry: text("doc_entry"),
  payload: text("payload", { mode: "json" }).$type<JobPayload>(),
});

/** Whether what was done to a job by itself stands before its doc's entry. */
export const DOC_AUTOMATION_STATES = ["applied", "changed", "deleted"] as const;
export const docAutomations = sqliteTable("doc_automations", {
  ...ofTeam,
  docId: text("doc_id").notNull(),
  entry: text("entry").notNull(),
  digest: text("digest").notNull(),
  jobId: text("job_id").notNull(),
  state: text("state", { enum: DOC_AUTOMATION_STATES }).notNull(),
  deliveryState: text("delivery_state", { enum: ["changed"] }),
});

export const automationRuns = sqliteTable("automation_runs", {
  ...ofTeam,
  automationId: text("automation_id"),
  ...automationColumns,
  cause: text("cause", { enum: RUN_CAUSES }).notNull(),
  scheduledFor: text("scheduled_for"),
  replayOf: text("replay_of"),
  state: text("state", {
    enum: ["queued", "starting", "running", "succeeded", "failed", "cancelled", "timed_out", "skipped"],
  }).notNull(),
  ...workColumns,
});

/** `workId` is the engine's job, or the doc's run. */
export const attempts = sqliteTable("attempts", {
  runId: text("run_id").notNull(),
  attempt: integer("attempt").notNull(),
  teamId: text("team_id").notNull(),
  state: text("state", { enum: ["running", "succeeded", "failed", "cancelled", "timed_out"] }).notNull(),
  workId: text("job_id"),
  error: text("error"),
  startedAt: text("started_at").notNull(),
  endedAt: text("ended_at"),
});
