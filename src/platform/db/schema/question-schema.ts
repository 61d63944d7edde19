// The D1 tables of questions that are kept, and of the words that they are asked in. As `schema.ts`: `migrations/`
// holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dated, ofTeam } from "./shared-columns.ts";

export const savedQueries = sqliteTable("saved_queries", {
  ...ofTeam,
  name: text("name").notNull(),
  description: text("description"),
  tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
  ownerId: text("owner_id").notNull(),
  version: integer("version").notNull(),
  searchText: text("search_text").notNull(),
  questions: text("questions", { mode: "json" }).$type<string[]>().notNull().default([]),
  certifiedBy: text("certified_by"),
  certifiedAt: text("certified_at"),
  createdBy: text("created_by").notNull(),
  ...dated,
  archivedAt: text("archived_at"),
});

export const savedQueryVersions = sqliteTable("saved_query_versions", {
  ...ofTeam,
  queryId: text("query_id").notNull(),
  version: integer("version").notNull(),
  definition: text("definition").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
});

export const PUBLICATION_KINDS = ["endpoint", "dashboard"] as const;
export type PublicationKind = (typeof PUBLICATION_KINDS)[number];

/** What is published, of whatever kind. The database calls the table and its columns by the first kind. */
export const publications = sqliteTable("endpoints", {
  ...ofTeam,
  kind: text("kind", { enum: PUBLICATION_KINDS }).notNull(),
  name: text("name").notNull(),
  description: text("description"),
  subjectId: text("query_id").notNull(),
  subjectVersion: integer("query_version").notNull(),
  content: text("question").notNull(),
  frameAncestors: text("frame_ancestors", { mode: "json" }).$type<string[]>(),
  openParameters: text("open_parameters", { mode: "json" }).$type<string[]>(),
  roleId: text("role_id").notNull(),
  publisherId: text("publisher_id").notNull(),
  audience: text("audience").notNull(),
  numbers: text("numbers", { enum: ["exact", "string"] }).notNull(),
  ratePerMinute: integer("rate_per_minute").notNull(),
  sealedSecrets: text("sealed_secrets"),
  vaultKeyId: text("vault_key_id"),
  previousSecretUntil: text("previous_secret_until"),
  revision: integer("revision").notNull(),
  ...dated,
});

export const endpointKeys = sqliteTable("endpoint_keys", {
  ...ofTeam,
  endpointId: text("endpoint_id").notNull(),
  name: text("name").notNull(),
  keyHash: text("key_hash").notNull(),
  hint: text("hint").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at"),
});

export const publicationRollups = sqliteTable("endpoint_rollups", {
  teamId: text("team_id").primaryKey(),
  publicationId: text("endpoint_id").primaryKey(),
  hour: integer("hour").primaryKey(),
  calls: integer("calls").notNull(),
  errors: integer("errors").notNull(),
  cacheHits: integer("cache_hits").notNull(),
  sumMs: integer("sum_ms").notNull(),
  minMs: integer("min_ms").notNull(),
  maxMs: integer("max_ms").notNull(),
  histogram: text("histogram").notNull(),
});

export const deliveries = sqliteTable("deliveries", {
  ...ofTeam,
  name: text("name").notNull(),
  subject: text("subject"),
  message: text("message"),
  source: text("source", { mode: "json" }).notNull(),
  sourceId: text("source_id").notNull(),
  recipients: text("recipients", { mode: "json" }).notNull(),
  files: text("files", { mode: "json" }),
  condition: text("condition", { mode: "json" }),
  conditionState: text("condition_state", { mode: "json" }).$type<{
    holds: boolean;
    value: number | null;
    /** The value from which a change that holds was one; absent before there was one. */
    from?: number | null;
  }>(),
  lastRunId: text("last_run_id"),
  lastRunAt: text("last_run_at"),
  lastRunSent: integer("last_run_sent", { mode: "boolean" }),
  revision: integer("revision").notNull(),
  createdBy: text("created_by").notNull(),
  ...dated,
});

export const glossaryTerms = sqliteTable("glossary_terms", {
  ...ofTeam,
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
  ...ofTeam,
  termId: text("term_id").notNull(),
  version: integer("version").notNull(),
  content: text("content").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: text("created_at").notNull(),
});
