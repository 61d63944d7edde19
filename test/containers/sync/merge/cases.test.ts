// `merge` in the situations that make other tools lose rows or double them: after every one the lake equals the source.

import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";
import {
  checksumRanges,
  type RangeChecksums,
} from "../../../../containers/engine/jobs/sync/changes/range-checksums.ts";
import { column } from "../../../support/node/lake/test-lake.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `cases_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
let bench: SyncBench;
afterEach(() => bench.close());

const MERGE = { tables: [`${SCHEMA}.t`] };
const only = (ran: Ran) => {
  expect(ran.error).toBeNull();
  return ran.progress.tables[0]!;
};
const WRITTEN = "rows written since the last run";

describe("from PostgreSQL", () => {
  beforeEach(async () => {
    await client.query(
      `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}; SET timezone = 'UTC'`,
    );
    bench = await SyncBench.open(postgresSource(postgres));
  });
  const equals = async (columns: string) => {
    const theirs = (await client.query({ text: `SELECT ${columns} FROM t`, rowMode: "array" })).rows as unknown[][];
    const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(await bench.texts(`SELECT ${columns} FROM t`))).toEqual(sorted(theirs));
  };

  describe("with sums of keys that another version of the engine has made", () => {
    const rewriteSums = (rewrite: (keys: RangeChecksums) => object): void => {
      for (const [key, value] of bench.platform.state) {
        const { memory, ...rest } = JSON.parse(value) as { memory: { keys: RangeChecksums } };
        bench.platform.state.set(key, JSON.stringify({ ...rest, memory: { ...memory, keys: rewrite(memory.keys) } }));
      }
    };
    const digests = (): string[] =>
      [...bench.platform.state.values()].map(
        (value) => (JSON.parse(value) as { memory: { keys: RangeChecksums } }).memory.keys.digest,
      );

    beforeEach(async () => {
      await client.query(
        "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 500) i",
      );
      await bench.run(MERGE);
      await client.query(
        "UPDATE t SET v = -v WHERE id % 50 = 0; DELETE FROM t WHERE id = 7; INSERT INTO t VALUES (501, 0)",
      );
    });

    it("goes on by those of the first versions", async () => {
      const connection = await (await DuckDBInstance.create(":memory:")).connect();
      const from = "FROM (SELECT range::INTEGER AS id FROM range(1, 501))";
      const summed = await checksumRanges(connection, from, [column(1, "id", "int32")], "md5");
      connection.closeSync();
      rewriteSums(() => ({ width: summed.width, sums: summed.sums }));
      expect(only(await bench.run(MERGE)).method).toBe(WRITTEN);
      expect(digests()).toEqual(["md5"]);
      await equals("id, v");
      await client.query("DELETE FROM t WHERE id = 8");
      expect(only(await bench.run(MERGE)).method).toBe(WRITTEN);
      await equals("id, v");
    });

    it("reads everything once where they can't be made again", async () => {
      rewriteSums((keys) => ({ ...keys, digest: "hash 1" }));
      const { notes, method } = only(await bench.run(MERGE));
      expect([method, notes.join()]).toEqual(["full read", expect.stringContaining("sums keys otherwise")]);
      await equals("id, v");
      await client.query("DELETE FROM t WHERE id = 8");
      expect(only(await bench.run(MERGE)).method).toBe(WRITTEN);
      await equals("id, v");
    });
  });

  /** What happens between two runs, and how the second is to read. */
  const CASES: [what: string, made: string, happens: string, columns: string, method: string][] = [
    [
      "rows written by ON CONFLICT, touched or not",
      "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, 'a' FROM generate_series(1, 500) i",
      "INSERT INTO t SELECT i, 'b' FROM generate_series(490, 510) i ON CONFLICT (id) DO UPDATE SET v = excluded.v; INSERT INTO t VALUES (1, 'never') ON CONFLICT DO NOTHING",
      "id, v",
      WRITTEN,
    ],
    [
      "large values kept out of line, changed and left as they are",
      "CREATE TABLE t (id int PRIMARY KEY, v text, n int); ALTER TABLE t ALTER v SET STORAGE EXTERNAL; INSERT INTO t SELECT i, repeat(md5(i::text), 1000), 0 FROM generate_series(1, 50) i",
      "UPDATE t SET n = 1 WHERE id < 5; UPDATE t SET v = v || 'x' WHERE id = 7",
      "id, md5(v), n",
      WRITTEN,
    ],
    [
      "a table emptied and filled again",
      "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, 'a' FROM generate_series(1, 500) i",
      "TRUNCATE t; INSERT INTO t SELECT i, 'a' FROM generate_series(250, 600) i",
      "id, v",
      WRITTEN,
    ],
    [
      "a table written anew in place",
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 500) i",
      "ALTER TABLE t ALTER v TYPE int USING v * 2; DELETE FROM t WHERE id = 9; VACUUM FULL t",
      "id, v",
      WRITTEN,
    ],
    [
      "a table clustered and frozen, and then changed",
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 500) i",
      "CLUSTER t USING t_pkey; VACUUM FREEZE t; UPDATE t SET v = -1 WHERE id = 3",
      "id, v",
      WRITTEN,
    ],
    [
      "rows that move between partitions",
      "CREATE TABLE t (id int, day date, v int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day); CREATE TABLE t1 PARTITION OF t FOR VALUES FROM ('2026-01-01') TO ('2026-02-01'); CREATE TABLE t2 PARTITION OF t FOR VALUES FROM ('2026-02-01') TO ('2026-03-01'); INSERT INTO t SELECT i, '2026-01-05', i FROM generate_series(1, 100) i",
      "UPDATE t SET day = '2026-02-05' WHERE id < 10; DELETE FROM t WHERE id = 50",
      "id, day::text, v",
      WRITTEN,
    ],
    [
      "a partition detached, and another in its place",
      "CREATE TABLE t (id int PRIMARY KEY, v int) PARTITION BY RANGE (id); CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (100); CREATE TABLE t2 PARTITION OF t FOR VALUES FROM (100) TO (200); CREATE TABLE other (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 150) i; INSERT INTO other VALUES (120, 7), (121, 8)",
      "ALTER TABLE t DETACH PARTITION t2; ALTER TABLE t ATTACH PARTITION other FOR VALUES FROM (100) TO (200)",
      "id, v",
      "full read",
    ],
    [
      "a table under the name of another",
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i; CREATE TABLE u (id int PRIMARY KEY, v int); INSERT INTO u VALUES (1, 5)",
      "ALTER TABLE t RENAME TO old; ALTER TABLE u RENAME TO t",
      "id, v",
      "full read",
    ],
    [
      "heirs that hold a key twice",
      "CREATE TABLE t (id int PRIMARY KEY, v int); CREATE TABLE heir () INHERITS (t); INSERT INTO t VALUES (1, 1), (2, 2); INSERT INTO heir VALUES (1, 10), (3, 30)",
      "UPDATE heir SET v = 11 WHERE id = 1; DELETE FROM ONLY t WHERE id = 2",
      "id, v",
      "full read",
    ],
    [
      "a label that is renamed deep inside a type",
      "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TYPE spell AS RANGE (subtype = mood); CREATE TYPE day AS (m mood, n int); CREATE DOMAIN week AS day[]; CREATE TYPE diary AS (days week); CREATE TABLE t (id int PRIMARY KEY, diary diary, spell spell); INSERT INTO t SELECT i, row(ARRAY[row('sad', i)::day]::week)::diary, '[sad,ok]' FROM generate_series(1, 100) i",
      "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'",
      "id, diary::text, spell::text",
      "full read",
    ],
    [
      "names of objects that are renamed and dropped",
      `CREATE SCHEMA ${SCHEMA}_a; CREATE TABLE t (id int PRIMARY KEY, place regnamespace[]); INSERT INTO t SELECT i, ARRAY['${SCHEMA}_a']::regnamespace[] FROM generate_series(1, 100) i`,
      `ALTER SCHEMA ${SCHEMA}_a RENAME TO ${SCHEMA}_b; DROP SCHEMA ${SCHEMA}_b`,
      "id, place[1]::text",
      "full read",
    ],
    [
      "a unique index in the place of a primary key",
      "CREATE TABLE t (a int NOT NULL, b text NOT NULL, v int); CREATE UNIQUE INDEX ON t (b, a) INCLUDE (v); INSERT INTO t SELECT i, 'k', i FROM generate_series(1, 100) i",
      "UPDATE t SET v = -1 WHERE a = 5; DELETE FROM t WHERE a = 6; INSERT INTO t VALUES (1000, 'k', 1)",
      "a, b, v",
      WRITTEN,
    ],
    [
      "a unique index with NULLs, which is no key",
      "CREATE TABLE t (a int UNIQUE, v int); INSERT INTO t VALUES (NULL, 1), (NULL, 2), (1, 3)",
      "UPDATE t SET v = 9 WHERE v = 2",
      "a, v",
      "full read",
    ],
    [
      "a key that becomes another",
      "CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL); INSERT INTO t SELECT i, i % 50 FROM generate_series(1, 100) i",
      "ALTER TABLE t DROP CONSTRAINT t_pkey; DELETE FROM t WHERE a > 50; ALTER TABLE t ADD PRIMARY KEY (b)",
      "a, b",
      "full read",
    ],
    [
      "keys equal to the server and not in their digits",
      "CREATE TABLE t (n numeric PRIMARY KEY, v int); INSERT INTO t VALUES (1.0, 1), (2.5, 2)",
      "UPDATE t SET n = 1.000 WHERE n = 1",
      "n::text, v",
      WRITTEN,
    ],
    [
      "numbers that differ in sign alone",
      "CREATE TABLE t (id int PRIMARY KEY, f float8, g float4); INSERT INTO t VALUES (1, 0.0, 0.0), (2, 'NaN', NULL)",
      "UPDATE t SET f = -0.0; UPDATE t SET g = '-0'",
      "id, f::text LIKE '-%', g::text LIKE '-%'",
      WRITTEN,
    ],
    [
      "a key called as a merge calls positions of rows",
      'CREATE TABLE t (file int, "position" int, same bool, v text, PRIMARY KEY (same, file, "position")); INSERT INTO t SELECT i, 7, true, \'a\' FROM generate_series(1, 300) i',
      "UPDATE t SET v = 'b' WHERE file < 10; UPDATE t SET \"position\" = 8 WHERE file = 20; DELETE FROM t WHERE file > 290",
      'file, "position", same::text, v',
      WRITTEN,
    ],
    [
      "a key called as a merge calls the places of rows",
      'CREATE TABLE t ("Fjord Place" int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i',
      "UPDATE t SET v = 0 WHERE v = 5; DELETE FROM t WHERE v = 6; INSERT INTO t VALUES (101, 101)",
      '"Fjord Place", v',
      WRITTEN,
    ],
    [
      "columns called as DuckDB calls its own",
      "CREATE TABLE t (rowid bigint PRIMARY KEY, file_row_number int, filename text); INSERT INTO t SELECT 5000000 + i, 2, 'f' FROM generate_series(0, 299) i",
      "UPDATE t SET filename = 'g' WHERE rowid = 5000002; DELETE FROM t WHERE rowid > 5000290; INSERT INTO t VALUES (9000000, 3, 'h')",
      "rowid::text, file_row_number, filename",
      WRITTEN,
    ],
    [
      "keys that trade places",
      "CREATE TABLE t (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, v text); INSERT INTO t SELECT i, 'r' || i FROM generate_series(1, 100) i",
      "UPDATE t SET id = 101 - id",
      "id, v",
      WRITTEN,
    ],
  ];

  it.each(CASES)("follows %s", async (_, made, happens, columns, method) => {
    await client.query(made);
    await bench.run(MERGE);
    await equals(columns);
    for (const sql of happens.split("; ")) await client.query(sql);
    expect(only(await bench.run(MERGE)).method).toBe(method);
    await equals(columns);
    expect(only(await bench.run(MERGE))).toMatchObject(method === WRITTEN ? { rowsRead: 0, rowsWritten: 0 } : {});
  });

  it("waits for what a prepared transaction holds", async () => {
    await client.query(
      "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 100) i",
    );
    const other = await connectPostgres(postgres);
    await other.query(
      `SET search_path = ${SCHEMA}; BEGIN; UPDATE t SET v = 1 WHERE id = 1; SAVEPOINT s; INSERT INTO t VALUES (200, 2); PREPARE TRANSACTION '${SCHEMA}'`,
    );
    await other.end();
    await bench.run(MERGE);
    await client.query("UPDATE t SET v = 9 WHERE id = 9");
    expect(only(await bench.run(MERGE)).rowsWritten).toBe(1);
    await client.query(`COMMIT PREPARED '${SCHEMA}'`);
    expect(only(await bench.run(MERGE))).toMatchObject({ method: WRITTEN, rowsWritten: 2, rowsDeleted: 1 });
    await equals("id, v");
  });

  it("fetches only the lake's files that hold what changed, and reports the bytes it wrote and the rows it replaced", async () => {
    await client.query("CREATE TABLE t (id bigint PRIMARY KEY, v text)");
    for (let i = 0; i < 4; i++) {
      await client.query(`INSERT INTO t SELECT ${i * 1_000_000} + i, md5(i::text) FROM generate_series(1, 20000) i`);
      await bench.run(MERGE);
    }
    const fetched = () => bench.platform.calls.get ?? 0;
    expect([fetched(), bench.platform.tables[0]!.files.length]).toEqual([0, 4]);
    await client.query("DELETE FROM t WHERE id = 2000005");
    expect(only(await bench.run(MERGE))).toMatchObject({
      rowsDeleted: 1,
      rowsWritten: 0,
      bytesWritten: expect.toSatisfy((bytes: number) => bytes > 200 && bytes < 5_000),
    });
    expect(fetched()).toBe(1);
    await client.query(
      "UPDATE t SET v = 'new' WHERE id IN (1000007, 3000009); INSERT INTO t VALUES (3500000, 'x'), (-5, 'below')",
    );
    expect(only(await bench.run(MERGE))).toMatchObject({ rowsDeleted: 2, rowsWritten: 4 });
    expect(fetched()).toBe(3);
    await equals("count(*)::int AS n, sum(id)::text AS ids, md5(string_agg(v, ',' ORDER BY t.id)) AS vs");
    expect(only(await bench.run({ ...MERGE, full: true }))).toMatchObject({
      rowsRead: 80_001,
      rowsWritten: 80_001,
      rowsDeleted: 80_001,
    });
  });
});

describe("from MariaDB", () => {
  beforeEach(async () => {
    await root.query(
      `DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}; SET SESSION sql_mode = 'ALLOW_INVALID_DATES'`,
    );
    bench = await SyncBench.open(mariadbSource(mariadb, SCHEMA));
  });
  const equals = async (columns: string, lakeColumns = columns) => {
    const theirs = (await root.query(`SELECT ${columns} FROM t`))[0] as unknown[][];
    const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(await bench.texts(`SELECT ${lakeColumns} FROM t`))).toEqual(sorted(theirs));
  };
  const CHANGED = /ranges had changed$/;

  const CASES: [what: string, made: string, happens: string, columns: string, lakeColumns?: string][] = [
    [
      "changes of trailing spaces and of case alone",
      "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), w TEXT) COLLATE utf8mb4_general_ci; INSERT INTO t SELECT seq, 'a', 'b' FROM seq_1_to_100",
      "UPDATE t SET v = 'a ' WHERE id = 1; UPDATE t SET v = 'A' WHERE id = 2; UPDATE t SET w = 'b ' WHERE id = 3; UPDATE t SET w = 'B' WHERE id = 4",
      "id, v, w",
    ],
    [
      "keys equal to the collation and not in their bytes",
      "CREATE TABLE t (k VARCHAR(20) PRIMARY KEY, v INT) COLLATE utf8mb4_unicode_ci; INSERT INTO t SELECT CONCAT('key', seq), seq FROM seq_1_to_100; INSERT INTO t VALUES ('straße', 1)",
      "UPDATE t SET k = 'KEY5' WHERE k = 'key5'; UPDATE t SET k = 'strasse' WHERE v = 1 AND k LIKE 'stra%'; UPDATE t SET k = 'key7 ' WHERE k = 'key7'",
      "k, v",
    ],
    [
      "NULL, the empty string, and text that looks like an encoding",
      "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20)); INSERT INTO t VALUES (1, NULL, ''), (2, '', NULL), (3, '1,x', 'N'), (4, 'N', '1,x'), (5, '5,N', '')",
      "UPDATE t SET a = '', b = NULL WHERE id = 1; UPDATE t SET a = NULL, b = '' WHERE id = 2; UPDATE t SET a = '1', b = 'x,N' WHERE id = 3; UPDATE t SET a = 'N,3', b = '1,x' WHERE id = 4",
      "id, a, b",
    ],
    [
      "the largest unsigned keys",
      "CREATE TABLE t (k BIGINT UNSIGNED, l TINYINT UNSIGNED, v INT, PRIMARY KEY (k, l)); INSERT INTO t SELECT 18446744073709551615 - seq, 255, seq FROM seq_1_to_30000",
      "UPDATE t SET v = -1 WHERE k = 18446744073709551614; DELETE FROM t WHERE k = 18446744073709551600; INSERT INTO t VALUES (18446744073709551615, 0, 1), (0, 0, 0)",
      "CAST(k AS CHAR), l, v",
      "k::varchar, l, v",
    ],
    [
      "bits, years and booleans",
      "CREATE TABLE t (id INT PRIMARY KEY, b BIT(64), y YEAR, f TINYINT(1)); INSERT INTO t VALUES (1, b'1', 2000, 1), (2, NULL, 2001, 0)",
      "UPDATE t SET b = 18446744073709551615 WHERE id = 1; UPDATE t SET b = 0 WHERE id = 2; UPDATE t SET f = 2, y = 1901 WHERE id = 2",
      "id, CAST(b + 0 AS CHAR), y, f",
      "id, b::varchar, y, f",
    ],
    [
      "JSON that changes in its spelling only",
      "CREATE TABLE t (id INT PRIMARY KEY, j JSON); INSERT INTO t VALUES (1, '{\"a\": 1}'), (2, '[]'), (3, NULL)",
      "UPDATE t SET j = '{\"a\":1}' WHERE id = 1; UPDATE t SET j = 'null' WHERE id = 3",
      "id, CAST(j AS CHAR)",
      "id, j::varchar",
    ],
    [
      "dates that are none, in values",
      "CREATE TABLE t (id INT PRIMARY KEY, d DATE, e DATETIME(6)); INSERT INTO t VALUES (1, '0000-00-00', '2026-01-01 10:00:00.5'), (2, '2026-01-01', '0000-00-00')",
      "UPDATE t SET d = '2026-03-04', e = '2026-01-01 10:00:00.500001' WHERE id = 1; UPDATE t SET d = '2026-02-31' WHERE id = 2",
      "id, IF(id = 2, NULL, CAST(d AS CHAR)), IF(id = 2, NULL, CAST(e AS CHAR))",
      "id, d::varchar, strftime(e, '%Y-%m-%d %H:%M:%S.%f')",
    ],
    [
      "dates that are none, in the key",
      "CREATE TABLE t (d DATE, n INT, v INT, PRIMARY KEY (d, n)); INSERT INTO t SELECT '0000-00-00', seq, 0 FROM seq_1_to_25000; INSERT INTO t SELECT '2026-01-01', seq, 0 FROM seq_1_to_25000",
      "UPDATE t SET v = 1 WHERE n = 5; DELETE FROM t WHERE n = 6; INSERT INTO t VALUES ('0000-00-00', 99999, 3)",
      "NULLIF(CAST(d AS CHAR), '0000-00-00'), n, v",
      "d::varchar, n, v",
    ],
    [
      "a unique key in the place of a primary one",
      "CREATE TABLE t (a INT NOT NULL, b VARBINARY(10) NOT NULL, v INT, UNIQUE KEY odd (a, b)); INSERT INTO t SELECT seq, 'x', 0 FROM seq_1_to_30000",
      "UPDATE t SET v = 1 WHERE a = 7; DELETE FROM t WHERE a = 8",
      "a, HEX(b), v",
      "a, hex(b), v",
    ],
    [
      "rows put between and around the ranges",
      "CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t SELECT seq * 10, 0 FROM seq_1_to_40000",
      "INSERT INTO t SELECT seq * 10 + 5, 1 FROM seq_1_to_1000; INSERT INTO t VALUES (-5, 1), (9999999, 1); DELETE FROM t WHERE id BETWEEN 300000 AND 300100",
      "id, v",
    ],
    [
      "a float's last digits, and the sign of nought",
      "CREATE TABLE t (id INT PRIMARY KEY, f FLOAT, d DOUBLE); INSERT INTO t VALUES (1, 16777216, 0.1), (2, 0, 0)",
      "UPDATE t SET f = 16777214 WHERE id = 1; UPDATE t SET d = 0.1000000000000000056 WHERE id = 1; UPDATE t SET d = -0e0 WHERE id = 2",
      "id, f + 0e0, d",
      "id, f::double, d",
    ],
  ];

  it.each(CASES)("follows %s", async (_, made, happens, columns, lakeColumns) => {
    await root.query(made);
    await bench.run(MERGE);
    expect(only(await bench.run(MERGE))).toMatchObject({
      rowsRead: 0,
      rowsWritten: 0,
      method: expect.stringMatching(/^0 of /),
    });
    for (const sql of happens.split("; ")) await root.query(sql);
    const ran = only(await bench.run(MERGE));
    expect(ran.method).toMatch(CHANGED);
    await equals(columns, lakeColumns);
    expect(only(await bench.run(MERGE))).toMatchObject({ rowsRead: 0, rowsWritten: 0 });
  });

  it("notes of a table whose ranges are too many to keep that each run reads it in full", async () => {
    await bench.close();
    bench = await SyncBench.open(mariadbSource(mariadb, SCHEMA), 1);
    await root.query(
      "CREATE TABLE t (k VARCHAR(700) PRIMARY KEY, v INT); INSERT INTO t SELECT CONCAT(REPEAT('k', 690), seq), 0 FROM seq_1_to_2000",
    );
    for (const happens of ["DO 1", "UPDATE t SET v = 1 WHERE k LIKE '%99'"]) {
      await root.query(happens);
      expect(only(await bench.run(MERGE))).toMatchObject({
        method: "full read",
        notes: [expect.stringContaining("each run reads the table in full")],
      });
      await equals("RIGHT(k, 9), v", "right(k, 9), v");
    }
  });

  it("fetches only the lake's files that hold what changed", async () => {
    await root.query("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
    for (const i of [0, 1, 2, 3]) {
      await root.query(`INSERT INTO t SELECT ${i} * 1000000 + seq, 0 FROM seq_1_to_40000`);
      await bench.run({ ...MERGE, full: i === 0 });
    }
    const before = bench.platform.calls.get ?? 0;
    await root.query("UPDATE t SET v = 1 WHERE id = 1000005");
    expect(only(await bench.run(MERGE))).toMatchObject({ rowsWritten: 1, rowsDeleted: 1 });
    expect((bench.platform.calls.get ?? 0) - before).toBeLessThan(bench.platform.tables[0]!.files.length);
    await equals(
      "COUNT(*) AS n, SUM(id) AS ids, SUM(v) AS vs",
      "count(*)::int AS n, sum(id)::varchar AS ids, sum(v)::varchar AS vs",
    );
  });
});
