// The D1 tables of the platform's own state. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
