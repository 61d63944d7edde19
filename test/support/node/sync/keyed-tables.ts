// Tables by keys of any type that change and are merged again and again: after every run the lake is to equal the
// source, row by row.

import fc from "fast-check";
import { expect } from "vitest";
import type { SyncBench } from "./test-sync.ts";

export type KeyType = {
  /** The type as a column is declared. */
  declared: string;
  /** Literals of the source's SQL. */
  values: fc.Arbitrary<string>;
  /** The column's values as text, at the source and in the lake. */
  source(column: string): string;
  lake(column: string): string;
  /** Its ranges, or rows by it, can't be compared in the lake: it may be read in full. */
  isReadInFull?: true;
};

export type KeyedSource = {
  schema: string;
  /** Runs a statement; answers rows as lists. */
  run(sql: string): Promise<unknown[][]>;
  /** What stands before and after the rows of an INSERT that leaves out what is there. */
  insert: [before: string, after: string];
  isDuplicate(error: unknown): boolean;
  /** How a run's notes say that it merged. */
  merged: RegExp;
};

type Keyed = { name: string; key: readonly KeyType[] };
type Rounds = { rows: number; rounds: number };

const sampled = (values: fc.Arbitrary<string>, seed: number, count: number) =>
  fc.sample(values, { seed, numRuns: count });

/** Makes a table for each key, and after each round of changes and a run of them all compares source and lake. */
export async function follow(
  bench: SyncBench,
  source: KeyedSource,
  keys: readonly (readonly KeyType[])[],
  { rows, rounds }: Rounds,
): Promise<void> {
  const tables = keys.map((key, i): Keyed => ({ name: `t${i}`, key }));
  const sync = () => bench.run({ tables: [`${source.schema}.*`] });
  for (const [i, table] of tables.entries()) {
    const { name, key } = table;
    await source.run(
      `CREATE TABLE ${name} (${key.map(({ declared }, at) => `k${at} ${declared} NOT NULL`).join(", ")}, id INT NOT NULL, v INT NOT NULL, PRIMARY KEY (${key.map((_, at) => `k${at}`).join(", ")}))`,
    );
    await insert(source, table, i + 1, rows);
  }
  for (let round = 0; round < rounds; round++) {
    if (round > 0) for (const table of tables) await change(source, table, round);
    const ran = await sync();
    expect(ran.error).toBeNull();
    for (const { name, key } of tables) {
      const { method, notes } = ran.table(`${source.schema}.${name}`);
      const outcome = `${key.map(({ declared }) => declared).join(", ")}: ${method} ${notes.join(" ")}`;
      if (round > 0 && !key.some(({ isReadInFull }) => isReadInFull)) expect(outcome).toMatch(source.merged);
    }
    await compare(bench, source, tables);
  }
  expect(
    (await sync()).progress.tables.filter(({ rowsWritten, method }) => rowsWritten > 0 && method !== "full read"),
  ).toEqual([]);
}

/** Rows with an `id` of their own beside the key, by which changes choose them. */
async function insert(
  { run, insert: [before, after] }: KeyedSource,
  { name, key }: Keyed,
  seed: number,
  count: number,
): Promise<void> {
  const values = key.map(({ values }, i) => sampled(values, seed + i, count));
  const rows = Array.from(
    { length: count },
    (_, row) => `(${values.map((each) => each[row]).join(", ")}, ${seed * 1_000 + row}, 0)`,
  );
  await run(`${before} INTO ${name} VALUES ${rows.join(", ")} ${after}`);
}

async function change(source: KeyedSource, table: Keyed, round: number): Promise<void> {
  const { name, key } = table;
  await source.run(`UPDATE ${name} SET v = v + 1 WHERE id % 53 = ${round}`);
  await source.run(`DELETE FROM ${name} WHERE id % 47 = ${round}`);
  if (round % 2 === 0) await insert(source, table, 100 + round, 6);
  const [[least = null] = []] = await source.run(`SELECT MIN(id) FROM ${name} WHERE id % 61 >= ${round}`);
  for (const [i, { values }] of key.entries()) {
    const moved = source.run(
      `UPDATE ${name} SET k${i} = ${sampled(values, 900 + round, 1)[0]} WHERE id = ${String(least)}`,
    );
    await moved.catch((error: unknown) => {
      if (!source.isDuplicate(error)) throw error;
    });
  }
}

async function compare(bench: SyncBench, source: KeyedSource, tables: readonly Keyed[]): Promise<void> {
  const theirs: unknown[] = [];
  for (const { name, key } of tables) {
    const rows = await source.run(
      `SELECT concat_ws('|', ${key.map((type, i) => type.source(`k${i}`)).join(", ")}, id, v) FROM ${name}`,
    );
    theirs.push([name, key.map(({ declared }) => declared), rows.map(([row]) => String(row)).sort()]);
  }
  const selects = tables.map(
    ({ name, key }) =>
      `SELECT '${name}' AS name, concat_ws('|', ${key.map((type, i) => type.lake(`k${i}`)).join(", ")}, id, v) AS row FROM ${name}`,
  );
  const rows = Map.groupBy((await bench.texts(selects.join(" UNION ALL "))) as [string, string][], ([name]) => name);
  const ours = tables.map(({ name, key }) => [
    name,
    key.map(({ declared }) => declared),
    (rows.get(name) ?? []).map(([, row]) => row).sort(),
  ]);
  expect(ours).toEqual(theirs);
}
