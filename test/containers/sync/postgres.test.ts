// The sync job on a real PostgreSQL: what arrives, what a second run does, and what becomes of changed columns.

import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectPostgres, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncBench } from "../../support/node/sync/test-sync.ts";

const server = ownPostgres();
const SCHEMA = `sync_${process.pid}`;
let client: pg.Client;
let bench: SyncBench;

beforeAll(async () => {
  client = await connectPostgres(server);
  await client.query("SET timezone = 'UTC'");
});
afterAll(async () => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await client.end();
});
beforeEach(async () => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
  bench = await SyncBench.open(postgresSource(server));
});
afterEach(() => bench.close());

const of = (...names: string[]) => ({ tables: names.map((name) => `${SCHEMA}.${name}`) });
const sourceRows = async (sql: string): Promise<unknown[][]> =>
  (await client.query({ text: sql, rowMode: "array" })).rows as unknown[][];

describe("a full read", () => {
  it("brings every row of every type as it is at the source", async () => {
    await client.query(`
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');
      CREATE TABLE kinds (a int, b text, small smallint, big bigint, amount numeric(20,4), free numeric, flag boolean, real4 real, double8 double precision,
        day date, clock time, happened timestamp, moment timestamptz, id uuid, doc jsonb, raw bytea, feeling mood, tags text[], span interval, "Mixed Case" text, doubled int GENERATED ALWAYS AS (a * 2) STORED, PRIMARY KEY (a, b));
      INSERT INTO kinds SELECT i, 'key ' || i, i % 30000, i * 1000000007::bigint, i / 7.0, i / 3.0, i % 2 = 0, i / 3.0, i / 9.0::double precision,
        DATE '2020-01-01' + i % 3000, TIME '00:00' + i * INTERVAL '1 second', TIMESTAMP '2020-01-01' + i * INTERVAL '1.000001 second', TIMESTAMPTZ '2020-01-01 00:00+02' + i * INTERVAL '1 minute',
        md5(i::text)::uuid, jsonb_build_object('i', i, 'n', NULL), decode(md5(i::text), 'hex'), (ARRAY['sad', 'ok', 'it''s fine'])[1 + i % 3]::mood, ARRAY['x' || i, NULL, ''], i * INTERVAL '1 hour', NULLIF('é ' || i, 'é 5')
      FROM generate_series(1, 20000) AS i;
      INSERT INTO kinds (a, b) VALUES (-1, 'all NULL'), (-2, '')`);
    const ran = await bench.run(of("kinds"));
    expect(ran).toMatchObject({ outcome: "succeeded", error: null });
    expect(ran.table(`${SCHEMA}.kinds`)).toMatchObject({
      phase: "done",
      rowsRead: 20_002,
      rowsWritten: 20_002,
      method: "full read",
      dest: "main.kinds",
      error: null,
    });

    const same =
      'a::text, b, small::text, big::text, amount::text, free::text, flag::text, day::text, clock::text, feeling::text, id::text, "Mixed Case", doubled::text';
    const mine = await bench.texts(
      `SELECT ${same.replaceAll("::text", "::varchar")}, md5(raw), doc::varchar, to_json(tags)::varchar, strftime(happened, '%Y-%m-%d %H:%M:%S.%f'), epoch_us(moment)::varchar, real4::double, double8 FROM kinds ORDER BY kinds.a`,
    );
    const theirs = await sourceRows(
      `SELECT ${same}, md5(raw), doc::text, to_json(tags)::text, to_char(happened, 'YYYY-MM-DD HH24:MI:SS.US'), (extract(epoch FROM moment) * 1000000)::bigint::text, real4::double precision, double8 FROM kinds ORDER BY kinds.a`,
    );
    expect(mine).toHaveLength(20_002);
    for (const [i, row] of mine.entries()) expect(row).toEqual(theirs[i]);
    expect(bench.platform.commits).toHaveLength(1);
    expect(bench.platform.commits[0]).toMatchObject({
      key: `sync/run-1/${SCHEMA}.kinds`,
      actor: "sync:sync-1",
      changes: [{ kind: "create_table" }, { kind: "append" }],
    });
  });

  it("expands a star, takes views where they are named, and reads all from one snapshot", async () => {
    await client.query(
      "CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1); CREATE TABLE empty (id int); CREATE VIEW seen AS SELECT id + 1 AS id FROM one; CREATE VIEW unseen AS SELECT 1 AS id",
    );
    await client.query(
      "CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10); INSERT INTO parted VALUES (3)",
    );
    const ran = await bench.run(of("*", "seen"));
    expect(ran.outcome).toBe("succeeded");
    expect(ran.progress.tables.map(({ source }) => source.split(".")[1]).sort()).toEqual([
      "empty",
      "one",
      "parted",
      "seen",
    ]);
    expect(
      await bench.rows(
        "SELECT (SELECT id FROM one) AS one, (SELECT id FROM seen) AS seen, (SELECT id FROM parted) AS parted, (SELECT count(*) FROM empty) AS empty",
      ),
    ).toEqual([{ one: 1, seen: 2, parted: 3, empty: 0 }]);
    expect((await bench.run({ ...of("*", "seen"), only: [`${SCHEMA}.one`] })).progress.tables).toHaveLength(1);
  });

  it("is exact again after inserts, updates and deletes, whole or not at all", async () => {
    await client.query("CREATE TABLE moved AS SELECT i AS id, i * 2 AS v FROM generate_series(1, 5000) AS i");
    await bench.run(of("moved"));
    await client.query(
      "DELETE FROM moved WHERE id % 10 = 0; UPDATE moved SET v = -v WHERE id % 7 = 0; INSERT INTO moved SELECT i, 1 FROM generate_series(6000, 6100) AS i",
    );
    const ran = await bench.run(of("moved"));
    expect(ran.table(`${SCHEMA}.moved`).notes.join(" ")).toContain("no primary key");
    const [[count]] = (await sourceRows("SELECT count(*)::int FROM moved")) as [[number]];
    expect(await bench.texts("SELECT id, v FROM moved ORDER BY id")).toEqual(
      await sourceRows("SELECT id, v FROM moved ORDER BY id"),
    );
    expect(ran.table(`${SCHEMA}.moved`).rowsWritten).toBe(count);
    expect(bench.platform.commits.at(-1)!.changes.map(({ kind }) => kind)).toEqual(["overwrite"]);
  });

  it("reads a column as text once a value does not fit its type, and remembers it", async () => {
    await client.query(
      "CREATE TABLE odd (id int PRIMARY KEY, n numeric(10,2)); INSERT INTO odd SELECT i, i FROM generate_series(1, 3000) AS i; INSERT INTO odd VALUES (0, 'NaN')",
    );
    const ran = await bench.run(of("odd"));
    expect(ran.table(`${SCHEMA}.odd`)).toMatchObject({
      rowsRead: 3_001,
      rowsWritten: 3_001,
      notes: [expect.stringContaining("NaN")],
    });
    expect(await bench.rows("SELECT n FROM odd WHERE id = 0")).toEqual([{ n: "NaN" }]);
    expect((await bench.run(of("odd"))).table(`${SCHEMA}.odd`)).toMatchObject({
      notes: [],
      rowsRead: 0,
      phase: "done",
    });
  });
});

describe("a run that meets trouble", () => {
  const three = () =>
    client.query(
      "CREATE TABLE good (id int PRIMARY KEY); INSERT INTO good VALUES (1); CREATE TABLE fine (id int PRIMARY KEY); INSERT INTO fine VALUES (2); CREATE VIEW broken AS SELECT 1 / (id - 1) AS x FROM good",
    );

  it("syncs the other tables where one fails, and says which and why", async () => {
    await three();
    const ran = await bench.run(of("good", "broken", "fine"));
    expect(ran).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringMatching(new RegExp(`1 of 3 tables failed. ${SCHEMA}.broken: .*division by zero`)),
    });
    expect(ran.progress.tables.map(({ phase }) => phase)).toEqual(["done", "failed", "done"]);
    expect(await bench.rows("SELECT (SELECT id FROM good) AS good, (SELECT id FROM fine) AS fine")).toEqual([
      { good: 1, fine: 2 },
    ]);
  });

  it("does in another attempt only what the first left undone", async () => {
    await three();
    await bench.run({ ...of("good", "broken"), runId: "the-run" });
    await client.query("INSERT INTO good VALUES (3); CREATE OR REPLACE VIEW broken AS SELECT 1 AS x");
    const again = await bench.run({ ...of("good", "broken"), runId: "the-run", attempt: 2 });
    expect(again).toMatchObject({ outcome: "succeeded" });
    expect(again.table(`${SCHEMA}.good`)).toMatchObject({
      phase: "done",
      rowsRead: 1,
      rowsWritten: 1,
      notes: [expect.stringContaining("earlier attempt")],
    });
    expect(bench.platform.commits).toHaveLength(2);
  });

  it("commits once where the answer to the commit is lost", async () => {
    await three();
    bench.platform.losingAnswers = 1;
    const ran = await bench.run({ ...of("good"), loadMethod: "append" });
    expect(ran.table(`${SCHEMA}.good`)).toMatchObject({ phase: "done", rowsWritten: 1 });
    expect(bench.platform.commits).toHaveLength(1);
    expect(await bench.rows("SELECT count(*) AS n FROM good")).toEqual([{ n: 1 }]);
  });

  it("fails with leave to try again where the source is killed in the middle, and leaves the lake as it was", async () => {
    await client.query(
      "CREATE TABLE long AS SELECT i AS id, repeat('x', 200) AS filler FROM generate_series(1, 1500000) AS i",
    );
    const job = bench.start(of("long"));
    await expect
      .poll(
        async () =>
          (
            await client.query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fjord sync sync-1' AND query LIKE 'COPY%' AND state = 'active'",
            )
          ).rowCount,
        { timeout: 60_000, interval: 20 },
      )
      .toBeGreaterThan(0);
    expect(await bench.ended(job)).toMatchObject({
      outcome: "failed",
      retryable: true,
      error: expect.stringContaining("1 of 1 tables failed"),
    });
    expect(bench.platform.commits).toHaveLength(0);
    expect(bench.platform.tables).toHaveLength(0);
    expect(await bench.run({ ...of("long"), attempt: 2 })).toMatchObject({ outcome: "succeeded" });
    expect(await bench.rows("SELECT count(*) AS n, count(DISTINCT id) AS d FROM long")).toEqual([
      { n: 1_500_000, d: 1_500_000 },
    ]);
  });

  it("ends soon after it is cancelled, reports so, and leaves nothing running at the source", async () => {
    await client.query(
      "CREATE TABLE long AS SELECT i AS id, repeat('x', 200) AS filler FROM generate_series(1, 1500000) AS i",
    );
    const job = bench.start(of("long"));
    const readers = async () =>
      (
        await client.query(
          "SELECT FROM pg_stat_activity WHERE application_name = 'fjord sync sync-1' AND query LIKE 'COPY%'",
        )
      ).rowCount;
    await expect.poll(readers, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    expect(bench.jobs.cancel(job)).toBe(true);
    expect(await bench.ended(job)).toMatchObject({ outcome: "cancelled" });
    await expect.poll(readers, { timeout: 60_000, interval: 50 }).toBe(0);
    expect(bench.platform.commits).toHaveLength(0);
  });

  it("says what to do where the source refuses the password", async () => {
    const wrong = postgresSource(server, { password: "canary-of-a-password" });
    const ran = await bench.run({ ...of("good"), source: wrong });
    expect(ran).toMatchObject({ outcome: "failed", retryable: false });
    expect(ran.error).not.toContain("canary");
  });
});

describe("columns that change", () => {
  it("are added and widened in place by a full read, and noted", async () => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY, n smallint, f real); INSERT INTO t VALUES (1, 2, 0.5)");
    await bench.run(of("t"));
    const { tableId } = bench.platform.tables[0]!;
    await client.query(
      "ALTER TABLE t ADD COLUMN extra text DEFAULT 'd', ALTER COLUMN n TYPE bigint, ALTER COLUMN f TYPE double precision; INSERT INTO t VALUES (2, 5000000000, 0.1, 'e')",
    );
    const ran = await bench.run(of("t"));
    expect(ran.table(`${SCHEMA}.t`).notes).toEqual([
      expect.stringContaining("n became bigint"),
      expect.stringContaining("f became double precision"),
      "Column extra is new.",
      expect.stringContaining("columns or partitions changed"),
    ]);
    expect(bench.platform.commits.at(-1)!.changes.map(({ kind }) => kind)).toEqual(["alter_table", "overwrite"]);
    expect(bench.platform.tables[0]).toMatchObject({
      tableId,
      columns: [{ type: "int32" }, { type: "int64" }, { type: "float64" }, { id: 4, type: "varchar", nullable: true }],
    });
    expect(await bench.rows("FROM t ORDER BY id")).toEqual([
      { id: 1, n: 2, f: 0.5, extra: "d" },
      { id: 2, n: 5_000_000_000, f: 0.1, extra: "e" },
    ]);
  });

  it.each([
    ["renamed", "RENAME COLUMN n TO m", { id: 1, m: 2 }],
    ["dropped", "DROP COLUMN n", { id: 1 }],
    ["narrowed", "ALTER COLUMN n TYPE smallint", { id: 1, n: 2 }],
    ["of another type", "ALTER COLUMN n TYPE text", { id: 1, n: "2" }],
  ])("and are %s make the table anew, and told", async (_name, change, row) => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 2)");
    await bench.run(of("t"));
    await client.query(`ALTER TABLE t ${change}`);
    const ran = await bench.run(of("t"));
    expect(ran).toMatchObject({ outcome: "succeeded" });
    expect(ran.table(`${SCHEMA}.t`).notes.join(" ")).toContain("made anew");
    expect(bench.platform.commits.at(-1)!.changes).toMatchObject([
      { kind: "create_table", orReplace: true },
      { kind: "append" },
    ]);
    expect(await bench.rows("FROM t")).toEqual([row]);
  });

  it("leave the lake's table alone where the source's vanished, and the run fails for one that is named beside a star", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1); CREATE TABLE u (id int); CREATE TABLE w (id int)",
    );
    await bench.run(of("t", "*"));
    await client.query("DROP TABLE t; DROP TABLE u");
    const ran = await bench.run(of("t", "*"));
    expect(ran).toMatchObject({
      outcome: "failed",
      retryable: false,
      progress: { sums: { done: 1, failed: 1, skipped: 1 } },
    });
    expect(ran.table(`${SCHEMA}.t`)).toMatchObject({
      phase: "failed",
      error: expect.stringContaining("gone at the source"),
    });
    expect(ran.table(`${SCHEMA}.u`)).toMatchObject({
      phase: "skipped",
      method: "kept",
      notes: [expect.stringContaining("gone at the source")],
    });
    expect(await bench.rows("FROM t")).toEqual([{ id: 1 }]);
    expect(await bench.run(of("never"))).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringContaining(`no table ${SCHEMA}.never`),
    });
  });

  it("replaces a table that another wrote, and says so", async () => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)");
    await bench.run({ ...of("t"), syncId: "another" });
    const ran = await bench.run(of("t"));
    expect(ran.table(`${SCHEMA}.t`).notes.join(" ")).toContain("did not write");
    expect(bench.platform.commits.at(-1)!.changes).toMatchObject([
      { kind: "create_table", orReplace: true },
      { kind: "append" },
    ]);
  });
});
