import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../containers/engine/core/failure.ts";
import { lakeBesideDuckdb } from "../../support/node/lake/lake-beside-duckdb.ts";

const pair = lakeBesideDuckdb();

/** What is left of a table, every value with its type, in DuckDB's words; a double with all its digits. */
const rowsSql = (columns: number) =>
  `SELECT ${Array.from({ length: columns }, (_, i) => `typeof(c${i}) || ' ' || coalesce(CAST(c${i} AS VARCHAR), 'nothing') AS c${i}`).join(", ")} FROM t ORDER BY ALL`;

/** Runs one statement on both databases and expects equal rows afterwards, or a refusal by both. */
async function alike(sql: string, columns: number): Promise<void> {
  const [theirs, ours] = await Promise.all([
    pair.duckdb.runAndReadAll(sql).then(
      (reader) => Number(reader.getRows()[0]![0]),
      () => "refused",
    ),
    pair.lake
      .count(sql)
      .catch(({ code }: Failure) => (code === "sql_error" || code === "statement_refused" ? "refused" : code)),
  ]);
  expect([sql, ours]).toEqual([sql, theirs]);
  const expected = (await pair.duckdb.runAndReadAll(rowsSql(columns))).getRowObjectsJson();
  expect([sql, await pair.lake.rows(rowsSql(columns))]).toEqual([sql, expected]);
}

const TYPES = [
  "BOOLEAN",
  "TINYINT",
  "INTEGER",
  "BIGINT",
  "UBIGINT",
  "FLOAT",
  "DOUBLE",
  "DECIMAL(38,10)",
  "DECIMAL(5,2)",
  "VARCHAR",
  "BLOB",
  "DATE",
  "TIME",
  "TIMESTAMP",
  "TIMESTAMPTZ",
  "TIMESTAMP_NS",
  "UUID",
  "JSON",
  "INTEGER[]",
  "VARCHAR[]",
  "STRUCT(a DECIMAL(38,4), b VARCHAR)",
  "MAP(VARCHAR, BIGINT)",
] as const;
const CELLS = [
  "NULL",
  "DEFAULT",
  "0",
  "1",
  "-1",
  "200",
  "1e0",
  "1.5",
  "2.5e0",
  "9007199254740993",
  "18446744073709551615",
  "170141183460469231731687303715884105727",
  "1234567890123456789.0123456789",
  "0.1",
  "'nan'::DOUBLE",
  "1e300",
  "true",
  "'1'",
  "'1.50'",
  "'x'",
  "''",
  "' 7 '",
  "'true'",
  "'2026-01-31'",
  "'2026-01-31 10:00:00.123456'",
  "'10:00:00'",
  "'\\xAA'",
  "'{\"a\": 1}'",
  "'[1, 2]'",
  "'6e2a3f10-0000-4000-8000-00000000002a'",
  "'{a: 1, b: x}'",
  "DATE '2026-01-31'",
  "TIMESTAMP '2026-01-31 10:00:00.123456'",
  "TIMESTAMPTZ '2026-01-31 10:00:00+02'",
  "TIME '10:00:00'",
  "TIMESTAMP_NS '2026-01-31 10:00:00.123456789'",
  "uuid '6e2a3f10-0000-4000-8000-00000000002a'",
  "'a'::BLOB",
  "'b'::ENUM('a', 'b')",
  "INTERVAL 1 DAY",
  "[]",
  "[1, 2]",
  "[1.5, 1e0]",
  "['a', NULL]",
  "{'a': 1.00005, 'b': 2}",
  "{'b': 'x', 'a': 1}",
  "(1, 'x')",
  "row(1)",
  "MAP {'k': 1}",
  "json('{\"b\": 2}')",
  "(SELECT 5)",
  "(SELECT 'x' WHERE false)",
  "1 + 1e0",
  "CASE WHEN true THEN 1 ELSE 2.5 END",
  "-(-128)",
  "t.c0",
  "(1",
] as const;

const insert = fc
  .array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })
  .chain((types) =>
    fc.record({
      types: fc.constant(types),
      rows: fc.array(fc.tuple(...types.map(() => fc.constantFrom(...CELLS))), { minLength: 1, maxLength: 4 }),
      head: fc.constantFrom(
        "INSERT INTO t VALUES",
        "INSERT INTO t (VALUES",
        "INSERT INTO t SELECT * FROM (VALUES",
        "INSERT INTO t /* ; */ VALUES",
        "WITH one AS (SELECT 1 AS a) INSERT INTO t VALUES",
        "INSERT INTO t WITH one AS (SELECT 1 AS a) VALUES",
      ),
    }),
  );

describe("INSERT", () => {
  it("casts each cell to its column, as DuckDB does", async () => {
    await pair.both(
      "CREATE OR REPLACE TABLE t (c0 DECIMAL(38,10), c1 BIGINT, c2 VARCHAR, c3 STRUCT(a DECIMAL(38,4), b VARCHAR)[])",
    );
    await alike(
      "INSERT INTO t VALUES (1234567890123456789.0123456789, 9007199254740993, 1, [{'a': 1234567890123456789.0001, 'b': 1}]), (1e0, 2e0, TIMESTAMP '2026-01-31', [{'a': 1e0, 'b': 'x'}]), (NULL, '3', 1.50, DEFAULT), (DEFAULT, true, [1], [])",
      4,
    );
    await alike(
      "INSERT INTO t (c2, c0) VALUES (1e0, '7'), (1.10, 1e20), (DATE '2026-01-31', 1234567890123456789.5)",
      4,
    );
    await alike(
      "WITH one AS (SELECT 12345678901234567.5 AS a) INSERT INTO t (c0, c2) VALUES ((SELECT a FROM one), 1), (1e0, DATE '2026-01-31')",
      4,
    );
    await alike("INSERT INTO t DEFAULT VALUES", 4);
    for (const cell of ["(SELECT count(*) FROM LAKE.information_schema.schemata WHERE schema_name = 'none')", "0"])
      expect(await pair.lake.count(`INSERT INTO t (c0) VALUES (${cell}), (1e0)`)).toBe(2);
    await pair.duckdb.run("INSERT INTO t (c0) VALUES (0), (1), (0), (1)");
    await alike("INSERT INTO t (c0) VALUES ((SELECT max(c0) + 1 FROM t)), (1e0)", 4);
    await alike("INSERT INTO t (c0, c1, c2) VALUES (1, 2, 3) ORDER BY 1", 4);
    await alike("INSERT INTO t (c0) VALUES (1) UNION ALL VALUES (2.5e0)", 4);
    await alike("INSERT INTO t VALUES (1, 2)", 4);
    await alike("INSERT INTO t (c0, c1) VALUES (1, 2)", 4);
    await pair.both("CREATE OR REPLACE TABLE t (c0 INTEGER NOT NULL, c1 VARCHAR)");
    for (const sql of [
      "INSERT INTO t (c1) VALUES (1)",
      "INSERT INTO t VALUES (1, 2), (NULL, 3)",
      "INSERT INTO t DEFAULT VALUES",
      "INSERT INTO t BY NAME VALUES (1, 2)",
      "INSERT INTO t BY NAME SELECT 'x' AS c1, 1e0 AS c0",
      "INSERT INTO t VALUES (1, 2), (3)",
    ]) {
      await alike(sql, 2);
    }
  });

  it("has the same rows, or the same refusal, of whatever cells in whatever columns", async () => {
    await fc.assert(
      fc.asyncProperty(insert, async ({ types, rows, head }) => {
        await pair.both(`CREATE OR REPLACE TABLE t (${types.map((type, i) => `c${i} ${type}`).join(", ")})`);
        await alike(
          `${head} ${rows.map((cells) => `(${cells.join(", ")})`).join(", ")}${head.includes("(V") ? ")" : ""}`,
          types.length,
        );
      }),
      { numRuns: Number(process.env.WRITE_RUNS ?? 30) },
    );
  }, 300_000);

  it("assigns as DuckDB does, in UPDATE, MERGE and queries too", async () => {
    const assign = fc.record({
      type: fc.constantFrom(...TYPES),
      cell: fc.constantFrom(...CELLS),
      head: fc.constantFrom("SET", "MERGE SET", "MERGE INSERT", "SELECT", "BY NAME"),
    });
    await fc.assert(
      fc.asyncProperty(assign, async ({ type, cell, head }) => {
        await pair.both(`CREATE OR REPLACE TABLE t (c0 ${type}, c1 INTEGER)`);
        await pair.both("INSERT INTO t (c1) VALUES (1)");
        const source = "MERGE INTO t USING (SELECT 1 AS n) AS s ON s.n";
        const sql = {
          SET: `UPDATE t SET c0 = ${cell}`,
          "MERGE SET": `${source} = t.c1 WHEN MATCHED THEN UPDATE SET c0 = ${cell}`,
          "MERGE INSERT": `${source} > t.c1 WHEN NOT MATCHED THEN INSERT (c0, c1) VALUES (${cell}, 2)`,
          SELECT: `INSERT INTO t SELECT ${cell}, 2`,
          "BY NAME": `INSERT INTO t BY NAME SELECT ${cell} AS c0`,
        }[head];
        await alike(sql, 2);
      }),
      { numRuns: Number(process.env.WRITE_RUNS ?? 30) },
    );
  }, 300_000);
});
