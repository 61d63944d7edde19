// The D1 tables of messages that go out, and of whom mail goes to. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CHANNELS } from "../../../core/messages.ts";
import { ofTeam } from "./shared-columns.ts";

export const ATTEMPT_OUTCOMES = ["sent", "refused", "failed", "unknown"] as const;
export const MESSAGE_STATES = ["pending", "sent", "failed", "unknown"] as const;

export const outgoingMessages = sqliteTable("outgoing_messages", {
  ...ofTeam,
  channel: text("channel", { enum: CHANNELS }).notNull(),
  target: text("channel_target").notNull(),
  subject: text("subject").notNull(),
  deliveryId: text("delivery_id"),
  runId: text("run_id"),
  contentKey: text("content_key").notNull(),
  state: text("state", { enum: MESSAGE_STATES }).notNull(),
  attempts: integer("attempts").notNull(),
  isClaimed: integer("is_claimed", { mode: "boolean" }).notNull(),
  dueAt: text("due_at").notNull(),
  reference: text("reference"),
  error: text("error"),
  note: text("note"),
  revision: integer("revision").notNull(),
  createdAt: text("created_at").notNull(),
  attemptedAt: text("attempted_at"),
  endedAt: text("ended_at"),
  eventType: text("event_type"),
  payload: text("payload"),
  orderKey: text("order_key"),
  isHeld: integer("is_held", { mode: "boolean" }).notNull(),
  waitsSince: text("waits_since"),
});

export const messageAttempts = sqliteTable("message_attempts", {
  messageId: text("message_id").primaryKey(),
  revision: integer("revision").primaryKey(),
  teamId: text("team_id").notNull(),
  attempt: integer("attempt").notNull(),
  outcome: text("outcome", { enum: ATTEMPT_OUTCOMES }).notNull(),
  status: integer("status"),
  excerpt: text("excerpt"),
  error: text("error"),
  startedAt: text("started_at").notNull(),
  durationMs: integer("duration_ms"),
});

export const messageRequests = sqliteTable("message_requests", {
  messageId: text("message_id").primaryKey(),
  teamId: text("team_id").notNull(),
  callerId: text("caller_id").notNull(),
  key: text("idempotency_key").notNull(),
  bodyHash: text("body_hash").notNull(),
  answer: text("answer"),
});

export const mailAddresses = sqliteTable("mail_addresses", {
  ...ofTeam,
  address: text("address").notNull(),
  tokenHash: text("token_hash").notNull(),
  askedAt: text("asked_at").notNull(),
  expiresAt: text("expires_at").notNull(),
  confirmedAt: text("confirmed_at"),
});

export const mailAsks = sqliteTable("mail_asks", {
  address: text("address").primaryKey(),
  askedAt: text("asked_at").notNull(),
});

export const mailUnsubscriptions = sqliteTable("mail_unsubscriptions", {
  teamId: text("team_id").primaryKey(),
  address: text("address").primaryKey(),
  createdAt: text("created_at").notNull(),
});

export const mailDays = sqliteTable("mail_days", {
  teamId: text("team_id").primaryKey(),
  day: text("day").primaryKey(),
  mails: integer("mails").notNull(),
});
