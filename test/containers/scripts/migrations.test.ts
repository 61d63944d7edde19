// This suite holds the migrations of a local database, all at once, against the outcome of one file after the other.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root, spawnGroup, within } from "../../../scripts/process/group.ts";
import { wranglerEnvironment } from "../../../scripts/start/wrangler.ts";

const MIGRATIONS = join(root, "migrations");
const PROGRAM = join("scripts", "start", "migrations", "program.ts");
const START_MS = 60_000;

type Schema = { type: string; name: string; tbl_name: string; sql: string | null }[];

let folder: string;
let names: string[];
/** The schema that plain SQLite has after one file after the other. */
let expected: Schema;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-migrations-"));
  names = (await readdir(MIGRATIONS)).sort();
  const plain = new DatabaseSync(":memory:");
  for (const name of names) plain.exec(await readFile(join(MIGRATIONS, name), "utf8"));
  expected = schemaOf(plain);
  plain.close();
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const schemaOf = (database: DatabaseSync): Schema =>
  database
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_master
        WHERE tbl_name NOT IN ('d1_migrations', 'sqlite_sequence') AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY rowid`,
    )
    .all() as Schema;

/** A database on disk once nobody has it open: its schema, and wrangler's records with their table. */
async function read(data: string) {
  const files = join(data, "v3", "d1", "miniflare-D1DatabaseObject");
  const [file] = (await readdir(files)).filter((name) => name.endsWith(".sqlite") && !name.startsWith("metadata"));
  const database = new DatabaseSync(join(files, file!));
  const records = database.prepare("SELECT id, name, applied_at FROM d1_migrations ORDER BY id").all();
  const { sql } = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'd1_migrations'").get() as {
    sql: string;
  };
  const schema = schemaOf(database);
  database.close();
  return { schema, records: records as { id: number; name: string; applied_at: string }[], table: squeeze(sql) };
}

const squeeze = (sql: string) => sql.replaceAll(/\s+/g, "");

/** Starts the program on a data folder, with the project's migrations or others. */
function start(data: string, migrations = MIGRATIONS) {
  let output = "";
  const group = spawnGroup(PROGRAM, [data, migrations], wranglerEnvironment(folder), (text) => (output += text));
  return { group, output: () => output };
}

async function apply(data: string, migrations = MIGRATIONS): Promise<string> {
  const { group, output } = start(data, migrations);
  expect(await group.ended, output()).toBe(0);
  return output();
}

async function expectWhole(data: string): Promise<void> {
  const { schema, records } = await read(data);
  expect(schema).toEqual(expected);
  expect(records.map(({ id, name }) => [id, name])).toEqual(names.map((name, index) => [index + 1, name]));
  for (const { applied_at } of records) expect(applied_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
}

/** A folder with the first migrations only, as an older version of the project had. */
async function firstMigrations(count: number): Promise<string> {
  const older = join(folder, `first-${count}`);
  await mkdir(older);
  for (const name of names.slice(0, count)) await cp(join(MIGRATIONS, name), join(older, name));
  return older;
}

it("gives an empty database the schema and the records that file after file gives, and then nothing again", async () => {
  const data = join(folder, "empty");
  await apply(data);
  await expectWhole(data);
  expect(await apply(data)).toContain("Applying nothing");
  await expectWhole(data);
});

it.each([1, 17, 48])("upgrades a database that has the first %i migrations", async (count) => {
  const data = join(folder, `upgraded-${count}`);
  await apply(data, await firstMigrations(count));
  expect((await read(data)).records).toHaveLength(count);
  await apply(data);
  await expectWhole(data);
});

it("keeps its records as wrangler does, whose database it upgrades and who has nothing left to do after it", async () => {
  const [data, count] = [join(folder, "wrangler"), 3];
  const config = join(folder, "wrangler.json");
  /** What wrangler itself makes of the migrations in a folder. */
  const askWrangler = async (migrations: string): Promise<string> => {
    const database = /\[\[d1_databases\]\]([^[]*)/.exec(await readFile(join(root, "wrangler.toml"), "utf8"))![1]!;
    const [, id] = /database_id = "([^"]+)"/.exec(database)!;
    const d1 = { binding: "DB", database_name: "fjord", database_id: id, migrations_dir: migrations };
    await writeFile(config, JSON.stringify({ name: "fjord", compatibility_date: "2026-10-01", d1_databases: [d1] }));
    let output = "";
    const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", data, "--config", config];
    const env = { ...wranglerEnvironment(folder), CI: "1" };
    const group = spawnGroup("node_modules/wrangler/bin/wrangler.js", args, env, (text) => (output += text));
    expect(await group.ended, output).toBe(0);
    return output;
  };
  await askWrangler(await firstMigrations(count));
  const wranglers = await read(data);
  const ours = join(folder, "ours");
  await apply(ours, join(folder, `first-${count}`));
  const keyed = ({ id, name }: { id: number; name: string }) => ({ id, name });
  expect((await read(ours)).table).toBe(wranglers.table);
  expect((await read(ours)).records.map(keyed)).toEqual(wranglers.records.map(keyed));
  await apply(data);
  await expectWhole(data);
  expect(await askWrangler(MIGRATIONS)).toContain("No migrations to apply");
});

it.each([0, 200, 600])("is whole after the next start when it was killed %i ms into its work", async (afterMs) => {
  const data = join(folder, `killed-${afterMs}`);
  const { group, output } = start(data);
  expect(await within(START_MS, () => output().includes("Applying "))).toBe(true);
  await pause(afterMs);
  process.kill(-group.child.pid!, "SIGKILL");
  await group.ended;
  expect([0, names.length]).toContain((await read(data)).records.length);
  await apply(data);
  await expectWhole(data);
});

it("applies none of the migrations when one of them is wrong, and says which they were", async () => {
  const [data, migrations] = [join(folder, "wrong"), join(folder, "with-a-wrong-one")];
  await apply(data, await firstMigrations(2));
  await cp(await firstMigrations(5), migrations, { recursive: true });
  await writeFile(join(migrations, names[4]!), "CREATE TABLE half (id INTEGER);\nCREATE TABEL wrong (id INTEGER);\n");
  const { group, output } = start(data, migrations);
  expect(await group.ended).not.toBe(0);
  expect(output()).toContain(`Applying ${names.slice(2, 5).join(", ")}`);
  expect(output()).toContain('near "TABEL"');
  const { schema, records } = await read(data);
  expect(records.map(({ name }) => name)).toEqual(names.slice(0, 2));
  expect(schema.map(({ name }) => name)).not.toContain("half");
  await apply(data);
  await expectWhole(data);
});
