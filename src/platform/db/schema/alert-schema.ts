// The D1 tables of alerts. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dated, ofTeam } from "./shared-columns.ts";

export const SUBJECT_TYPES = ["sync", "job"] as const;
export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
/** `warned`: a run succeeded, and tests of the tables that it built failed whose severity is `warn`. */
export const EPISODE_CAUSES = ["failed", "stale", "warned"] as const;
export const ALERT_TYPES = [
  "sync.failed",
  "sync.stale",
  "sync.recovered",
  "job.failed",
  "job.warned",
  "job.stale",
  "job.recovered",
  "alert.test",
] as const;

export const alertWebhooks = sqliteTable("alert_webhooks", {
  teamId: text("team_id").primaryKey(),
  id: text("id").notNull(),
  url: text("url").notNull(),
  sealedSecrets: text("sealed_secrets").notNull(),
  vaultKeyId: text("vault_key_id").notNull(),
  previousSecretUntil: text("previous_secret_until"),
  watchedSince: text("watched_since").notNull(),
  disabledAt: text("disabled_at"),
  disabledReason: text("disabled_reason"),
  sweptAt: text("swept_at").notNull(),
  revision: integer("revision").notNull(),
  ...dated,
});

export const alertEpisodes = sqliteTable("alert_episodes", {
  ...ofTeam,
  subjectType: text("subject_type", { enum: SUBJECT_TYPES }).notNull(),
  subjectId: text("subject_id").notNull(),
  cause: text("cause", { enum: EPISODE_CAUSES }).notNull(),
  since: text("since").notNull(),
  openedAt: text("opened_at").notNull(),
  closedAt: text("closed_at"),
  outcome: text("outcome", { enum: ["recovered", "dropped"] }),
  until: text("until"),
});

export const alertDeliveries = sqliteTable("alert_deliveries", {
  ...ofTeam,
  episodeId: text("episode_id"),
  type: text("type", { enum: ALERT_TYPES }).notNull(),
  payload: text("payload").notNull(),
  state: text("state", { enum: DELIVERY_STATES }).notNull(),
  attempts: integer("attempts").notNull(),
  dueAt: text("due_at").notNull(),
  status: integer("status"),
  error: text("error"),
  revision: integer("revision").notNull(),
  createdAt: text("created_at").notNull(),
  attemptedAt: text("attempted_at"),
  endedAt: text("ended_at"),
  subjectId: text("subject_id"),
});
