// `append`: only what is new arrives, once, from a PostgreSQL and a MariaDB; and a MariaDB's tables as they are.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectPostgres, ownPostgres } from "../../support/node/sources/sources.ts";
import { only, openAppendSuite } from "../../support/node/sync/append-suite.ts";
import type { SyncBench } from "../../support/node/sync/test-sync.ts";

const SCHEMA = `append_${process.pid}`;
const { append, client, root, servers } = await openAppendSuite(SCHEMA);
let bench: SyncBench;
afterEach(() => bench.close());

describe("append from PostgreSQL", () => {
  beforeEach(async () => {
    bench = await servers.PostgreSQL.open();
  });
  const ids = async (table: string) => (await bench.rows(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

  it("adds what is new by the key, a row that committed late among it, each once", async () => {
    await client.query(
      "CREATE TABLE log (id bigint PRIMARY KEY, what text); INSERT INTO log SELECT i, 'x' FROM generate_series(1, 1000) AS i WHERE i <> 990",
    );
    expect(only(await bench.run(append("log", "id")))).toMatchObject({
      method: "first full read",
      rowsWritten: 999,
      notes: [expect.stringContaining("committed since")],
    });
    await client.query(
      "INSERT INTO log VALUES (990, 'late'), (1001, 'new'); UPDATE log SET what = 'changed' WHERE id = 5; DELETE FROM log WHERE id = 6",
    );
    expect(only(await bench.run(append("log", "id")))).toMatchObject({
      method: "new rows by id",
      rowsRead: 1_000,
      rowsWritten: 2,
    });
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0 });
    expect(await ids("log")).toEqual(Array.from({ length: 1_001 }, (_, i) => i + 1));
    expect(bench.platform.commits.map(({ changes }) => changes.length)).toEqual([2, 1, 0]);
  });

  it("adds rows whose values are larger together than the memory there is", async () => {
    await client.query(
      "CREATE TABLE large (id int PRIMARY KEY, v text); INSERT INTO large SELECT i, repeat(md5(i::text), 327680) FROM generate_series(1, 45) AS i",
    );
    await bench.run(append("large", "id"));
    await client.query(
      "INSERT INTO large SELECT 100 + i, repeat(md5(i::text), 327680) FROM generate_series(1, 3) AS i",
    );
    const ran = await bench.run(append("large", "id"));
    expect(ran).toMatchObject({ outcome: "succeeded", error: null });
    expect(only(ran)).toMatchObject({ rowsRead: 48, rowsWritten: 3 });
    expect(await ids("large")).toEqual([...Array.from({ length: 45 }, (_, i) => i + 1), 101, 102, 103]);
  }, 120_000);

  it("adds what a long transaction committed late, however far below the largest key, and no row twice", async () => {
    await client.query(
      "CREATE TABLE log (id bigint PRIMARY KEY, what text); INSERT INTO log SELECT i, 'x' FROM generate_series(1, 200000) AS i WHERE i NOT IN (7, 8, 9)",
    );
    const other = await connectPostgres(ownPostgres());
    await other.query(
      `SET search_path = ${SCHEMA}; BEGIN; INSERT INTO log VALUES (7, 'late'); SAVEPOINT s; INSERT INTO log VALUES (8, 'later')`,
    );
    expect(only(await bench.run(append("log", "id")))).toMatchObject({
      rowsWritten: 199_997,
      notes: [expect.stringContaining("committed since")],
    });
    await client.query(
      "INSERT INTO log VALUES (200001, 'new'); UPDATE log SET what = 'changed' WHERE id IN (1, 100000)",
    );
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 1 });
    await other.query("COMMIT");
    await other.end();
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 2 });
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0 });
    expect(await bench.rows("SELECT id, what FROM log WHERE id < 10 AND what <> 'x' ORDER BY id")).toEqual([
      { id: 7, what: "late" },
      { id: 8, what: "later" },
    ]);
    expect(await bench.rows("SELECT count(*) AS n, count(DISTINCT id) AS d FROM log")).toEqual([
      { n: 200_000, d: 200_000 },
    ]);
  });

  it("adds late rows without a cursor's value, and after the table's columns changed; says so where they may be missing", async () => {
    await client.query(
      "CREATE TABLE t (id text PRIMARY KEY, updated_at timestamptz); INSERT INTO t SELECT i, TIMESTAMPTZ '2026-01-01' + i * INTERVAL '1 hour' FROM generate_series(1, 100) AS i",
    );
    const config = { ...append("t"), cursors: { [`${SCHEMA}.t`]: "updated_at" } };
    await bench.run(config);
    await client.query(
      "ALTER TABLE t ADD COLUMN more int DEFAULT 5; INSERT INTO t (id, updated_at) VALUES ('none', NULL), ('old', '2025-01-01')",
    );
    expect(only(await bench.run(config))).toMatchObject({ rowsWritten: 2 });
    expect(only(await bench.run(config))).toMatchObject({ rowsWritten: 0 });
    await client.query(
      "CREATE TABLE u (LIKE t INCLUDING ALL); INSERT INTO u SELECT * FROM t; INSERT INTO u (id, updated_at) VALUES ('older', '2024-01-01'); DROP TABLE t; ALTER TABLE u RENAME TO t",
    );
    expect(only(await bench.run(config)).notes.join(" ")).toMatch(/may be missing.*dropped and created/);
  });

  it("reads no row of long ago again, and only the lake's files of lately", async () => {
    await client.query("CREATE TABLE log (id int PRIMARY KEY); INSERT INTO log SELECT generate_series(1, 200000)");
    await bench.run(append("log", "id"));
    await client.query("INSERT INTO log SELECT generate_series(200001, 200010)");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsRead: 50_011, rowsWritten: 10 });
    expect(await bench.rows("SELECT count(*) AS n, count(DISTINCT id) AS d FROM log")).toEqual([
      { n: 200_010, d: 200_010 },
    ]);
  });

  it("goes by an update column where one is named, and adds a changed row beside its earlier self", async () => {
    await client.query(
      "CREATE TABLE t (id text PRIMARY KEY, touched timestamptz NOT NULL); INSERT INTO t SELECT i, TIMESTAMPTZ '2026-01-01' + i * INTERVAL '1 minute' FROM generate_series(1, 300) AS i; INSERT INTO t VALUES ('never', 'infinity')",
    );
    const config = { ...append("t"), cursors: { [`${SCHEMA}.t`]: "touched" } };
    await bench.run(config);
    await client.query(
      "UPDATE t SET touched = TIMESTAMPTZ '2026-01-02' WHERE id = '7'; INSERT INTO t VALUES ('new', '2026-01-01 04:30')",
    );
    expect(only(await bench.run(config))).toMatchObject({
      rowsRead: 64,
      rowsWritten: 2,
      method: "new rows by touched",
    });
    expect(await bench.rows("SELECT count(*) AS n FROM t WHERE id = '7'")).toEqual([{ n: 2 }]);
    expect(await bench.run({ ...append("t"), cursors: { [`${SCHEMA}.t`]: "id" } })).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("Run the sync in full once"),
    });
  });

  it.each([true, false])(
    "leaves one row a key once it is merged instead, by the same cursor (told by the state: %s)",
    async (isReported) => {
      const cursors = { [`${SCHEMA}.t`]: "upd" };
      await client.query(
        "CREATE TABLE t (id int PRIMARY KEY, upd date); INSERT INTO t VALUES (1, '2020-01-01'), (2, '2020-01-01')",
      );
      await bench.run({ ...append("t"), cursors });
      await client.query("UPDATE t SET upd = '2021-01-01' WHERE id = 1; INSERT INTO t VALUES (3, '2026-01-01')");
      expect(only(await bench.run({ ...append("t"), cursors }))).toMatchObject({ rowsWritten: 2 });
      if (!isReported)
        for (const [key, text] of bench.platform.state)
          bench.platform.state.set(key, JSON.stringify({ ...JSON.parse(text), isAppended: undefined }));
      const merge = { ...append("t"), cursors, loadMethod: "merge" as const };
      const merged = only(await bench.run(merge));
      expect(merged).toMatchObject({ method: "full read", rowsWritten: 3, rowsDeleted: 4 });
      expect(merged.notes).toContain(
        "Rows were appended to it before, beside what they were earlier. So all of it is read.",
      );
      expect(await ids("t")).toEqual([1, 2, 3]);
      expect(only(await bench.run(merge))).toMatchObject({ method: "rows changed by upd", rowsWritten: 0 });
    },
  );

  it("counts equal rows of a table without a key", async () => {
    await client.query(
      "CREATE TABLE events (created_at timestamp NOT NULL, tags text[]); INSERT INTO events VALUES ('2026-01-01 10:00', '{a}'), ('2026-01-01 10:00', '{a}')",
    );
    await bench.run(append("events", "created_at"));
    await client.query("INSERT INTO events VALUES ('2026-01-01 10:00', '{a}'), ('2026-01-01 10:30', '{b}')");
    expect(only(await bench.run(append("events", "created_at")))).toMatchObject({ rowsRead: 4, rowsWritten: 2 });
    expect(await bench.rows("SELECT count(*) AS n FROM events")).toEqual([{ n: 4 }]);
  });

  it("adds all rows only where it is asked to", async () => {
    await client.query("CREATE TABLE bare (v text); INSERT INTO bare VALUES ('a')");
    expect((await bench.run(append("bare"))).outcome).toBe("succeeded");
    expect(only(await bench.run(append("bare")))).toMatchObject({ rowsWritten: 0 });
    expect(only(await bench.run({ ...append("bare"), appendFullRows: true }))).toMatchObject({
      method: "all rows added",
      rowsWritten: 1,
    });
    expect(await bench.rows("SELECT count(*) AS n FROM bare")).toEqual([{ n: 2 }]);
    await bench.run({ ...append("bare"), full: true });
    expect(await bench.rows("SELECT count(*) AS n FROM bare")).toEqual([{ n: 1 }]);
  });

  it("keeps old rows when columns come, go and widen, and refuses what they can't fit", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, n smallint NOT NULL, gone text NOT NULL); INSERT INTO t VALUES (1, 1, 'g')",
    );
    await bench.run(append("t"));
    await client.query(
      "ALTER TABLE t ADD COLUMN extra text, ALTER COLUMN n TYPE int, DROP COLUMN gone; INSERT INTO t VALUES (2, 70000, 'e')",
    );
    expect(only(await bench.run(append("t"))).notes.join(" ")).toMatch(
      /n became integer.*extra is new; rows that were there have NULL.*gone is gone/,
    );
    expect(await bench.rows("FROM t ORDER BY id")).toEqual([
      { id: 1, n: 1, gone: "g", extra: null },
      { id: 2, n: 70_000, gone: null, extra: "e" },
    ]);
    await client.query("ALTER TABLE t ALTER COLUMN n TYPE text");
    expect(await bench.run(append("t"))).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringContaining("run the sync in full"),
    });
    expect(await bench.rows("SELECT count(*) AS n FROM t")).toEqual([{ n: 2 }]);
  });

  it("does not touch a table that the sync has not written", async () => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)");
    await bench.run({ ...append("t"), syncId: "another" });
    expect(await bench.run(append("t"))).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("this sync has not written"),
    });
  });
});

describe("from MariaDB", () => {
  beforeEach(async () => {
    bench = await servers.MariaDB.open();
  });
  const sourceRows = async (sql: string): Promise<unknown[][]> => (await root.query(sql))[0] as unknown[][];

  it("brings every row of every type as it is at the source, twice", async () => {
    await root.query(`
      CREATE TABLE kinds (a INT UNSIGNED, b VARCHAR(50), big BIGINT UNSIGNED, amount DECIMAL(20,4), flag TINYINT(1), d DOUBLE, day DATE, moment TIMESTAMP(6) NULL, happened DATETIME(3), clock TIME,
        doc JSON, raw BLOB, feeling ENUM('sad','ok'), bits BIT(9), yr YEAR, \`Mixed Case\` TEXT, PRIMARY KEY (a, b));
      INSERT INTO kinds SELECT seq, CONCAT('key ', seq), 18446744073709551615 - seq, seq / 7, seq % 2, seq / 9, DATE '2020-01-01' + INTERVAL seq % 3000 DAY, TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq * 1000001 MICROSECOND,
        TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq MINUTE, SEC_TO_TIME(seq), JSON_OBJECT('i', seq), UNHEX(MD5(seq)), IF(seq % 2, 'sad', 'ok'), seq % 512, 2000 + seq % 50, NULLIF(CONCAT('é ', seq), 'é 5') FROM seq_1_to_20000;
      INSERT INTO kinds (a, b) VALUES (0, '')`);
    const check = async () => {
      const mine = await bench.texts(
        "SELECT a::varchar, b, big::varchar, amount::varchar, flag::varchar, d, day::varchar, epoch_us(moment)::varchar, strftime(happened, '%Y-%m-%d %H:%M:%S.%g'), clock, doc::varchar, md5(raw), feeling, bits::varchar, yr::varchar, \"Mixed Case\" FROM kinds ORDER BY kinds.a",
      );
      const theirs = await sourceRows(
        "SELECT CAST(a AS CHAR), b, CAST(big AS CHAR), CAST(amount AS CHAR), CAST(flag AS CHAR), d, CAST(day AS CHAR), CAST(CAST(UNIX_TIMESTAMP(moment) * 1000000 AS SIGNED) AS CHAR), CAST(happened AS CHAR), CAST(clock AS CHAR), CAST(doc AS CHAR), MD5(raw), CAST(feeling AS CHAR), CAST(bits + 0 AS CHAR), CAST(yr AS CHAR), `Mixed Case` FROM kinds ORDER BY kinds.a",
      );
      expect(mine.length).toBe(theirs.length);
      for (const [i, row] of mine.entries()) expect(row).toEqual(theirs[i]);
    };
    const ran = await bench.run({ tables: [`${SCHEMA}.*`] });
    expect(ran).toMatchObject({ outcome: "succeeded", error: null });
    expect(only(ran)).toMatchObject({ rowsRead: 20_001, rowsWritten: 20_001 });
    await check();
    await root.query(
      "DELETE FROM kinds WHERE a % 3 = 0; UPDATE kinds SET amount = -1 WHERE a % 5 = 0; INSERT INTO kinds (a, b) VALUES (100000, 'new')",
    );
    expect((await bench.run({ tables: [`${SCHEMA}.*`] })).outcome).toBe("succeeded");
    await check();
  });

  it("adds what is new by the key, and by a moment", async () => {
    await root.query(
      "CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT); INSERT INTO log VALUES (1), (2), (5); CREATE TABLE moments (k CHAR(3) PRIMARY KEY, created_at TIMESTAMP NOT NULL); INSERT INTO moments VALUES ('a', '2026-01-01 10:00:00')",
    );
    const both = {
      tables: [`${SCHEMA}.log`, `${SCHEMA}.moments`],
      loadMethod: "append" as const,
      cursors: { [`${SCHEMA}.log`]: "id", [`${SCHEMA}.moments`]: "created_at" },
    };
    await bench.run(both);
    await root.query(
      "INSERT INTO log VALUES (4), (6); INSERT INTO moments VALUES ('b', '2026-01-01 09:30:00'), ('old', '2026-01-01 08:00:00')",
    );
    const ran = await bench.run(both);
    expect(ran.table(`${SCHEMA}.log`)).toMatchObject({ rowsWritten: 2, method: "new rows by id" });
    expect(ran.table(`${SCHEMA}.moments`)).toMatchObject({ rowsWritten: 1, method: "new rows by created_at" });
    expect(await bench.rows("SELECT id FROM log ORDER BY id")).toEqual([1, 2, 4, 5, 6].map((id) => ({ id })));
  });

  it("fails with leave to try again where the source is killed in the middle, and leaves the lake as it was", async () => {
    await root.query(
      "CREATE TABLE t (id INT PRIMARY KEY, filler CHAR(200)); INSERT INTO t SELECT seq, 'x' FROM seq_1_to_300000; CREATE TABLE u (id INT PRIMARY KEY)",
    );
    const job = bench.start({ tables: [`${SCHEMA}.t`, `${SCHEMA}.u`] });
    const reading = () =>
      sourceRows(
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT%filler%' AND info NOT LIKE '%processlist%'",
      );
    let found: unknown[][] = [];
    await expect
      .poll(async () => (found = await reading()).length, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(0);
    await root.query(`KILL ${String(found[0]![0])}`);
    expect(await bench.ended(job)).toMatchObject({ outcome: "failed", retryable: true });
    expect(bench.platform.commits).toHaveLength(0);
    expect(await bench.run({ tables: [`${SCHEMA}.t`, `${SCHEMA}.u`] })).toMatchObject({ outcome: "succeeded" });
    expect(await bench.rows("SELECT count(*) AS n, count(DISTINCT id) AS d FROM t")).toEqual([
      { n: 300_000, d: 300_000 },
    ]);
  });
});
