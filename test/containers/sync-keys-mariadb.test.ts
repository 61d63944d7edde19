// `merge` of MariaDB's tables by keys of every type: after every run the lake equals the source, row by row, over many small ranges.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { decimal, KEY_TYPES, type KeyType } from "../support/node/mariadb-keys.ts";
import { mariadbSource } from "../support/node/sources.ts";
import { SyncBench } from "../support/node/sync-bench.ts";
import { openSyncServers } from "../support/node/sync-servers.ts";

const SCHEMA = `keys_${process.pid}`;
const { root } = await openSyncServers(SCHEMA);
const [RANGE_ROWS, ROWS, ROUNDS] = [30, 260, 4];
let bench: SyncBench;
beforeEach(async () => {
  await root.query(`DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA} CHARACTER SET utf8mb4; USE ${SCHEMA}; SET SESSION sql_mode = 'ALLOW_INVALID_DATES'`);
});
afterEach(() => bench.close());

type Keyed = { name: string; key: KeyType[] };

const sampled = (arbitrary: fc.Arbitrary<string>, seed: number, count: number) => fc.sample(arbitrary, { seed, numRuns: count });
const columns = (key: KeyType[]) => key.map((_, i) => `k${i}`);

/** Rows with an `id` of their own beside the key, by which changes choose them. */
async function insert({ name, key }: Keyed, seed: number, count: number): Promise<void> {
  const values = key.map(({ values }, i) => sampled(values, seed + i, count));
  const rows = Array.from({ length: count }, (_, row) => `(${values.map((each) => each[row]).join(", ")}, ${seed * 1_000 + row}, 0)`);
  await root.query(`INSERT IGNORE INTO ${name} VALUES ${rows.join(", ")}`);
}

async function change(table: Keyed, round: number): Promise<void> {
  const { name, key } = table;
  await root.query(`UPDATE ${name} SET v = v + 1 WHERE id % 53 = ${round}; DELETE FROM ${name} WHERE id % 47 = ${round}`);
  if (round % 2 === 0) await insert(table, 100 + round, 6);
  for (const [i, { values }] of key.entries()) {
    const [value] = sampled(values, 900 + round, 1);
    await root.query(`UPDATE IGNORE ${name} SET k${i} = ${value} WHERE id % 61 = ${round}`);
  }
}

async function compare(tables: Keyed[]): Promise<void> {
  const source: unknown[] = [];
  const lake: unknown[] = [];
  for (const { name, key } of tables) {
    source.push([name, ((await root.query(`SELECT CONCAT_WS('|', ${key.map(({ source }, i) => source(`k${i}`)).join(", ")}, id, v) FROM ${name}`))[0] as string[][]).flat().map(String).sort()]);
  }
  const selects = tables.map(({ name, key }) => `SELECT '${name}' AS name, concat_ws('|', ${key.map(({ lake }, i) => lake(`k${i}`)).join(", ")}, id, v) AS row FROM ${name}`);
  const rows = (await bench.texts(selects.join(" UNION ALL "))) as [string, string][];
  for (const { name } of tables) lake.push([name, rows.filter(([of]) => of === name).map(([, row]) => row).sort()]);
  expect(lake).toEqual(source);
}

async function follow(keys: KeyType[][]): Promise<void> {
  bench = await SyncBench.open(mariadbSource(inject("mariadb"), SCHEMA), RANGE_ROWS);
  const tables = keys.map((key, i): Keyed => ({ name: `t${i}`, key }));
  for (const [i, table] of tables.entries()) {
    const { name, key } = table;
    await root.query(`CREATE TABLE ${name} (${key.map(({ declared }, at) => `k${at} ${declared} NOT NULL`).join(", ")}, id INT NOT NULL, v INT NOT NULL, PRIMARY KEY (${columns(key).join(", ")}))`);
    await insert(table, i + 1, ROWS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) for (const table of tables) await change(table, round);
    const ran = await bench.run({ tables: [`${SCHEMA}.*`] });
    expect(ran.error).toBeNull();
    for (const { name, key } of tables) {
      const { method, notes } = ran.table(`${SCHEMA}.${name}`);
      const declared = key.map((each) => each.declared).join(", ");
      if (round > 0 && !key.some(({ isReadInFull }) => isReadInFull)) expect(`${declared}: ${method} ${notes.join(" ")}`).toMatch(/: \d+ of \d+ ranges had changed/);
    }
    await compare(tables);
  }
  expect((await bench.run({ tables: [`${SCHEMA}.*`] })).progress.tables.filter(({ rowsWritten, method }) => rowsWritten > 0 && method !== "full read")).toEqual([]);
}

describe("a merge by keys of every type", () => {
  it("equals the source after any changes", () => follow(KEY_TYPES.map((key) => [key])));

  it("equals the source after any changes, by decimals of every width", () =>
    follow(Array.from({ length: 22 }, (_, i) => [i + 1, i + 23, i + 45].filter((width) => width <= 65).map((width) => decimal(width, Math.min((width * 7) % (width + 1), 30))))));

  it("equals the source after any changes, by several columns", () => {
    const types = KEY_TYPES.filter(({ isReadInFull }) => !isReadInFull);
    return follow(fc.sample(fc.array(fc.constantFrom(...types), { minLength: 2, maxLength: 3 }), { seed: 17, numRuns: 16 }));
  });
});
