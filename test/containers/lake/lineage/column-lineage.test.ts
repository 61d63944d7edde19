import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  COLUMN_SOURCES_MAX,
  columnLineage,
  serialiseSql,
} from "../../../../containers/engine/lake/sql/lineage/column-lineage.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const sql of [
    "CREATE SCHEMA shop",
    "CREATE TABLE t (id INT, a INT, b INT, s STRUCT(f INT), l INT[])",
    "CREATE TABLE shop.u (id INT, c INT)",
    'CREATE TABLE v ("Wide Name" INT, id INT)',
    `CREATE TABLE wide (${Array.from({ length: COLUMN_SOURCES_MAX + 1 }, (_, i) => `w${i} INT`).join(", ")})`,
  ])
    await connection.run(sql);
});
afterAll(() => connection.closeSync());

const table = (schema: string, name: string, columns: string[]): LakeTable => ({
  ...{ tableId: 1, schema, name, version: "1", view: "whole" },
  columns: columns.map((column, id) => ({ id, name: column, type: "int32", nullable: true, children: [] })),
});
const wide = Array.from({ length: COLUMN_SOURCES_MAX + 1 }, (_, i) => `w${i}`);
const TABLES = [
  table("main", "t", ["id", "a", "b", "s", "l"]),
  table("shop", "u", ["id", "c"]),
  table("main", "v", ["Wide Name", "id"]),
  table("main", "wide", wide),
];

/** The statement's columns as DuckDB binds them, each with its sources as `table.column`, or `?`. */
async function lineageOf(sql: string): Promise<string> {
  const reader = await connection.runAndReadAll(serialiseSql(sql));
  const prepared = await connection.prepare(sql);
  const names = Array.from({ length: prepared.columnCount }, (_, i) => prepared.columnName(i));
  const lineage = columnLineage(JSON.parse(String(reader.getRows()[0]![0])), TABLES, names);
  return lineage
    .map((sources) => (sources === null ? "?" : sources.map(({ name, column }) => `${name}.${column}`).join(" ")))
    .join(", ");
}

describe("the lineage of a column", () => {
  it.each([
    ["plain references", "SELECT c, u.c, shop.u.id FROM shop.u", "u.c, u.c, u.id"],
    ["names in another case, and quoted ones", `SELECT A, "wide name" FROM T, v`, "t.a, v.Wide Name"],
    ["aliases of columns and tables", "SELECT x.a AS y FROM t AS x", "t.a"],
    ["renamed columns of a table", "SELECT m, b FROM t AS x(n, m)", "t.a, t.b"],
    ["an expression over several columns", "SELECT a + coalesce(b, t.id) AS y FROM t", "t.a t.b t.id"],
    ["CASE, casts, and comparisons", "SELECT CASE WHEN a > 1 THEN b::TEXT END FROM t", "t.a t.b"],
    ["aggregates, with their filter", "SELECT sum(a) FILTER (b > 1), count(*) FROM t", "t.a t.b, "],
    ["windows, with what they go by", "SELECT sum(a) OVER (PARTITION BY b ORDER BY id) FROM t", "t.a t.b t.id"],
    ["constants", "SELECT 1 AS one, a FROM t", ", t.a"],
    ["not what only chooses rows", "SELECT a FROM t WHERE b > 1 GROUP BY a, id ORDER BY id", "t.a"],
    ["a field of a struct", "SELECT s.f, t.s.f FROM t", "t.s, t.s"],
    ["an alias to the left", "SELECT a AS y, y + 1 AS z FROM t", "t.a, t.a"],
    ["a column rather than an alias of its name", "SELECT a AS b, b AS y FROM t", "t.a, t.b"],
    ["every column", "SELECT *, u.* EXCLUDE (id) FROM shop.u", "u.id, u.c, u.c"],
    ["FROM alone", "FROM shop.u", "u.id, u.c"],
    ["joins", "SELECT t.id, c FROM t JOIN shop.u ON t.id = u.id", "t.id, u.c"],
    ["columns of USING", "SELECT id, * FROM shop.u JOIN v USING (id)", "u.id, u.id, u.c, v.Wide Name"],
    ["columns of USING from the right", "SELECT id, c FROM shop.u RIGHT JOIN v USING (id)", "v.id, u.c"],
    ["columns of USING from both", "SELECT id FROM shop.u FULL JOIN v USING (id)", "u.id v.id"],
    ["a semi join, which shows its left", "SELECT * FROM shop.u SEMI JOIN t USING (id)", "u.id, u.c"],
    ["sub-queries in FROM", "SELECT q.y FROM (SELECT a + b AS y FROM t) AS q", "t.a t.b"],
    ["common table expressions", "WITH x(p) AS (SELECT a FROM t), y AS (SELECT p + 1 AS q FROM x) FROM y", "t.a"],
    ["one that hides a table", "WITH t AS (SELECT c AS a FROM shop.u) SELECT a FROM t", "u.c"],
    ["UNION by place", "SELECT a AS y, 1 AS one FROM t UNION ALL SELECT c, id FROM shop.u", "t.a u.c, u.id"],
    ["names that come twice in a sub-query", "SELECT id FROM (SELECT * FROM shop.u, v) q", "u.id"],
  ])("follows %s", async (_, sql, expected) => expect(await lineageOf(sql)).toBe(expected));

  it.each([
    ["a sub-query as a value", "SELECT a, (SELECT max(c) FROM shop.u) AS y FROM t", "t.a, ?"],
    ["a lambda, whose names may be columns'", "SELECT a, list_transform(l, lambda b: b + 1) AS y FROM t", "t.a, ?"],
    ["COLUMNS", "SELECT COLUMNS('a|b') FROM t", "?, ?"],
    ["replaced columns", "SELECT * REPLACE (id + 1 AS id) FROM shop.u", "?, ?"],
    ["what unnests into several", "SELECT unnest(s), a FROM t", "?, ?"],
    ["EXCEPT", "SELECT a FROM t EXCEPT SELECT c FROM shop.u", "?"],
    ["UNION BY NAME", "SELECT a FROM t UNION BY NAME SELECT c AS a FROM shop.u", "?"],
    ["recursion", "WITH RECURSIVE r AS (SELECT a FROM t UNION ALL SELECT a + 1 FROM r WHERE a < 3) FROM r", "?"],
    ["a natural join's columns, but by their table", "SELECT id, u.c FROM shop.u NATURAL JOIN v", "?, u.c"],
    ["a function in FROM, and names that it may have", "SELECT a, t.b, range FROM t, range(3)", "?, t.b, ?"],
    ["PIVOT", "SELECT * FROM (PIVOT t ON b IN (1) USING sum(a) GROUP BY id)", "?, ?"],
    ["a table's row as a whole", "SELECT t AS y FROM t", "?"],
    ["words of the clock", "SELECT current_date AS y FROM t", "?"],
    ["a column of very many", `SELECT ${wide.join(" + ")} AS y, w0 FROM wide`, "?, wide.w0"],
  ])("is unknown through %s", async (_, sql, expected) => expect(await lineageOf(sql)).toBe(expected));

  it("is unknown where DuckDB finds other columns than the tree tells, or a table is another", async () => {
    const tree = JSON.parse(
      String((await connection.runAndReadAll(serialiseSql("SELECT a, x.c FROM t, other AS x"))).getRows()[0]![0]),
    ) as object;
    expect(columnLineage(tree, TABLES, ["a", "c"])).toEqual([null, null]);
    expect(columnLineage(tree, TABLES, ["a"])).toEqual([null]);
    expect(columnLineage({ error: true }, TABLES, ["a", "c"])).toEqual([null, null]);
  });
});
