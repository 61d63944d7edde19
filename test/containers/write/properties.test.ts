import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

const id = fc.integer({ min: 0, max: 12 });
const word = fc.constantFrom("NULL", "'a'", "'it''s; -- no'", "'WHERE'", "$$x$$");
const condition = fc.oneof(
  id.map((n) => `t.id < ${n}`),
  id.map((n) => `t.id % 3 = ${n % 3}`),
  fc.constant("t.word IS NULL"),
  id.map((n) => `t.id IN (SELECT id + 1 FROM t AS inside WHERE inside.id > ${n})`),
  fc.constant("CASE WHEN t.amount > 2 THEN t.word = 'a' ELSE t.id = 3 END"),
  fc.constant("EXISTS (SELECT 1 FROM s WHERE s.id = t.id)"),
);
const statement = fc.oneof(
  fc.tuple(id, word).map(([n, w]) => `INSERT INTO t VALUES (${n}, ${w}, ${n}.25), (${n + 1}, 'b', NULL)`),
  id.map((n) => `INSERT INTO t (amount, id) SELECT 1, id + ${n} FROM s`),
  id.map((n) => `INSERT INTO t BY NAME SELECT 'n' AS word, ${n} AS id`),
  id.map((n) => `INSERT INTO t SELECT * FROM t WHERE id = ${n}`),
  condition.map((c) => `DELETE FROM t WHERE ${c}`),
  id.map((n) => `DELETE FROM t USING s WHERE s.id = t.id AND s.id > ${n}`),
  fc.tuple(condition, word).map(([c, w]) => `UPDATE t SET word = ${w}, id = t.id + 1 WHERE ${c}`),
  fc.constant(
    "UPDATE t SET amount = coalesce(t.amount, 0) + s.id, word = s.word FROM (SELECT DISTINCT ON (id) * FROM s ORDER BY id, word) AS s WHERE s.id = t.id",
  ),
  condition.map(
    (c) =>
      `MERGE INTO t USING (SELECT DISTINCT ON (id) * FROM s ORDER BY id, word) AS s ON t.id = s.id WHEN MATCHED AND ${c} THEN DELETE WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *`,
  ),
  fc
    .tuple(condition, id)
    .map(
      ([c, n]) =>
        `MERGE INTO t USING (SELECT DISTINCT id FROM s) AS s USING (id) WHEN NOT MATCHED AND s.id > ${n} THEN INSERT (id, word) VALUES (s.id, 'new') WHEN NOT MATCHED BY SOURCE AND ${c} THEN UPDATE SET word = 'lone' WHEN MATCHED THEN DO NOTHING`,
    ),
  fc
    .tuple(id, word)
    .map(
      ([n, w]) =>
        `MERGE INTO t USING (SELECT ${n} AS id, ${w} AS word) AS one ON one.id = t.id WHEN MATCHED THEN UPDATE SET word = one.word WHEN NOT MATCHED THEN INSERT BY NAME`,
    ),
  fc.constant("CREATE OR REPLACE TABLE s AS SELECT id, word, amount FROM t WHERE id % 2 = 0"),
  fc.constant("TRUNCATE s"),
);

const START = [
  "CREATE OR REPLACE TABLE t (id INTEGER, word VARCHAR, amount DECIMAL(10,2))",
  "CREATE OR REPLACE TABLE s AS SELECT range::INTEGER AS id, 'w' || range AS word, range::DECIMAL(10,2) AS amount FROM range(3, 9)",
];

async function rowsOf(duckdb: DuckDBConnection, table: string): Promise<unknown> {
  return (
    await duckdb.runAndReadAll(`SELECT id, word, CAST(amount AS VARCHAR) AS amount FROM ${table} ORDER BY ALL`)
  ).getRowObjectsJson();
}

it("leaves the lake as the same statements leave a DuckDB", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { minLength: 6, maxLength: 14 }), async (statements) => {
      const instance = await DuckDBInstance.create(":memory:");
      const duckdb = await instance.connect();
      try {
        for (const sql of START) await Promise.all([duckdb.run(sql), lake.ask(sql)]);
        for (const sql of statements) {
          const count = (await duckdb.runAndReadAll(sql)).getRows()[0]?.[0];
          expect([sql, await lake.count(sql)]).toEqual([sql, count === undefined ? undefined : Number(count)]);
          for (const table of ["t", "s"]) {
            expect([
              sql,
              await lake.rows(`SELECT id, word, CAST(amount AS VARCHAR) AS amount FROM ${table} ORDER BY ALL`),
            ]).toEqual([sql, await rowsOf(duckdb, table)]);
          }
        }
      } finally {
        duckdb.closeSync();
        instance.closeSync();
      }
    }),
    { numRuns: 8 },
  );
}, 300_000);
