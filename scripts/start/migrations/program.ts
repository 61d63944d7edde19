// A program of its own, as its library is large: it applies the D1 migrations that a local database lacks, all in one
// transaction. `wrangler d1 migrations apply` keeps the same records and starts the runtime once a migration.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";

/** What is used of D1's binding: a Node program has none of the Worker's types. */
type Statement = {
  bind(...values: string[]): Statement;
  run(): Promise<unknown>;
  all(): Promise<{ results: { name: string }[] }>;
};
type Database = { prepare(sql: string): Statement; batch(statements: Statement[]): Promise<unknown> };

const [persistTo, folder] = process.argv.slice(2);
if (!persistTo || !folder) throw new Error("Usage: program.ts <the folder of wrangler dev's data> <the migrations>");

const platform = await getPlatformProxy<{ DB: Database }>({ persist: { path: join(persistTo, "v3") } });
const { DB: db } = platform.env;
// Wrangler's own table, so that its commands agree with us on what is applied.
await db
  .prepare(
    `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`,
  )
  .run();
const { results } = await db.prepare("SELECT name FROM d1_migrations").all();
const applied = new Set(results.map(({ name }) => name));
const pending = (await readdir(folder)).filter((name) => !applied.has(name)).sort();
const statements = pending.map(async (name) => [
  // SQLite takes the whole file; to find its statements would take longer than to run them.
  db.prepare(await readFile(join(folder, name), "utf8")),
  db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
]);
console.log(`Applying ${pending.join(", ") || "nothing"} …`);
// A batch is one transaction: all migrations and their records are there, or none is.
if (pending.length > 0) await db.batch((await Promise.all(statements)).flat());
await platform.dispose();
// The parent's channel would hold it open.
process.exit(0);
