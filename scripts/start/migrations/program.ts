// A program of its own, as its library is large: it applies the D1 migrations that a local database lacks, with one
// start of the runtime. `wrangler d1 migrations apply` keeps the same records and starts the runtime once a migration.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getPlatformProxy, unstable_splitSqlQuery as splitStatements } from "wrangler";
import { root } from "../../process/group.ts";

/** What is used of D1's binding: a Node program has none of the Worker's types. */
type Statement = {
  bind(...values: string[]): Statement;
  run(): Promise<unknown>;
  all(): Promise<{ results: { name: string }[] }>;
};
type Database = { prepare(sql: string): Statement; batch(statements: Statement[]): Promise<unknown> };

const [persistTo] = process.argv.slice(2);
if (!persistTo) throw new Error("Usage: program.ts <the folder that wrangler dev keeps its data in>");

const folder = join(root, "migrations");
const platform = await getPlatformProxy<{ DB: Database }>({ persist: { path: join(persistTo, "v3") } });
const { DB: db } = platform.env;
// Wrangler's own table, so that its commands agree with us on what is applied.
await db
  .prepare(
    `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
  )
  .run();
const { results } = await db.prepare("SELECT name FROM d1_migrations").all();
const applied = new Set(results.map(({ name }) => name));
for (const name of (await readdir(folder)).sort()) {
  if (applied.has(name)) continue;
  console.log(`Applying ${name} …`);
  const statements = splitStatements(await readFile(join(folder, name), "utf8"));
  const record = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
  // A batch is one transaction: a migration and its record are there, or neither is.
  await db.batch([...statements.map((statement) => db.prepare(statement)), record]);
}
await platform.dispose();
// The parent's channel would hold it open.
process.exit(0);
