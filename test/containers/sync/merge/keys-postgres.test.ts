// `merge` of PostgreSQL's tables by keys of every type that can be one: after every run the lake equals the source, row
// by row.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { follow as followKeys, type KeyedSource, type KeyType } from "../../../support/node/sync/keyed-tables.ts";
import { CITEXT, KEY_TYPES, PREPARATION } from "../../../support/node/sync/postgres-keys.ts";
import { ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../../support/node/sync/sync-servers.ts";

const SCHEMA = `keys_${process.pid}`;
const { client } = await openSyncServers(SCHEMA);
let bench: SyncBench;
beforeEach(async () => {
  await client.query(
    `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}; SET timezone = 'UTC'; SET intervalstyle = 'iso_8601'; ${PREPARATION}`,
  );
  bench = await SyncBench.open(postgresSource(ownPostgres()));
});
afterEach(() => bench.close());

const source: KeyedSource = {
  schema: SCHEMA,
  run: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows as unknown[][],
  insert: ["INSERT", "ON CONFLICT DO NOTHING"],
  isDuplicate: (error) => (error as { code?: string }).code === "23505",
  merged: /: rows written since the last run/,
};
const follow = (keys: KeyType[][]) => followKeys(bench, source, keys, { rows: 120, rounds: 3 });

describe("a merge by keys of every type", () => {
  it("equals the source after any changes", async () => {
    const { rowCount } = await client.query("SELECT FROM pg_available_extensions WHERE name = 'citext'");
    if (rowCount) await client.query(`CREATE EXTENSION citext SCHEMA ${SCHEMA}`);
    await follow([...KEY_TYPES, ...(rowCount ? [CITEXT] : [])].map((key) => [key]));
  });

  it("equals the source after any changes, by several columns", () =>
    follow(
      fc.sample(fc.array(fc.constantFrom(...KEY_TYPES), { minLength: 2, maxLength: 3 }), { seed: 20, numRuns: 12 }),
    ));
});

describe("a merge", () => {
  const merge = async () => {
    const ran = await bench.run({ tables: [`${SCHEMA}.t`] });
    expect(ran.error).toBeNull();
    return ran.progress.tables[0]!;
  };
  const values = async () => (await bench.texts("SELECT v FROM t ORDER BY v")).flat();

  it("reads all of it where two arrays of a key are one in the lake, and loses no row", async () => {
    await client.query(
      "CREATE TABLE t (k int[] PRIMARY KEY, v int); INSERT INTO t VALUES ('{1,2}', 1), ('[0:1]={1,2}', 2), ('{3}', 3)",
    );
    await merge();
    for (const [v, method] of [
      [1, "full read"],
      [3, source.merged],
      [2, "full read"],
    ] as const) {
      await client.query("UPDATE t SET v = v + 10 WHERE v = $1", [v]);
      const ran = await merge();
      expect(`: ${ran.method}`).toMatch(method);
      expect(await values()).toEqual((await source.run("SELECT v FROM t ORDER BY v")).flat());
    }
  });

  it("commits nothing where the lake would not come to the source's keys, and reads all of it instead", async () => {
    await client.query(
      "CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i",
    );
    await merge();
    const [[key, state]] = [...bench.platform.state] as [[string, string]];
    // The changed checksum stands for a lake that has one key twice and lacks another.
    bench.platform.state.set(
      key,
      state.replace(/"low":"(\d+)"/, (_, sum: string) => `"low":"${BigInt(sum) + 1n}"`),
    );
    await client.query("UPDATE t SET v = 1000 WHERE k = 50");
    expect(await merge()).toMatchObject({
      method: "full read",
      rowsRead: 100,
      notes: [expect.stringContaining("other keys than the source") as string],
    });
    await client.query("UPDATE t SET v = 2000 WHERE k = 50; DELETE FROM t WHERE k = 51");
    expect(await merge()).toMatchObject({ rowsWritten: 1, rowsDeleted: 2, notes: [] });
  });
});
