// Sources that change under a sync, by method and database: what becomes of the lake's table, and what the run says of
// it.

import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../support/node/sync/sync-servers.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `drift_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
let bench: SyncBench;
afterEach(() => bench.close());

type Method = "merge" | "overwrite" | "append";
const notes = (ran: Ran, name = "t") => ran.table(`${SCHEMA}.${name}`).notes.join(" ");

const SOURCES = {
  PostgreSQL: {
    async open() {
      await client.query(
        `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`,
      );
      return SyncBench.open(postgresSource(postgres));
    },
    run: (sql: string) => client.query(sql) as Promise<unknown>,
    retype: (table: string, column: string, type: string) =>
      `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${type} USING ${column}::${type}`,
    numbers: ["smallint", "int", "bigint", "decimal(9,2)"],
    numbersTo: (rows: number) => `SELECT i, i, i, 'x' FROM generate_series(1, ${rows}) AS i`,
    analyze: (table: string) => `ANALYZE ${table}`,
    newKey: "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (k)",
    noKey: "ALTER TABLE t DROP CONSTRAINT t_pkey",
  },
  MariaDB: {
    async open() {
      await root.query(`DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA}; USE ${SCHEMA}`);
      return SyncBench.open(mariadbSource(mariadb, SCHEMA));
    },
    run: (sql: string) => root.query(sql) as Promise<unknown>,
    retype: (table: string, column: string, type: string) => `ALTER TABLE ${table} MODIFY ${column} ${type}`,
    numbers: ["tinyint", "smallint", "int unsigned", "bigint unsigned", "decimal(9,2)"],
    numbersTo: (rows: number) => `SELECT seq, seq, seq, 'x' FROM seq_1_to_${rows}`,
    analyze: (table: string) => `ANALYZE TABLE ${table}`,
    newKey: "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (k)",
    noKey: "ALTER TABLE t DROP PRIMARY KEY",
  },
};

const create = (table: string): string =>
  `CREATE TABLE ${table} (id int PRIMARY KEY, k int NOT NULL, n int, s varchar(9))`;

describe.each(Object.entries(SOURCES))("from %s", (_, source) => {
  beforeEach(async () => {
    bench = await source.open();
    await source.run(`${create("t")}; INSERT INTO t VALUES (1, 10, 5, 'one'), (2, 20, 6, 'two')`);
  });
  const synced = (loadMethod: Method, more = {}) => bench.run({ tables: [`${SCHEMA}.t`], loadMethod, ...more });
  const lake = () => bench.rows("FROM t ORDER BY id");

  /** Each happens to a table of its own. */
  const drifts: Array<{
    change: string;
    sql: (t: string) => string[];
    reported: RegExp;
    rows: Array<Record<string, unknown>>;
  }> = [
    {
      change: "a new column",
      sql: (t) => [`ALTER TABLE ${t} ADD COLUMN x int`],
      reported: /Column x is new/,
      rows: [
        { id: 1, k: 10, n: 5, s: "one", x: null },
        { id: 2, k: 20, n: 6, s: "two", x: null },
      ],
    },
    {
      change: "a new column with a default",
      sql: (t) => [`ALTER TABLE ${t} ADD COLUMN x int DEFAULT 7`],
      reported: /Column x is new/,
      rows: [
        { id: 1, k: 10, n: 5, s: "one", x: 7 },
        { id: 2, k: 20, n: 6, s: "two", x: 7 },
      ],
    },
    {
      change: "a wider column",
      sql: (t) => [source.retype(t, "n", "bigint"), `UPDATE ${t} SET n = 3000000000 WHERE id = 2`],
      reported: /n became bigint.*int64 now, and was int32/,
      rows: [
        { id: 1, k: 10, n: 5, s: "one" },
        { id: 2, k: 20, n: 3_000_000_000, s: "two" },
      ],
    },
    {
      change: "a narrower column",
      sql: (t) => [source.retype(t, "n", "smallint")],
      reported: /n became smallint.*made anew/,
      rows: [
        { id: 1, k: 10, n: 5, s: "one" },
        { id: 2, k: 20, n: 6, s: "two" },
      ],
    },
    {
      change: "a column of another type",
      sql: (t) => [source.retype(t, "n", "varchar(20)"), `UPDATE ${t} SET n = 'six' WHERE id = 2`],
      reported: /varchar in the lake and not int32.*made anew/,
      rows: [
        { id: 1, k: 10, n: "5", s: "one" },
        { id: 2, k: 20, n: "six", s: "two" },
      ],
    },
    {
      change: "a renamed column",
      sql: (t) => [`ALTER TABLE ${t} RENAME COLUMN n TO m`],
      reported: /Column n is gone.*made anew/,
      rows: [
        { id: 1, k: 10, m: 5, s: "one" },
        { id: 2, k: 20, m: 6, s: "two" },
      ],
    },
    {
      change: "a dropped column",
      sql: (t) => [`ALTER TABLE ${t} DROP COLUMN n`],
      reported: /Column n is gone at the source.*made anew/,
      rows: [
        { id: 1, k: 10, s: "one" },
        { id: 2, k: 20, s: "two" },
      ],
    },
    {
      change: "two columns that swap their names",
      sql: (t) => ["n TO x", "k TO n", "x TO k"].map((names) => `ALTER TABLE ${t} RENAME COLUMN ${names}`),
      reported: /^(?!.*made anew)/,
      rows: [
        { id: 1, k: 5, n: 10, s: "one" },
        { id: 2, k: 6, n: 20, s: "two" },
      ],
    },
    {
      change: "a table dropped and made again",
      sql: (t) => [`DROP TABLE ${t}`, create(t), `INSERT INTO ${t} VALUES (2, 0, 0, 'new')`],
      reported: /^(?!.*made anew)/,
      rows: [{ id: 2, k: 0, n: 0, s: "new" }],
    },
  ];
  const sorted = (rows: Array<Record<string, unknown>>) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).sort()));

  it.each<[Method]>([["merge"], ["overwrite"]])(
    "%s follows changed columns and tables, notes them, and is exact at once and at the next run",
    async (loadMethod) => {
      const every = { tables: [`${SCHEMA}.*`], loadMethod };
      for (const [i] of drifts.entries())
        await source.run(`${create(`t${i}`)}; INSERT INTO t${i} VALUES (1, 10, 5, 'one'), (2, 20, 6, 'two')`);
      expect(await bench.run(every)).toMatchObject({ outcome: "succeeded" });
      for (const [i, { sql }] of drifts.entries()) for (const each of sql(`t${i}`)) await source.run(each);
      const ran = await bench.run(every);
      expect(ran, JSON.stringify(ran)).toMatchObject({ outcome: "succeeded" });
      for (const [i, { change, reported }] of drifts.entries()) expect(notes(ran, `t${i}`), change).toMatch(reported);
      expect(await bench.run(every)).toMatchObject({ outcome: "succeeded" });
      for (const [i, { change, rows }] of drifts.entries())
        expect(sorted(await bench.rows(`FROM t${i} ORDER BY id`)), change).toEqual(sorted(rows));
    },
  );

  it("merge follows another key, and the loss of the key", async () => {
    await source.run("INSERT INTO t VALUES (3, 30, 7, 'x')");
    await synced("merge");
    await source.run(
      `DELETE FROM t WHERE id = 3; ${source.newKey}; UPDATE t SET id = 1 WHERE k = 20; INSERT INTO t VALUES (1, 31, 1, 'same id')`,
    );
    expect(await synced("merge")).toMatchObject({ outcome: "succeeded" });
    const byKey = () => bench.rows("SELECT k, id, s FROM t ORDER BY k");
    expect(await byKey()).toEqual([
      { k: 10, id: 1, s: "one" },
      { k: 20, id: 1, s: "two" },
      { k: 31, id: 1, s: "same id" },
    ]);
    await source.run("DELETE FROM t WHERE k = 20; UPDATE t SET s = 'ten' WHERE k = 10");
    expect(await synced("merge")).toMatchObject({ outcome: "succeeded" });
    expect(await byKey()).toEqual([
      { k: 10, id: 1, s: "ten" },
      { k: 31, id: 1, s: "same id" },
    ]);
    await source.run(`${source.noKey}; INSERT INTO t VALUES (1, 31, 1, 'same id')`);
    expect(notes(await synced("merge"))).toContain("no primary key");
    expect(await byKey()).toHaveLength(3);
  });

  it("append keeps every row and column, with NULL where there is no value", async () => {
    await synced("append");
    await source.run(
      "ALTER TABLE t RENAME COLUMN n TO m; ALTER TABLE t ADD COLUMN x int DEFAULT 7; INSERT INTO t VALUES (3, 30, 8, 'three', 1)",
    );
    expect(notes(await synced("append"))).toMatch(
      /Column m is new; rows that were there have NULL.*Column x is new.*Column n is gone at the source; new rows have NULL/,
    );
    expect(await bench.rows("SELECT id, n, m, x FROM t ORDER BY id")).toEqual([
      { id: 1, n: 5, m: null, x: null },
      { id: 2, n: 6, m: null, x: null },
      { id: 3, n: null, m: 8, x: 1 },
    ]);
    await source.run(`${source.retype("t", "k", "bigint")}; INSERT INTO t VALUES (4, 3000000000, 8, 'four', 1)`);
    expect(notes(await synced("append"))).toContain("Column k became bigint");
    await source.run(
      `DELETE FROM t WHERE id = 4; ${source.retype("t", "k", "smallint")}; INSERT INTO t VALUES (5, 50, 8, 'five', 1)`,
    );
    expect(notes(await synced("append"))).toContain("it stays int64 in the lake");
    expect(await bench.rows("SELECT count(*) AS n, max(k) AS k FROM t")).toEqual([{ n: 5, k: 3_000_000_000 }]);
    await source.run(source.retype("t", "k", "varchar(20)"));
    expect(await synced("append")).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringContaining("run the sync in full"),
    });
    expect(await bench.rows("SELECT count(*) AS n FROM t")).toEqual([{ n: 5 }]);
    expect(notes(await synced("append", { full: true }))).toContain("made anew");
    expect(await bench.rows("SELECT id, k FROM t ORDER BY id")).toEqual(
      [1, 2, 3, 5].map((id) => ({ id, k: `${id * 10}` })),
    );
  });

  it("append notes where numbering seems to have begun anew, and keeps what it has", async () => {
    await source.run("INSERT INTO t VALUES (90000, 0, 0, 'last')");
    await synced("append");
    await source.run(`DROP TABLE t; ${create("t")}; INSERT INTO t VALUES (1, 0, 0, 'again')`);
    expect(notes(await synced("append"))).toContain("run the sync in full");
    expect(await bench.rows("SELECT id, s FROM t ORDER BY id")).toEqual([
      { id: 1, s: "one" },
      { id: 2, s: "two" },
      { id: 90_000, s: "last" },
    ]);
  });

  it("append goes on by a key of any number's type, however near to its least value", async () => {
    const names = source.numbers.map((_type, i) => `${SCHEMA}.t${i}`);
    const both = {
      tables: names,
      loadMethod: "append" as const,
      cursors: Object.fromEntries(names.map((name) => [name, "id"])),
    };
    for (const [i, type] of source.numbers.entries())
      await source.run(`CREATE TABLE t${i} (id ${type} PRIMARY KEY); INSERT INTO t${i} VALUES (1), (2)`);
    await bench.run(both);
    for (const [i] of names.entries()) await source.run(`INSERT INTO t${i} VALUES (3)`);
    expect((await bench.run(both)).progress.tables.map(({ rowsWritten, error }) => ({ rowsWritten, error }))).toEqual(
      names.map(() => ({ rowsWritten: 1, error: null })),
    );
  });

  describe.each<[Method]>([["merge"], ["append"]])("%s", (method) => {
    const star = { tables: [`${SCHEMA}.*`], loadMethod: method };

    it("keeps a table that is gone or renamed, notes it, and brings the one with the new name", async () => {
      await bench.run(star);
      await source.run("ALTER TABLE t RENAME TO u");
      const ran = await bench.run(star);
      expect(ran).toMatchObject({ outcome: "succeeded" });
      expect(ran.table(`${SCHEMA}.t`)).toMatchObject({
        phase: "skipped",
        notes: [expect.stringContaining("gone at the source")],
      });
      expect(ran.table(`${SCHEMA}.u`)).toMatchObject({ phase: "done", rowsWritten: 2 });
      await source.run("DROP TABLE u");
      const empty = await bench.run(star);
      expect(empty).toMatchObject({ outcome: "succeeded" });
      for (const name of ["t", "u"]) expect(empty.table(`${SCHEMA}.${name}`)).toMatchObject({ phase: "skipped" });
      expect(await bench.rows("SELECT (SELECT count(*) FROM t) AS t, (SELECT count(*) FROM u) AS u")).toEqual([
        { t: 2, u: 2 },
      ]);
    });

    it("keeps a table that a view has replaced where a star brought it, and reads the view where it is named", async () => {
      await bench.run(star);
      await source.run("ALTER TABLE t RENAME TO u; CREATE VIEW t AS SELECT id, k, n, s FROM u WHERE id = 2");
      expect((await bench.run(star)).table(`${SCHEMA}.t`)).toMatchObject({
        phase: "skipped",
        notes: [expect.stringContaining("is a view at the source now")],
      });
      expect(await bench.rows("SELECT count(*) AS n FROM t")).toEqual([{ n: 2 }]);
      const ran = await synced(method);
      expect(ran).toMatchObject({ outcome: "succeeded" });
      expect(await lake()).toEqual(
        method === "append"
          ? [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })]
          : [{ id: 2, k: 20, n: 6, s: "two" }],
      );
    });
  });

  it("names a table that a run is asked for alone and that is not there", async () => {
    const star = { tables: [`${SCHEMA}.*`] };
    await bench.run(star);
    expect(await bench.run({ ...star, only: [`${SCHEMA}.never`] })).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining(`no table ${SCHEMA}.never`),
    });
    await source.run("DROP TABLE t");
    const gone = await bench.run({ ...star, only: [`${SCHEMA}.t`] });
    expect(gone).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringContaining("gone at the source"),
    });
    expect(gone.table(`${SCHEMA}.t`)).toMatchObject({ phase: "failed" });
    expect(await lake()).toHaveLength(2);
  });

  it("fails once the others are done where a table that was named is gone, at once and each time", async () => {
    const named = { tables: [`${SCHEMA}.t`, `${SCHEMA}.u`] };
    await source.run(`${create("u")}; INSERT INTO u VALUES (7, 0, 0, 'u')`);
    expect(await bench.run(named)).toMatchObject({
      outcome: "succeeded",
      progress: { sums: { tables: 2, done: 2, failed: 0, skipped: 0 } },
    });
    await source.run("DROP TABLE t; INSERT INTO u VALUES (8, 0, 0, 'v')");
    for (const written of [1, 0]) {
      const ran = await bench.run(named);
      const error = expect.stringMatching(
        `1 of 2 tables failed. ${SCHEMA}.t: .*gone at the source.*The lake keeps the table as it was.*The others are up to date in the lake: ${SCHEMA}.u\\.`,
      );
      expect(ran).toMatchObject({
        outcome: "failed",
        retryable: false,
        error,
        progress: { sums: { done: 1, failed: 1, skipped: 0, rowsWritten: written } },
      });
      expect(ran.table(`${SCHEMA}.u`)).toMatchObject({ phase: "done", rowsWritten: written });
    }
    expect(await lake()).toHaveLength(2);
    expect(await bench.rows("SELECT id FROM u ORDER BY id")).toEqual([{ id: 7 }, { id: 8 }]);
    await source.run(`${create("t")}; INSERT INTO t VALUES (1, 0, 0, 'back')`);
    expect(await bench.run(named)).toMatchObject({ outcome: "succeeded" });
  });

  it("lets a star be that brings nothing, and a table go that a star had just brought, and says so of the run", async () => {
    await bench.run({ tables: [`${SCHEMA}.*`] });
    await source.run("DROP TABLE t");
    // The platform listed the table before the table went.
    const brought = await bench.run({ tables: [`${SCHEMA}.t`], brought: [`${SCHEMA}.t`] });
    expect(brought).toMatchObject({
      outcome: "succeeded",
      progress: {
        tables: [{ phase: "skipped", notes: [expect.stringContaining("gone at the source")] }],
        sums: { skipped: 1 },
      },
    });
    const empty = await bench.run({
      tables: [`${SCHEMA}.*`],
      leftOut: [{ path: `${SCHEMA}.x`, reason: "It is another's." }],
    });
    expect(empty).toMatchObject({
      outcome: "succeeded",
      progress: { notes: [expect.stringContaining(`${SCHEMA}.* brought no table`)] },
    });
    expect(empty.table(`${SCHEMA}.x`)).toMatchObject({ phase: "skipped", notes: ["It is another's."] });
  });

  it("reports about how many rows each table has before it is read", async () => {
    await source.run(`${create("many")}; INSERT INTO many ${source.numbersTo(3000)}; ${source.analyze("many")}`);
    const ran = await bench.run({ tables: [`${SCHEMA}.many`] });
    expect(ran.table(`${SCHEMA}.many`).rowsEstimated).toBeGreaterThan(1_500);
    expect(bench.platform.heartbeats.find(({ tables }) => tables.length > 0)!.tables[0]!.rowsEstimated).toBe(
      ran.table(`${SCHEMA}.many`).rowsEstimated,
    );
  });
});
