// The D1 tables of statistics, of what teams use of their plans, and of the platform's own state. As `schema.ts`:
// `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_TYPES } from "../../../core/events/event-types.ts";

/** Its primary key has four columns. */
export const eventRollups = sqliteTable("event_rollups", {
  teamId: text("team_id").primaryKey(),
  type: text("type", { enum: EVENT_TYPES }).primaryKey(),
  spanMinutes: integer("span_minutes").primaryKey(),
  startMinute: integer("start_minute").primaryKey(),
  count: integer("count").notNull(),
  sumMs: integer("sum_ms").notNull(),
  minMs: integer("min_ms").notNull(),
  maxMs: integer("max_ms").notNull(),
  histogram: text("histogram", { mode: "json" }).$type<Record<string, number>>().notNull(),
});

export const meterBatches = sqliteTable("meter_batches", {
  teamId: text("team_id").primaryKey(),
  sequence: integer("sequence").notNull(),
});

export const keyUses = sqliteTable("key_uses", {
  keyId: text("key_id").primaryKey(),
  teamId: text("team_id").notNull(),
  usedAt: text("used_at").notNull(),
});

/** Its primary key has two columns. */
export const monthUses = sqliteTable("month_uses", {
  teamId: text("team_id").primaryKey(),
  month: text("month").primaryKey(),
  runMs: integer("run_ms").notNull(),
  rowsSynced: integer("rows_synced").notNull(),
});

/** Its primary key has two columns. */
export const clusterUses = sqliteTable("cluster_uses", {
  teamId: text("team_id").primaryKey(),
  month: text("month").primaryKey(),
  bytes: integer("bytes").notNull(),
});

export const driveMeasures = sqliteTable("drive_measures", {
  teamId: text("team_id").primaryKey(),
  bytes: integer("bytes").notNull(),
  measuredAt: text("measured_at"),
  bytesPassed: integer("bytes_passed").notNull(),
  afterKey: text("after_key"),
  dueAt: text("due_at").notNull(),
  activeUntil: text("active_until").notNull(),
});

/** One row. */
export const platformTicks = sqliteTable("platform_ticks", {
  id: integer("id").primaryKey(),
  tickedAt: text("ticked_at").notNull(),
});

export const deadLetters = sqliteTable("dead_letters", {
  kind: text("kind").primaryKey(),
  count: integer("count").notNull(),
  lastAt: text("last_at").notNull(),
});
