// The D1 tables of semantic models. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const semanticModelVersions = sqliteTable("semantic_model_versions", {
  teamId: text("team_id").primaryKey(),
  integrationId: text("integration_id").primaryKey(),
  version: integer("version").primaryKey(),
  digest: text("digest").notNull(),
  message: text("message"),
  restoredFrom: integer("restored_from"),
  authorId: text("author_id").notNull(),
  fileCount: integer("file_count").notNull(),
  bytes: integer("bytes").notNull(),
  createdAt: text("created_at").notNull(),
});

export const semanticModelFiles = sqliteTable("semantic_model_files", {
  teamId: text("team_id").primaryKey(),
  integrationId: text("integration_id").primaryKey(),
  version: integer("version").primaryKey(),
  path: text("path").primaryKey(),
  content: text("content").notNull(),
});

export const semanticDefinitions = sqliteTable("semantic_definitions", {
  teamId: text("team_id").primaryKey(),
  integrationId: text("integration_id").primaryKey(),
  version: integer("version").notNull(),
  kind: text("kind", { enum: ["cube", "view"] }).notNull(),
  name: text("name").primaryKey(),
  definition: text("definition").notNull(),
  meta: text("meta").notNull(),
});
