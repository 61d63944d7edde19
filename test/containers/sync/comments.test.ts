// Comments on tables and columns at the source: in the lake after the next run, by the table's own commit.

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { exportCatalog } from "../../../containers/engine/export/export-catalog.ts";
import type { SyncProgress } from "../../../kernel/jobs/progress.ts";
import type { SyncWork } from "../../../kernel/jobs/work.ts";
import { valueOf } from "../../../src/core/answer.ts";
import { browseTable } from "../../../src/lake/browse/columns.ts";
import { CatalogPlatform } from "../../support/node/lake/catalog-platform.ts";
import { readWithDucklake } from "../../support/node/lake/ducklake.ts";
import { mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncPlatform } from "../../support/node/sync/sync-platform.ts";
import { openSyncServers } from "../../support/node/sync/sync-servers.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `comments_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
const literal = (text: string | null): string => (text === null ? "NULL" : `'${text.replaceAll("'", "''")}'`);

/** `onColumn` is about a column `int NOT NULL`. MariaDB itself keeps no comment's characters beyond U+FFFF. */
const SOURCES = {
  PostgreSQL: {
    open: () =>
      client.query(
        `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`,
      ) as Promise<unknown>,
    source: postgresSource(postgres),
    run: (sql: string) => client.query(sql) as Promise<unknown>,
    onTable: (table: string, text: string | null) => `COMMENT ON TABLE ${table} IS ${literal(text)}`,
    onColumn: (table: string, column: string, text: string | null) =>
      `COMMENT ON COLUMN ${table}.${column} IS ${literal(text)}`,
  },
  MariaDB: {
    open: () =>
      root.query(
        `DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}`,
      ) as Promise<unknown>,
    source: mariadbSource(mariadb, SCHEMA),
    run: (sql: string) => root.query(sql) as Promise<unknown>,
    onTable: (table: string, text: string | null) => `ALTER TABLE ${table} COMMENT = ${literal(text ?? "")}`,
    onColumn: (table: string, column: string, text: string | null) =>
      `ALTER TABLE ${table} MODIFY ${column} int NOT NULL COMMENT ${literal(text ?? "")}`,
  },
};

describe.each(Object.entries(SOURCES))("comments at %s", (_, source) => {
  let catalog: CatalogPlatform;
  let platform: SyncPlatform;
  beforeAll(async () => {
    await source.open();
    catalog = await CatalogPlatform.start();
    platform = await SyncPlatform.start(catalog);
  });
  afterAll(async () => {
    await platform.stop();
    await catalog.stop();
  });

  async function sync(table: string, more: Partial<SyncWork> = {}): Promise<SyncProgress["tables"][number]> {
    const { outcome, error, progress } = await platform.sync(source.source, {
      tables: [`${SCHEMA}.${table}`],
      ...more,
    });
    expect([outcome, error]).toEqual(["succeeded", null]);
    return progress.tables[0]!;
  }

  /** The comments as the catalog is browsed: the table's own, then those of its columns. */
  function reported(table: string): unknown[] {
    const { sql } = catalog.storage;
    const { summary, columns } = valueOf(browseTable(sql, { schema: "main", name: table }, "everything"));
    return [summary.comment, ...columns.map(({ name, comment }) => [name, comment])];
  }

  it("come with the first run, change without a full read, and go where they go", async () => {
    await source.run("CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL, m int NOT NULL)");
    for (const sql of [
      "INSERT INTO t VALUES (1, 2, 3)",
      source.onTable("t", "It's “all” ☃\nof it"),
      source.onColumn("t", "n", "how many"),
    ])
      await source.run(sql);
    await sync("t");
    expect(reported("t")).toEqual(["It's “all” ☃\nof it", ["id", null], ["n", "how many"], ["m", null]]);

    const first = catalog.snapshotId;
    expect((await sync("t")).method).not.toMatch(/full/);
    expect(catalog.snapshotId).toBe(first);

    for (const sql of [
      source.onTable("t", null),
      source.onColumn("t", "n", "how many there are"),
      source.onColumn("t", "m", "more"),
    ])
      await source.run(sql);
    expect(await sync("t")).toMatchObject({
      method: expect.not.stringMatching(/full/),
      rowsWritten: 0,
      rowsDeleted: 0,
    });
    expect(reported("t")).toEqual([null, ["id", null], ["n", "how many there are"], ["m", "more"]]);
    const changes = catalog.storage.sql
      .exec("SELECT changes_made AS made FROM ducklake_snapshot_changes WHERE snapshot_id > ?", first)
      .toArray();
    expect(changes).toEqual([{ made: "altered_table:1" }]);

    for (const sql of [source.onColumn("t", "n", null), "INSERT INTO t VALUES (2, 2, 2)"]) await source.run(sql);
    expect(await sync("t")).toMatchObject({ method: expect.not.stringMatching(/full/), rowsWritten: 1 });
    expect([reported("t"), catalog.snapshotId]).toEqual([[null, ["id", null], ["n", null], ["m", "more"]], first + 2]);
  });

  it.each(["merge", "overwrite", "append"] as const)(
    "stay through %s, a new column and a table made anew",
    async (loadMethod) => {
      const table = `by_${loadMethod}`;
      await source.run(`CREATE TABLE ${table} (id int PRIMARY KEY, n int NOT NULL)`);
      for (const sql of [
        `INSERT INTO ${table} VALUES (1, 2)`,
        source.onTable(table, "kept"),
        source.onColumn(table, "n", "an n"),
      ])
        await source.run(sql);
      await sync(table, { loadMethod });
      await source.run(`INSERT INTO ${table} VALUES (3, 4)`);
      await sync(table, { loadMethod });
      expect(reported(table)).toEqual(["kept", ["id", null], ["n", "an n"]]);
      for (const sql of [
        `ALTER TABLE ${table} ADD COLUMN x int NOT NULL DEFAULT 1`,
        source.onColumn(table, "x", "an x"),
        `INSERT INTO ${table} VALUES (5, 6, 7)`,
      ])
        await source.run(sql);
      await sync(table, { loadMethod });
      expect(reported(table)).toEqual(["kept", ["id", null], ["n", "an n"], ["x", "an x"]]);
      await source.run(`ALTER TABLE ${table} DROP COLUMN n`);
      expect((await sync(table, { loadMethod, full: true })).notes.join(" ")).toContain("made anew");
      expect(reported(table)).toEqual(["kept", ["id", null], ["x", "an x"]]);
    },
  );

  it("of a view are its columns' alone, or none, and never that it is one", async () => {
    await source.run("CREATE VIEW v AS SELECT 1 AS a");
    await sync("v");
    expect(reported("v")).toEqual([null, ["a", null]]);
  });
});

it("long ones of PostgreSQL come cut, with a note at the run that brings them", async () => {
  const { open, run, source, onTable, onColumn } = SOURCES.PostgreSQL;
  await open();
  const catalog = await CatalogPlatform.start();
  const platform = await SyncPlatform.start(catalog);
  try {
    const columns = Array.from({ length: 300 }, (_, i) => `c${i}`);
    await run(`CREATE TABLE long (id int PRIMARY KEY, ${columns.map((name) => `${name} int`).join(", ")})`);
    for (const sql of [
      onTable("long", "x".repeat(4_096)),
      ...columns.map((name) => onColumn("long", name, "🦭".repeat(50_000))),
    ])
      await run(sql);
    const notes = async () =>
      (await platform.sync(source, { tables: [`${SCHEMA}.long`] })).progress.tables[0]!.notes.join(" ");
    expect(await notes()).toMatch(/Column c0 has a comment of more than 4096 characters/);
    const { sql } = catalog.storage;
    const long = valueOf(browseTable(sql, { schema: "main", name: "long" }, "everything"));
    expect(long.summary.comment).toBe("x".repeat(4_096));
    const reported = long.columns.map(({ comment }) => comment);
    expect(reported.slice(0, 2)).toEqual([null, `${"🦭".repeat(2_047)}…`]);
    expect([reported.filter((comment) => comment !== null).length, reported.at(-1)]).toEqual([243, null]);
    expect(await notes()).not.toMatch(/comment/);

    let theirs: unknown[][] = [];
    const asked = {
      id: "export",
      lake: catalog.grant(),
      format: "0.3" as const,
      dataPath: `${catalog.bucket}/`,
      deadlineMs: 60_000,
    };
    const query =
      "SELECT length(comment) FROM duckdb_tables() WHERE database_name = 'LAKE' UNION ALL SELECT length(comment) FROM duckdb_columns() WHERE database_name = 'LAKE' AND column_name = 'c0'";
    await exportCatalog(
      asked,
      catalog.url,
      new AbortController().signal,
      async (file) => void ([theirs = []] = await readWithDucklake(file, `${catalog.bucket}/`, [query])),
    );
    expect(theirs).toEqual([[4_096], [2_048]]);
  } finally {
    await platform.stop();
    await catalog.stop();
  }
}, 120_000);
