// What is said twice says the same: bindings in wrangler.toml, operations as functions, benchmarks in the usage, tables
// in drizzle and migrations.

import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { listFiles, ROOT, textOf, WORKER_FILES } from "../support/node/tidy/source-tree.ts";
import { REMOVAL_TABLES, TENANT_TABLES } from "../../src/platform/db/tenant-tables.ts";
import { migratedTables } from "../support/node/tidy/sql-columns.ts";

const feature = (file: string) => (file.startsWith("src/features/") ? file.split("/")[2] : undefined);

describe("wrangler.toml", () => {
  const toml = textOf("wrangler.toml");
  const strings = (list: string) => [...list.matchAll(/"([^"]+)"/g)].map(([, text]) => text!);
  /** The keys of an exported record, as its source spells them: only the Workers runtime could import it. */
  const keysOf = (file: string, name: string) => {
    const [, body] = textOf(file).match(new RegExp(`export const ${name}\\b[^\\n]* = \\{([^}]*)\\}`))!;
    return [...body!.matchAll(/"([^"]+)":/g)].map(([, key]) => key!);
  };

  it("schedules exactly the crons that are registered", () => {
    expect(strings(toml.match(/crons = \[([^\]]*)\]/)![1]!).sort()).toEqual(keysOf("src/crons.ts", "CRONS").sort());
  });

  it("consumes exactly the queues that are registered", () => {
    const consumed = [...toml.matchAll(/\[\[queues\.consumers\]\]\s*queue = "([^"]+)"/g)].map(([, queue]) => queue);
    expect(consumed.sort()).toEqual(keysOf("src/queues.ts", "QUEUES").sort());
  });

  it("binds exactly the Durable Objects that are exported", () => {
    const bound = [...toml.matchAll(/\nclass_name = "(\w+Object)"/g)].map(([, name]) => name!);
    const exported = [...textOf("src/index.ts").matchAll(/export \{([^}]*)\}/g)].flatMap(([, names]) =>
      names!.split(",").map((name) => name.trim()),
    );
    expect([...new Set(bound)].sort()).toEqual(exported.filter((name) => name.endsWith("Object")).sort());
  });
});

describe("operations", () => {
  const declared = WORKER_FILES.flatMap((file) =>
    [...textOf(file).matchAll(/operationId: "(\w+)"/g)].map(([, id]) => ({ id: id!, file })),
  );

  it("have ids of their own", () => {
    const ids = declared.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(declared)("$id is the name of a function of its feature", ({ id, file }) => {
    const verb = new RegExp(`export (async )?function ${id}\\b|export const ${id}\\b`);
    const files = WORKER_FILES.filter((other) => feature(other) === feature(file));
    expect(files.some((other) => verb.test(textOf(other)))).toBe(true);
  });
});

it("knows by npm, by the usage and by its help exactly the benchmarks that are registered", async () => {
  const [, body] = textOf("scripts/bench/main.ts").match(/const BENCHES\b[^\n]* = \{([^}]*)\}/)!;
  const registered = [...body!.matchAll(/(\w+):/g)].map(([, name]) => name!);
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: object };
  const { PROGRAMS } = (await import(join(ROOT, "scripts/usage.mjs"))) as {
    PROGRAMS: { bench: { words: string[]; help: string } };
  };
  const [, named] = PROGRAMS.bench.help.match(/not part of the tests: ([^,]*),/)!;
  expect(Object.keys(scripts).flatMap((name) => name.match(/^bench:(.+)/)?.[1] ?? [])).toEqual(registered);
  expect(PROGRAMS.bench.words).toEqual(registered);
  expect(named!.split(/\s+/)).toEqual(registered);
});

it("declares in drizzle exactly the columns that the migrations make", async () => {
  const schemas = WORKER_FILES.filter((file) => file.startsWith("src/platform/db/schema/"));
  const exported = await Promise.all(schemas.map((file) => import(join(ROOT, file)) as Promise<object>));
  const tables = exported
    .flatMap((each) => Object.values(each) as unknown[])
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
  const declared = tables.map((table) => [
    getTableName(table),
    Object.values(getTableColumns(table))
      .map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notNull: column.notNull,
        primaryKey: column.primary,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  ]);
  expect(Object.fromEntries(declared)).toEqual(migratedTables(join(ROOT, "migrations")));
});

it("starts every index of a tenant table with the team, but those that sweep across teams", () => {
  const sql = listFiles("migrations", ".sql").map(textOf).join("\n");
  const tenants = [...sql.matchAll(/CREATE TABLE (\w+) \(([^;]*?)\n\);/g)]
    .filter(([, , body]) => /\bteam_id TEXT\b/.test(body!) && !/PRIMARY KEY \(team_id\b/.test(body!))
    .map(([, name]) => name!);
  const indexed = (table: string) => new RegExp(`CREATE (UNIQUE )?INDEX \\w+ ON ${table} \\(team_id`).test(sql);
  const SWEPT = [
    "team_settings",
    "team_removals",
    "alert_webhooks",
    "lake_removals",
    "lake_collections",
    "meter_batches",
    "drive_measures",
  ];
  expect(tenants.filter((table) => !indexed(table) && !SWEPT.includes(table))).toEqual([]);
});

it("deletes the rows of every tenant table with the team, after those that point at them", () => {
  const tenants = Object.entries(migratedTables(join(ROOT, "migrations")))
    .filter(([, columns]) => columns.some(({ name }) => name === "team_id"))
    .map(([table]) => table);
  expect([...TENANT_TABLES, ...REMOVAL_TABLES].sort()).toEqual(tenants.sort());
  const order: string[] = [...TENANT_TABLES];
  const sql = listFiles("migrations", ".sql").map(textOf).join("\n");
  const late = [...sql.matchAll(/^CREATE TABLE (\w+) \(([\s\S]*?)\n\)/gm)].flatMap(([, table, body]) =>
    [...body!.matchAll(/REFERENCES (\w+)/g)]
      .map(([, target]) => target!)
      .filter((target) => order.includes(target) && order.indexOf(table!) > order.indexOf(target)),
  );
  expect(late).toEqual([]);
});
