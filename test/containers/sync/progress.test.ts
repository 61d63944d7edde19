// What a run tells of itself while it goes on, and of tables it can't have.

import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { LongRunningTables } from "../../../containers/engine/jobs/sync/progress/long-running-tables.ts";
import { startProgress } from "../../../containers/engine/jobs/sync/progress/progress.ts";
import { mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncBench } from "../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../support/node/sync/sync-servers.ts";

const postgres = ownPostgres();
const SCHEMA = `progress_${process.pid}`;
const ROLE = `reader_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
let bench: SyncBench;

describe("a run from PostgreSQL", () => {
  beforeEach(async () => {
    await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
    await client.query(
      `DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD 'p'; EXCEPTION WHEN duplicate_object THEN NULL; END $$; GRANT USAGE ON SCHEMA ${SCHEMA} TO ${ROLE}`,
    );
    bench = await SyncBench.open(postgresSource({ ...postgres, username: ROLE, password: "p" }));
  });
  afterEach(() => bench.close());

  it("reports its tables and about how many rows they have at once, and then how far it is every two seconds or so", async () => {
    await client.query(`
      CREATE TABLE slow (id int PRIMARY KEY, pause int); INSERT INTO slow SELECT i, i % 2000 FROM generate_series(1, 240000) AS i; ANALYZE slow;
      CREATE TABLE parts (id int) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT; INSERT INTO parts SELECT generate_series(1, 1000); ANALYZE part;
      CREATE VIEW napping AS SELECT id, CASE WHEN pause = 0 THEN pg_sleep(0.05)::text END AS nap FROM slow; GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${ROLE}`);
    const ran = await bench.run({ tables: ["slow", "parts", "napping"].map((name) => `${SCHEMA}.${name}`) });
    expect(ran, JSON.stringify(ran)).toMatchObject({
      outcome: "succeeded",
      progress: { sums: { tables: 3, done: 3, rowsRead: 481_000 } },
    });
    const [first] = bench.platform.heartbeats.filter(({ tables }) => tables.length > 0);
    expect(first!.tables.map(({ rowsEstimated, rowsRead }) => ({ rowsEstimated, rowsRead }))).toEqual(
      [240_000, 1_000, null].map((rowsEstimated) => ({ rowsEstimated, rowsRead: 0 })),
    );
    const seen = new Set(
      bench.platform.heartbeats.map(
        ({ tables }) => tables.find(({ source }) => source.endsWith("napping"))?.rowsRead ?? 0,
      ),
    );
    expect([...seen].filter((rows) => rows > 0 && rows < 240_000).length).toBeGreaterThanOrEqual(2);
  });

  it("says of a table that was named why it can't have it", async () => {
    await client.query(`
      CREATE TABLE secret (id int); CREATE TABLE parts (id int) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT; CREATE TABLE bare (); CREATE TABLE good (id int PRIMARY KEY);
      GRANT SELECT ON parts, part, bare, good TO ${ROLE}`);
    const ran = await bench.run({
      tables: ["secret", "part", "bare", "never", "good"].map((name) => `${SCHEMA}.${name}`),
    });
    expect(ran).toMatchObject({ outcome: "failed", retryable: false, progress: { sums: { done: 1, failed: 4 } } });
    const error = (name: string) => ran.table(`${SCHEMA}.${name}`).error;
    expect(error("secret")).toMatch(/this role may not read it: grant it SELECT/);
    expect(error("part")).toContain(`is a partition of ${SCHEMA}.parts`);
    expect(error("bare")).toMatch(/has no columns.*Add one, or leave the table out/);
    expect(error("never")).toContain(`The source has no table ${SCHEMA}.never.`);
    expect(ran.error).toContain(`The others are up to date in the lake: ${SCHEMA}.good.`);
    await client.query(`REVOKE USAGE ON SCHEMA ${SCHEMA} FROM ${ROLE}`);
    const later = await bench.run({ tables: [`${SCHEMA}.good`] });
    expect(later).toMatchObject({ outcome: "failed", retryable: false });
    expect(later.table(`${SCHEMA}.good`).error).toMatch(
      /grant it USAGE on its schema\. The lake keeps the table as it was/,
    );
  });
});

describe("a run from MariaDB", () => {
  it("fails, saying which, where a table's rights are gone or a view has lost its table, and does the rest", async () => {
    const mariadb = inject("mariadb");
    await root.query(
      `DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA}; USE ${SCHEMA}; CREATE TABLE good (id int PRIMARY KEY); CREATE TABLE secret (id int PRIMARY KEY); CREATE TABLE base (id int); CREATE VIEW hollow AS SELECT id FROM base`,
    );
    await root.query(
      `CREATE OR REPLACE USER ${ROLE} IDENTIFIED BY 'p'; ${["good", "secret", "hollow"].map((name) => `GRANT SELECT ON ${SCHEMA}.${name} TO ${ROLE}`).join("; ")}`,
    );
    bench = await SyncBench.open(mariadbSource({ ...mariadb, username: ROLE, password: "p" }, SCHEMA));
    try {
      const all = { tables: ["good", "secret", "hollow"].map((name) => `${SCHEMA}.${name}`) };
      expect(await bench.run(all)).toMatchObject({ outcome: "succeeded" });
      await root.query(`DROP TABLE base; REVOKE SELECT ON ${SCHEMA}.secret FROM ${ROLE}; INSERT INTO good VALUES (1)`);
      const ran = await bench.run(all);
      expect(ran).toMatchObject({
        outcome: "failed",
        retryable: false,
        progress: { sums: { done: 1, failed: 2, rowsWritten: 1 } },
      });
      expect(ran.table(`${SCHEMA}.secret`).error).toMatch(
        /gone at the source, or this account may not read it any more\. The lake keeps/,
      );
      expect(ran.table(`${SCHEMA}.hollow`).error).toMatch(/hollow/);
    } finally {
      await bench.close();
      await root.query(`DROP USER ${ROLE}`);
    }
  });
});

describe("a run's log", () => {
  const table = (more = {}) => ({
    ...startProgress("a.t", "s.t", 1_000_000),
    phase: "reading" as const,
    method: "full read",
    ...more,
  });

  it("says of a table that takes long how far it is, how fast, and how long it will take", () => {
    const long = new LongRunningTables();
    const lines = (ms: number, more: object) => long.lines([table(more)], ms);
    expect(lines(0, { rowsRead: 0 })).toEqual([]);
    expect(lines(29_999, { rowsRead: 99_000 })).toEqual([]);
    expect(lines(30_000, { rowsRead: 100_000 })).toEqual([
      "a.t: reading, 100000 of about 1000000 rows read, 3333 a second, about 5 min left.",
    ]);
    expect(lines(60_000, { rowsRead: 100_000 })).toEqual(["a.t: reading, 100000 rows read; none for the last 30 s."]);
    expect(lines(90_000, { rowsRead: 1_300_000 })).toEqual([
      "a.t: reading, 1300000 of about 1300000 rows read, 40000 a second, about 0 s left.",
    ]);
    expect(lines(120_000, { phase: "comparing", rowsCompared: 5 })).toEqual([
      "a.t: comparing, 5 of about 1000000 rows compared.",
    ]);
    expect(lines(150_000, { phase: "reading", method: "rows written since the last run", rowsRead: 7 })).toEqual([
      "a.t: reading, 7 of about 1000000 rows read.",
    ]);
    expect(lines(180_000, { phase: "writing", rowsWritten: 8 })).toEqual(["a.t: writing, 8 rows written."]);
    expect(lines(210_000, { phase: "done" })).toEqual([]);
    expect(lines(211_000, { rowsRead: 9 }), "begun anew").toEqual([]);
  });

  it("has a bounded number of lines of a table, however long it takes", () => {
    const long = new LongRunningTables();
    let lines = 0;
    for (let seconds = 0; seconds <= 86_400; seconds += 5)
      lines += long.lines([table({ rowsRead: seconds })], seconds * 1_000).length;
    expect(lines).toBeGreaterThan(30);
    expect(lines).toBeLessThan(100);
  });
});
