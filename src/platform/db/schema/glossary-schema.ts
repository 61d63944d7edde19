// The D1 tables of a team's glossary. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const glossaryTerms = sqliteTable("glossary_terms", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  term: text("term").notNull(),
  termKey: text("term_key").notNull(),
  synonyms: text("synonyms", { mode: "json" }).$type<string[]>().notNull(),
  definition: text("definition").notNull(),
  links: text("links", { mode: "json" }).$type<{ integration_id: string; name: string }[]>().notNull(),
  version: integer("version").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
  updatedBy: text("updated_by").notNull(),
  updatedAt: text("updated_at").notNull(),
});

export const glossaryTermVersions = sqliteTable("glossary_term_versions", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  termId: text("term_id").notNull(),
  version: integer("version").notNull(),
  content: text("content").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
});
