// The D1 table of the audit log. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const auditEvents = sqliteTable("audit_events", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  actorId: text("actor_id").notNull(),
  action: text("action").notNull(),
  subjectId: text("subject_id").notNull(),
  at: text("at").notNull(),
  runId: text("run_id"),
  kind: text("kind").notNull(),
  before: text("before"),
  after: text("after"),
  keyId: text("key_id"),
  requestId: text("request_id"),
  isByOperator: integer("is_by_operator", { mode: "boolean" }).notNull(),
  isUnannounced: integer("is_unannounced", { mode: "boolean" }).notNull(),
});
