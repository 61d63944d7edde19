// The server counts the rows that were written since a transaction, numbers going round at 2³², and the sum of its keys
// differs wherever a key does.

import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresTable } from "../../../../containers/engine/sources/postgres/extraction/describe-table.ts";
import { isSince, sumKeys } from "../../../../containers/engine/sources/postgres/extraction/sum-keys.ts";
import { connectPostgres, ownPostgres } from "../../../support/node/sources/sources.ts";

let admin: pg.Client;
beforeAll(async () => {
  admin = await connectPostgres(ownPostgres());
  await admin.query("DROP SCHEMA IF EXISTS sums CASCADE; CREATE SCHEMA sums");
});
afterAll(async () => {
  await admin.query("DROP SCHEMA sums CASCADE");
  await admin.end();
});

describe("a transaction's number", () => {
  const ROUND = 2 ** 32;
  const HALF = 2 ** 31;

  it.each([3, 700, HALF - 1, HALF, HALF + 1, ROUND - 2, ROUND - 1, ROUND + 700, 5 * ROUND + HALF + 9])(
    "is since %d where it is one of the 2³¹ from that on",
    async (oldest) => {
      const steps = [0, 1, 2, 3, 100, HALF - 100, HALF - 1, HALF, HALF + 1, ROUND - 100, ROUND - 1];
      const xids = steps.map((step) => (oldest + step) % ROUND);
      const { rows } = await admin.query({
        text: `SELECT ${isSince("xid", BigInt(oldest))} FROM unnest('{${xids.join(",")}}'::xid[]) WITH ORDINALITY AS t(xid, i) ORDER BY i`,
        rowMode: "array",
      });
      // 0, 1 and 2 stand for no transaction, and are not asked about here.
      const isNumber = (_: unknown, i: number): boolean => xids[i]! > 2;
      expect(rows.flat().filter(isNumber)).toEqual(steps.map((step) => step < HALF).filter(isNumber));
    },
  );

  it("counts no row of those that stand for none, past a round", async () => {
    const sql = `SELECT ${isSince("'2'::xid", BigInt(ROUND - 5))} AS is`;
    expect((await admin.query<{ is: boolean }>(sql)).rows).toEqual([{ is: false }]);
  });
});

describe("the sum of a table's keys", () => {
  const sumOf = async (type: string, values: string[]) => {
    await admin.query(`DROP TABLE IF EXISTS sums.t; CREATE TABLE sums.t (a ${type}, b ${type}, PRIMARY KEY (a, b))`);
    for (const value of values) await admin.query(`INSERT INTO sums.t VALUES (${value})`);
    const columns = ["a", "b"].map((name) => ({ name, type }));
    const table = { schema: "sums", name: "t", primaryKey: ["a", "b"], columns } as unknown as PostgresTable;
    const fetchRows = async (sql: string) =>
      (await admin.query({ text: sql, rowMode: "array" })).rows as (string | null)[][];
    return sumKeys(fetchRows, table, 3n);
  };

  it.each([
    ["bigint", ["1, 2", "3, 4"], ["1, 4", "3, 2"]],
    ["bigint", ["1, 2"], ["2, 1"]],
    ["bigint", ["0, 1"], [`0, ${2n ** 32n}`]],
    ["bigint", ["5, 1"], [`5, ${(1n << 40n) + (1n << 8n) + 1n}`]],
    ["bigint", [`${2n ** 32n}, 0`], ["1, 0"]],
    ["text", ["'ab', 'c'"], ["'a', 'bc'"]],
    ["text", ["'', 'a'"], ["'a', ''"]],
    ["uuid", ["gen_random_uuid(), gen_random_uuid()"], ["gen_random_uuid(), gen_random_uuid()"]],
  ])("differs between keys of %s: %s, and %s", async (type, one, other) => {
    const [a, b] = [await sumOf(type, one), await sumOf(type, other)];
    expect(a.keys.rows).toBe(b.keys.rows);
    expect(a.keys.sum).not.toBe(b.keys.sum);
  });

  it("is the same in any order of the rows, nought of none, and right past 64 bits", async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i}, ${i * 7}`);
    const sum = await sumOf("bigint", rows);
    expect(await sumOf("bigint", rows.toReversed())).toMatchObject({ keys: sum.keys });
    expect(await sumOf("bigint", [])).toMatchObject({ keys: { rows: 0, sum: "0" }, written: 0 });
    const [few, rest] = [await sumOf("bigint", rows.slice(0, 90)), await sumOf("bigint", rows.slice(90))];
    expect(BigInt(few.keys.sum) + BigInt(rest.keys.sum)).toBe(BigInt(sum.keys.sum));
    expect(sum.written).toBe(200);
  });
});
