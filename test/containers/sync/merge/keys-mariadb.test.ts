// `merge` of MariaDB's tables by keys of every type: after every run the lake equals the source, row by row, over many
// small ranges.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { follow as followKeys, type KeyedSource, type KeyType } from "../../../support/node/sync/keyed-tables.ts";
import { decimal, KEY_TYPES, VALUE_TYPES } from "../../../support/node/sync/mariadb-keys.ts";
import { mariadbSource } from "../../../support/node/sources/sources.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";

const SCHEMA = `keys_${process.pid}`;
const { root } = await openSyncServers(SCHEMA);
const RANGE_ROWS = 25;
let bench: SyncBench;
beforeEach(async () => {
  await root.query(
    `DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}; SET SESSION sql_mode = 'ALLOW_INVALID_DATES'`,
  );
  bench = await SyncBench.open(mariadbSource(inject("mariadb"), SCHEMA), RANGE_ROWS);
});
afterEach(() => bench.close());

const source: KeyedSource = {
  schema: SCHEMA,
  run: async (sql) => (await root.query(sql))[0] as unknown as unknown[][],
  insert: ["INSERT IGNORE", ""],
  isDuplicate: (error) => (error as { errno?: number }).errno === 1062,
  merged: /: \d+ of \d+ ranges had changed/,
};
const follow = (keys: KeyType[][]) => followKeys(bench, source, keys, { rows: 150, rounds: 3 });

describe("a merge by keys of every type", () => {
  it("equals the source after any changes", () => follow(KEY_TYPES.map((key) => [key])));

  it("equals the source after any changes, by decimals of every width", () =>
    follow(
      Array.from({ length: 22 }, (_, i) =>
        [i + 1, i + 23, i + 45]
          .filter((width) => width <= 65)
          .map((width) => decimal(width, Math.min((width * 7) % (width + 1), 30))),
      ),
    ));

  it("equals the source after any changes, by several columns", () => {
    const types = KEY_TYPES.filter(({ isReadInFull }) => !isReadInFull);
    return follow(
      fc.sample(fc.array(fc.constantFrom(...types), { minLength: 2, maxLength: 3 }), { seed: 17, numRuns: 16 }),
    );
  });
});

describe("a merge", () => {
  const merge = async () => {
    const ran = await bench.run({ tables: [`${SCHEMA}.t`] });
    expect(ran.error).toBeNull();
    return ran.progress.tables[0]!;
  };
  const equals = async (key: string) =>
    expect(await bench.texts(`SELECT ${key}::VARCHAR, v FROM t ORDER BY id`)).toEqual(
      await source.run(`SELECT CAST(${key} AS CHAR), v FROM t ORDER BY id`),
    );

  it("keeps the rows of numbers that the lake has as text, which sort otherwise than the source's", async () => {
    await root.query(
      "CREATE TABLE t (k DECIMAL(40,0) PRIMARY KEY, id INT, v INT); INSERT INTO t SELECT seq, seq, 0 FROM seq_90_to_99; INSERT INTO t SELECT seq, seq, 0 FROM seq_5000_to_5999; INSERT INTO t SELECT seq, seq, 0 FROM seq_10000_to_10009",
    );
    await merge();
    await root.query("UPDATE t SET v = 1 WHERE k = 5999");
    expect(await merge()).toMatchObject({
      method: expect.stringMatching(/^1 of \d+ ranges had changed$/) as string,
      rowsWritten: 1,
      rowsDeleted: 1,
    });
    await equals("k");
  });

  it("reads all keys of the source where rows are gone that no range tells, and no more of it", async () => {
    await root.query(
      "CREATE TABLE t (k VARCHAR(20) PRIMARY KEY, id INT, v INT) COLLATE utf8mb4_general_ci; INSERT INTO t SELECT CONCAT('key ', seq), seq, 0 FROM seq_1_to_900",
    );
    await merge();
    await root.query(
      "DELETE FROM t WHERE id = 77; INSERT INTO t VALUES ('KEY new', 1000, 1); UPDATE t SET k = 'Key 5' WHERE id = 5",
    );
    expect(await merge()).toMatchObject({
      method: expect.stringContaining("ranges had changed") as string,
      rowsWritten: 2,
      rowsDeleted: 2,
      rowsRead: expect.toSatisfy((rows: number) => rows < 200) as number,
    });
    await equals("k");
  });

  it("reads what changed by a key that is a JSON text", async () => {
    await root.query(
      "CREATE TABLE t (k VARCHAR(40) PRIMARY KEY CHECK (JSON_VALID(k)), id INT, v INT); INSERT INTO t SELECT CONCAT('[', seq, ',  \"é\"]'), seq, 0 FROM seq_1_to_300",
    );
    await merge();
    await root.query("UPDATE t SET v = 1 WHERE id = 7; DELETE FROM t WHERE id = 90");
    expect(await merge()).toMatchObject({
      method: expect.stringContaining("ranges had changed") as string,
      rowsWritten: 1,
      notes: [],
    });
    await equals("k");
  });

  it("commits nothing where the lake would not come to the source's keys, and reads all of it instead", async () => {
    await root.query(
      "CREATE TABLE t (k INT PRIMARY KEY, id INT, v INT); INSERT INTO t SELECT seq, seq, 0 FROM seq_1_to_900",
    );
    await merge();
    const [[key, state]] = [...bench.platform.state] as [[string, string]];
    // The changed checksum stands for a lake that has one key of the first range twice and lacks another.
    bench.platform.state.set(
      key,
      state.replace(/"keys":"(\w+)"/, (_, sum: string) => `"keys":"${(BigInt(`0x${sum}`) + 1n).toString(16)}"`),
    );
    await root.query("UPDATE t SET v = 1 WHERE k = 5");
    expect(await merge()).toMatchObject({
      method: "full read",
      rowsRead: 900,
      notes: [expect.stringContaining("other keys than the source") as string],
    });
    await equals("k");
    await root.query("UPDATE t SET v = 2 WHERE k = 5");
    expect(await merge()).toMatchObject({ rowsWritten: 1, notes: [] });
  });

  it("reads all of it where two dates of a key that are none are one in the lake, and loses no row", async () => {
    await root.query(
      "CREATE TABLE t (d DATE, n INT, id INT, v INT, PRIMARY KEY (d, n)); INSERT INTO t SELECT '2026-01-01', seq, seq, 0 FROM seq_1_to_100; INSERT INTO t VALUES ('0000-00-00', 1, 200, 0), ('2026-02-31', 1, 201, 0)",
    );
    await merge();
    for (const [id, method] of [
      [200, "full read"],
      [50, expect.stringContaining("ranges had changed") as string],
      [201, "full read"],
    ] as const) {
      await root.query(`UPDATE t SET v = v + 1 WHERE id = ${id}`);
      expect(await merge()).toMatchObject({ method });
      await equals("n");
    }
  });
});

describe("a merge of values that move between neighbouring columns", () => {
  it("equals the source, NULLs among them, whatever the columns' type", async () => {
    // A range a row, for one row's change must not be what makes another's be seen.
    await bench.close();
    bench = await SyncBench.open(mariadbSource(inject("mariadb"), SCHEMA), 1);
    const columns = VALUE_TYPES.flatMap(({ declared }, i) => [`a${i} ${declared} NULL`, `b${i} ${declared} NULL`]);
    await root.query(`CREATE TABLE t (id INT PRIMARY KEY, ${columns.join(", ")})`);
    await root.query(`INSERT INTO t (id) VALUES ${VALUE_TYPES.map((_, i) => `(${i})`).join(", ")}`);
    const select = (side: "source" | "lake") =>
      `SELECT ${VALUE_TYPES.flatMap((type, i) =>
        [`a${i}`, `b${i}`].map((column) => `coalesce(${type[side](column)}, 'none')`),
      )
        .map((value, i) => `${value} AS v${i}`)
        .join(", ")} FROM t ORDER BY id`;
    const named = (rows: unknown[][]) =>
      rows.map((row, i) => [VALUE_TYPES[i]!.declared, ...row.slice(2 * i, 2 * i + 2)]);
    const pairs = VALUE_TYPES.map(
      ({ values }, i) =>
        fc.sample(fc.uniqueArray(values, { minLength: 2, maxLength: 2 }), { seed: 23 + i, numRuns: 1 })[0]!,
    );
    for (const [a, b] of [
      [0, -1],
      [-1, 0],
      [1, 0],
      [-1, -1],
    ] as const) {
      const literal = (i: number, which: number) => (which < 0 ? "NULL" : pairs[i]![which]!);
      for (const i of VALUE_TYPES.keys())
        await root.query(`UPDATE t SET a${i} = ${literal(i, a)}, b${i} = ${literal(i, b)} WHERE id = ${i}`);
      await bench.run({ tables: [`${SCHEMA}.t`] });
      expect(named(await bench.texts(select("lake")))).toEqual(named(await source.run(select("source"))));
    }
  });
});
