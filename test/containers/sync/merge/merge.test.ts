// `merge`: after every run the lake equals the source, and what did not change is neither read nor written again.

import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { ReadRequest } from "../../../../containers/engine/extract/readable-snapshot.ts";
import { PostgresSnapshot } from "../../../../containers/engine/sources/postgres/extraction/snapshot.ts";
import { connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `merge_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
let bench: SyncBench;
afterEach(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

const merge = (name: string) => ({ tables: [`${SCHEMA}.${name}`] });
const only = (ran: Ran) => ran.progress.tables[0]!;
const lastChanges = () => bench.platform.commits.at(-1)!.changes.map(({ kind }) => kind);

describe("from PostgreSQL", () => {
  beforeEach(async () => {
    await client.query(
      `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}; SET timezone = 'UTC'`,
    );
    bench = await SyncBench.open(postgresSource(postgres));
  });
  const WRITTEN = "rows written since the last run";
  const equals = async (columns: string, order: string) => {
    const theirs = (await client.query({ text: `SELECT ${columns} FROM t ORDER BY ${order}`, rowMode: "array" }))
      .rows as unknown[][];
    expect(await bench.texts(`SELECT ${columns} FROM t ORDER BY ${order}`)).toEqual(theirs);
  };

  /** The readings of a run: the condition of each, and the rows that came. */
  const readings = async (run: () => Promise<unknown>): Promise<{ where: string | undefined; rows: number }[]> => {
    const made: { where: string | undefined; rows: number }[] = [];
    const { read } = PostgresSnapshot.prototype;
    vi.spyOn(PostgresSnapshot.prototype, "read").mockImplementation(function (this: PostgresSnapshot, request) {
      const reading = { where: request.where, rows: 0 };
      made.push(reading);
      const take: ReadRequest["take"] = (chunk, oddFloats) => {
        reading.rows += chunk.rows;
        return request.take(chunk, oddFloats);
      };
      return read.call(this, { ...request, take });
    });
    await run();
    vi.restoreAllMocks();
    return made;
  };

  it("moves only what was inserted, updated and deleted, run after run", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int, note text); INSERT INTO t SELECT i, i, NULLIF('n' || i % 10, 'n3') FROM generate_series(1, 100000) AS i",
    );
    await bench.run(merge("t"));
    for (const round of [1, 2, 3]) {
      await client.query(
        `UPDATE t SET v = -${round} WHERE id % 997 = ${round}; DELETE FROM t WHERE id % 1009 = ${round}; INSERT INTO t SELECT 100000 + ${round} * 1000 + i, 0, NULL FROM generate_series(1, 50) AS i`,
      );
      const ran = await bench.run(merge("t"));
      expect(ran, JSON.stringify(ran)).toMatchObject({ outcome: "succeeded" });
      expect(only(ran)).toMatchObject({
        method: WRITTEN,
        rowsRead: expect.toSatisfy((n: number) => n > 100 && n < 1_000),
        rowsWritten: expect.toSatisfy((n: number) => n > 100 && n < 1_000),
      });
      expect(lastChanges()).toEqual(["delete", "append"]);
      await equals("id, v, note", "t.id");
    }
  });

  it("reads nothing of the lake where rows were only added, and makes no snapshot where none were", async () => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000)");
    await bench.run(merge("t"));
    expect(only(await bench.run(merge("t")))).toMatchObject({ method: WRITTEN, rowsRead: 0, rowsWritten: 0 });
    expect(lastChanges()).toEqual([]);
    await client.query("INSERT INTO t SELECT generate_series(1001, 1005)");
    expect(only(await bench.run(merge("t")))).toMatchObject({ rowsRead: 5, rowsWritten: 5, rowsDeleted: 0 });
    expect(lastChanges()).toEqual(["append"]);
    expect(bench.platform.calls.get ?? 0).toBe(0);
    await equals("id", "id");
  });

  it("writes no row again that was touched and is as it was", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v text[], f float8); INSERT INTO t SELECT i, ARRAY['a', NULL], 'NaN' FROM generate_series(1, 1000) AS i",
    );
    await bench.run(merge("t"));
    await client.query("UPDATE t SET v = v; UPDATE t SET f = 1 WHERE id = 5");
    expect(only(await bench.run(merge("t")))).toMatchObject({ rowsRead: 1_000, rowsWritten: 1, rowsDeleted: 1 });
  });

  it("fetches of a large table's files its keys alone, wherever the rows lie that changed", async () => {
    await client.query(
      `CREATE TABLE t (id int PRIMARY KEY, v text);
       INSERT INTO t SELECT i, md5(i::text) || md5((-i)::text) FROM generate_series(1, 400000) AS i`,
    );
    const { bytesWritten } = only(await bench.run(merge("t")));
    for (const [round, written] of [
      [1, 3_601],
      [2, 3_201],
    ]) {
      const before = bench.platform.bytesRead;
      await client.query(
        `UPDATE t SET v = 'new in ${round}' WHERE id % 100 = ${round}; UPDATE t SET v = v WHERE id % 1000 = 500;
         DELETE FROM t WHERE id % 500 = ${round! + 100}; INSERT INTO t VALUES (400000 + ${round}, 'more')`,
      );
      // What was touched and is as it was is written again, for nobody looks at it: once, for it lies in a small file
      // then.
      expect(only(await bench.run(merge("t")))).toMatchObject({ method: WRITTEN, rowsWritten: written });
      expect(bench.platform.bytesRead - before).toBeLessThan(bytesWritten / 4);
      await equals("count(*)::int AS n, md5(string_agg(id::text || v, ',' ORDER BY id)) AS all_of_them", "1");
    }
  });

  it("sees what a transaction with savepoints wrote that was open during the last run", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 1000) AS i",
    );
    await bench.run(merge("t"));
    const other = await connectPostgres(postgres);
    await other.query(
      `SET search_path = ${SCHEMA}; BEGIN; UPDATE t SET v = 1 WHERE id = 1; SAVEPOINT a; UPDATE t SET v = 2 WHERE id = 2; SAVEPOINT b; INSERT INTO t VALUES (2000, 3); RELEASE b; DELETE FROM t WHERE id = 3`,
    );
    await client.query("UPDATE t SET v = 9 WHERE id = 9");
    expect(only(await bench.run(merge("t")))).toMatchObject({ rowsWritten: 1 });
    await other.query("COMMIT");
    await other.end();
    expect(only(await bench.run(merge("t")))).toMatchObject({ method: WRITTEN, rowsWritten: 3, rowsDeleted: 3 });
    await equals("id, v", "id");
  });

  it("follows keys of several columns of any type, and ends files none of whose rows are left", async () => {
    await client.query(
      `CREATE TABLE t ("The Key" text, at timestamptz, n numeric(6,2), v int, PRIMARY KEY ("The Key", at, n)); INSERT INTO t SELECT 'k "' || i % 7, TIMESTAMPTZ '2026-01-01' + i * INTERVAL '1 s', i / 4.0, i FROM generate_series(1, 2000) AS i`,
    );
    await bench.run(merge("t"));
    await client.query("INSERT INTO t VALUES ('later', 'infinity', 1, 1), ('later', '-infinity', 1, 2)");
    await bench.run(merge("t"));
    await client.query(
      "DELETE FROM t WHERE \"The Key\" = 'later'; UPDATE t SET n = n + 1 WHERE v = 7; UPDATE t SET v = -1 WHERE v = 8",
    );
    expect(only(await bench.run(merge("t")))).toMatchObject({ rowsDeleted: 4, rowsWritten: 2 });
    expect(lastChanges()).toEqual(["delete", "drop_files", "append"]);
    await equals('"The Key", n::varchar, v', "t.v");
  });

  it("reads everything where most has changed, or the table is another", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 200000) AS i",
    );
    await bench.run(merge("t"));
    await client.query("UPDATE t SET v = 1");
    const read = await readings(async () =>
      expect(only(await bench.run(merge("t")))).toMatchObject({
        method: "full read",
        rowsRead: 200_000,
        rowsWritten: 200_000,
        notes: [expect.stringContaining("Many of its rows")],
      }),
    );
    expect(read.map(({ rows }) => rows)).toEqual([200_000]);
    await client.query("DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 5)");
    expect(only(await bench.run(merge("t"))).notes.join(" ")).toContain("dropped and created");
    await equals("id, v", "id");
    expect(only(await bench.run({ ...merge("t"), full: true }))).toMatchObject({ method: "full read", rowsRead: 1 });
  });

  it("ends the scan of the keys with the first row too many that was written, of a table too large for sums", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 200000) AS i",
    );
    await bench.run(merge("t"));
    await client.query("UPDATE t SET v = 1; UPDATE pg_class SET relpages = 1000000 WHERE oid = 't'::regclass");
    const read = await readings(async () =>
      expect(only(await bench.run(merge("t")))).toMatchObject({ method: "full read", rowsRead: 200_000 }),
    );
    expect(read.map(({ rows }) => rows)).toEqual([expect.toSatisfy((rows: number) => rows < 100_000), 200_000]);
  });

  it("looks written rows up in as many statements as they take, and scans the table again for more than 50,000", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 180000) AS i",
    );
    await bench.run(merge("t"));
    const checked = "count(*)::text AS n, sum(id)::text AS ids, sum(v)::text AS vs";
    for (const [happens, written, lookUps] of [
      ["UPDATE t SET v = -1 WHERE id % 16 = 0; DELETE FROM t WHERE id = 5", 11_250, [5_000, 5_000, 1_250]],
      ["UPDATE t SET v = -2 WHERE id % 4 <> 1 AND id <= 68000; DELETE FROM t WHERE id = 9", 51_000, [51_000]],
    ] as const) {
      await client.query(happens);
      const [keys, ...named] = await readings(async () =>
        expect(only(await bench.run(merge("t")))).toMatchObject({
          method: WRITTEN,
          rowsRead: written,
          rowsWritten: written,
          rowsDeleted: written + 1,
        }),
      );
      expect(keys).toMatchObject({ where: undefined });
      expect(named.map(({ rows }) => rows)).toEqual(lookUps);
      expect(named.every(({ where }) => where!.startsWith("ctid = ANY"))).toBe(lookUps.length > 1);
      await equals(checked, "1");
    }
  }, 60_000);

  it("begins again where another commit came first", async () => {
    await client.query("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000)");
    await bench.run(merge("t"));
    await client.query("DELETE FROM t WHERE id < 10");
    bench.platform.refusingCommits = 1;
    expect(only(await bench.run(merge("t")))).toMatchObject({ method: WRITTEN, rowsDeleted: 9 });
    await equals("id", "id");
  });

  it("goes by a column where one is named, and notes what that can't see", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int, touched timestamp NOT NULL); INSERT INTO t SELECT i, 0, TIMESTAMP '2026-01-01' + i * INTERVAL '1 minute' FROM generate_series(1, 1000) AS i",
    );
    const config = { ...merge("t"), cursors: { [`${SCHEMA}.t`]: "touched" } };
    await bench.run(config);
    await client.query(
      "UPDATE t SET v = 1, touched = '2026-02-01' WHERE id = 5; UPDATE t SET v = 2 WHERE id = 6; DELETE FROM t WHERE id = 7",
    );
    const ran = only(await bench.run(config));
    expect(ran).toMatchObject({
      method: "rows changed by touched",
      rowsRead: 62,
      rowsWritten: 1,
      rowsDeleted: 1,
      notes: [expect.stringContaining("deleted rows")],
    });
    expect(await bench.rows("SELECT id, v FROM t WHERE id BETWEEN 5 AND 7 ORDER BY id")).toEqual([
      { id: 5, v: 1 },
      { id: 6, v: 0 },
      { id: 7, v: 0 },
    ]);
    const byAnother = { ...merge("t"), cursors: { [`${SCHEMA}.t`]: "v" }, full: true };
    expect(await bench.run(byAnother)).toMatchObject({ outcome: "succeeded", error: null });
    await equals("id, v", "id");
  });

  it("equals the source after any changes", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, md5(i::text) FROM generate_series(1, 3000) AS i; SELECT setseed(0.42)",
    );
    await bench.run(merge("t"));
    for (let round = 0; round < 12; round++) {
      // A key that moves never meets another that moved: each round has a binary digit of its own.
      await client.query(`
        DELETE FROM t WHERE random() < 0.02; UPDATE t SET v = v || ${round} WHERE random() < 0.03; UPDATE t SET id = id + ${5000 * 2 ** round} WHERE random() < 0.005;
        INSERT INTO t SELECT i, 'r' FROM generate_series(1, 4000) AS i WHERE random() < 0.01 ON CONFLICT (id) DO UPDATE SET v = 'again'`);
      if (round % 4 === 3)
        for (const sql of ["BEGIN; DELETE FROM t; ROLLBACK", "VACUUM FREEZE t"]) await client.query(sql);
      expect((await bench.run(merge("t"))).outcome).toBe("succeeded");
      await equals("id, v", "id");
    }
  }, 180_000);
});

describe("from MariaDB", () => {
  beforeEach(async () => {
    await root.query(
      `DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}`,
    );
    bench = await SyncBench.open(mariadbSource(mariadb, SCHEMA));
  });
  const equals = async (columns: string, order: string) => {
    const theirs = (await root.query(`SELECT ${columns} FROM t ORDER BY ${order}`))[0] as unknown[][];
    expect(await bench.texts(`SELECT ${columns} FROM t ORDER BY ${order}`)).toEqual(theirs);
  };

  it("reads only ranges that changed, and writes only rows that did", async () => {
    await root.query(
      "CREATE TABLE t (id INT PRIMARY KEY, v INT, note VARCHAR(20)); INSERT INTO t SELECT seq, 0, NULLIF(CONCAT('n', seq % 10), 'n3') FROM seq_1_to_100000",
    );
    await bench.run(merge("t"));
    expect(only(await bench.run(merge("t")))).toMatchObject({
      method: expect.stringMatching(/^0 of [5-9] ranges had changed$/),
      rowsRead: 0,
      rowsWritten: 0,
    });
    expect(lastChanges()).toEqual([]);
    await root.query(
      "UPDATE t SET v = 1 WHERE id IN (5, 6); DELETE FROM t WHERE id = 7; INSERT INTO t VALUES (100001, 1, 'new')",
    );
    expect(only(await bench.run(merge("t")))).toMatchObject({
      method: expect.stringMatching(/^2 of [5-9] ranges had changed$/),
      rowsRead: expect.toSatisfy((n: number) => n < 60_000),
      rowsWritten: 3,
      rowsDeleted: 3,
    });
    expect(lastChanges()).toEqual(["delete", "append"]);
    await equals("id, v, note", "id");
  });

  it("follows keys whose order the lake does not know, and writes of a large file only rows that changed", async () => {
    await root.query(
      "CREATE TABLE t (k VARCHAR(40), line INT, v TEXT, PRIMARY KEY (k, line)); INSERT INTO t SELECT CONCAT(IF(seq % 2, 'ä', 'B'), seq), 1, CONCAT(SHA2(seq, 512), SHA2(-seq, 512)) FROM seq_1_to_60000",
    );
    expect(only(await bench.run(merge("t"))).bytesWritten).toBeGreaterThan(5 * 1024 * 1024);
    await root.query(
      "DELETE FROM t WHERE k = 'ä77'; UPDATE t SET v = 'y' WHERE k = 'B100'; UPDATE t SET k = 'Ä99' WHERE k = 'ä99'",
    );
    expect(only(await bench.run(merge("t")))).toMatchObject({
      method: expect.stringContaining("ranges had changed"),
      rowsWritten: 2,
      rowsDeleted: 3,
    });
    await equals("k, line, v", "hex(k)");
  });

  it("equals the source after any changes", async () => {
    await root.query(
      "CREATE TABLE t (a INT, b INT, v DECIMAL(20,6), PRIMARY KEY (a, b)); INSERT INTO t SELECT seq DIV 5, seq % 5, seq / 3 FROM seq_1_to_5000",
    );
    await bench.run(merge("t"));
    for (let round = 0; round < 6; round++) {
      await root.query(
        `DELETE FROM t WHERE RAND(${round}) < 0.02; UPDATE t SET v = v + 0.1 WHERE RAND(${round + 9}) < 0.03; INSERT IGNORE INTO t SELECT seq, ${round}, 0 FROM seq_1_to_2000 WHERE RAND(${round}) < 0.05`,
      );
      expect((await bench.run(merge("t"))).outcome).toBe("succeeded");
      await equals("a, b, CAST(v AS CHAR)", "a, b");
    }
  });
});
