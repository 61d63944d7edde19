// The D1 table of the lake's tables that docs build.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How the run ended that tried last: its tables are the lake's, or its tests kept them back. */
export const BUILD_STATES = ["published", "tests_failed"] as const;

export const tableBuilds = sqliteTable("table_builds", {
  teamId: text("team_id").primaryKey(),
  lakeId: text("lake_id").primaryKey(),
  schemaName: text("schema_name").primaryKey(),
  tableName: text("table_name").primaryKey(),
  docId: text("doc_id").notNull(),
  datasetKey: text("dataset_key").notNull(),
  runId: text("run_id").notNull(),
  state: text("state", { enum: BUILD_STATES }).notNull(),
  triedAt: text("tried_at").notNull(),
  testsFailed: integer("tests_failed").notNull(),
  testsWarned: integer("tests_warned").notNull(),
  publishedAt: text("published_at"),
  publishedRunId: text("published_run_id"),
  rowsWritten: integer("rows_written"),
  sources: text("sources"),
  columns: text("columns"),
});
