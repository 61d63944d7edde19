// The D1 tables of teams on their way out, and of links that sign in. As `schema.ts`: `migrations/` holds the SQL.

import { sqliteTable, text } from "drizzle-orm/sqlite-core";

export const teamRemovals = sqliteTable("team_removals", {
  teamId: text("team_id").primaryKey(),
  id: text("id").notNull(),
  createdAt: text("created_at").notNull(),
  nextTryAt: text("next_try_at").notNull(),
});

export const magicLinks = sqliteTable("magic_links", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  userId: text("user_id").notNull(),
  tokenHash: text("token_hash").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at").notNull(),
  keyId: text("key_id"),
});
