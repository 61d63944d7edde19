// The Worker's tables in an empty database. The first file of a runtime migrates as a deploy does; the files after it
// get the same tables by one question.

import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** What made the tables and their indexes, in this order. */
let statements: string[] | undefined;

export async function createTables(): Promise<void> {
  if (statements) {
    // A file before may have left work that still holds the database, which is not deleted then and has its tables.
    if (!(await hasTables())) await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
    return;
  }
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const made = await env.DB.prepare(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND NOT name GLOB '_cf_*' AND NOT name GLOB 'sqlite_*' ORDER BY rowid",
  ).all<{ type: string; name: string; sql: string }>();
  await expectNoRows(made.results.flatMap(({ type, name }) => (type === "table" && name !== RECORD ? [name] : [])));
  statements = made.results.map(({ sql }) => sql);
}

/** Where the migrations that were applied are recorded. */
const RECORD = "d1_migrations";

const hasTables = async (): Promise<boolean> =>
  (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").bind(RECORD).first()) !== null;

/** Throws where a migration adds rows: those would be missing in every file but the first. */
async function expectNoRows(tables: readonly string[]): Promise<void> {
  const counts = await env.DB.batch<{ rows: number }>(
    tables.map((table) => env.DB.prepare(`SELECT count(*) AS rows FROM "${table}"`)),
  );
  const filled = tables.filter((_, index) => counts[index]!.results[0]!.rows > 0);
  if (filled.length > 0)
    throw new Error(`A migration adds rows to ${filled.join(", ")}, which createTables would lose.`);
}
