// The D1 table of linked files. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const linkedFiles = sqliteTable("linked_files", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  tokenHash: text("token_hash").notNull(),
  name: text("name").notNull(),
  mediaType: text("media_type").notNull(),
  objectKey: text("object_key").notNull(),
  bytes: integer("bytes").notNull(),
  madeBy: text("made_by").notNull(),
  createdAt: text("created_at").notNull(),
  endsAt: text("ends_at").notNull(),
  downloads: integer("downloads").notNull(),
  downloadedAt: text("downloaded_at"),
});
