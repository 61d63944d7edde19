// The D1 table of asynchronous queries. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { FORMATS } from "../../../../kernel/wire/engine-program.ts";
import type { Flaw, ProblemCode, SqlLocation } from "../../../core/problem.ts";

/** A Problem as it is kept. */
export type KeptProblem = {
  code: ProblemCode;
  detail: string;
  flaws: Flaw[];
  location?: SqlLocation;
  retryAfterSeconds?: number;
};

export const asyncQueries = sqliteTable("async_queries", {
  teamId: text("team_id").primaryKey(),
  id: text("id").primaryKey(),
  userId: text("user_id").notNull(),
  integrationId: text("integration_id").notNull(),
  accessDigest: text("access_digest"),
  writeJobId: text("write_job_id"),
  askedBy: text("asked_by", { enum: ["sql", "cube_query"] }).notNull(),
  format: text("format", { enum: FORMATS }).notNull(),
  problem: text("problem", { mode: "json" }).$type<KeptProblem>(),
  bytes: integer("bytes"),
  createdAt: text("created_at").notNull(),
  acceptedAt: text("accepted_at"),
  deadlineAt: text("deadline_at").notNull(),
  endedAt: text("ended_at"),
  isRepeated: integer("is_repeated", { mode: "boolean" }).notNull(),
  readerHead: text("reader_head"),
  heldSql: text("held_sql"),
  engine: text("engine", { enum: ["duckdb", "trino"] }).notNull(),
});
