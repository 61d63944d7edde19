import { afterAll, beforeAll, expect, it } from "vitest";
import { exportCatalog } from "../../../containers/engine/export/export-catalog.ts";
import { readWithDucklake } from "../../support/node/lake/ducklake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

it("leaves a catalog in which DuckDB's own ducklake extension finds the same rows and comments, now and then", async () => {
  for (const sql of [
    "CREATE TABLE t AS SELECT range::INTEGER AS id, 'w' || range AS word, {'a': range} AS inner FROM range(50)",
    "DELETE FROM t WHERE id % 5 = 0",
    "ALTER TABLE t ADD COLUMN extra DECIMAL(10,2)",
    "ALTER TABLE t RENAME COLUMN word TO name",
    "UPDATE t SET name = upper(name), extra = id / 4 WHERE id % 3 = 0",
    "MERGE INTO t USING (SELECT range::INTEGER AS id FROM range(40, 60)) AS s USING (id) WHEN MATCHED AND s.id % 2 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET extra = 1 WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, 'new')",
    "ALTER TABLE t ALTER id TYPE BIGINT",
    "CREATE SCHEMA other",
    "COMMENT ON TABLE t IS 'the ''words''\nand more'",
    "COMMENT ON COLUMN LAKE.main.t.Extra IS 'a -- quarter'",
    "comment on column t.name is 'soon gone'",
    "COMMENT ON COLUMN main.t.name IS NULL",
    "CREATE TABLE other.u AS FROM t WHERE id > 10",
    "CREATE TABLE other.v (a INT COMMENT 'first', b VARCHAR COMMENT '' NOT NULL, comment INT) COMMENT 'made ''so'''",
    "ALTER TABLE other.v ADD COLUMN d STRUCT(x INT) COMMENT 'late'",
    "CREATE TABLE other.w AS SELECT 1 AS a",
    "CREATE OR REPLACE TABLE other.w COMMENT 'of a query' AS SELECT 1 AS a",
  ]) {
    await lake.ask(sql);
  }
  const { snapshotId } = lake.platform;
  const rowsSql = (table: string, at = "") =>
    `SELECT CAST(to_json(t) AS VARCHAR) AS "row" FROM (SELECT * FROM "LAKE".${table}${at}) AS t ORDER BY 1`;
  const queries = [
    rowsSql("main.t"),
    rowsSql("other.u"),
    ...[1, 2, 5, 6].map((version) => rowsSql("main.t", ` AT (VERSION => ${version})`)),
  ];
  const commentsSql =
    "SELECT table_name, NULL, comment FROM duckdb_tables() WHERE database_name = 'LAKE' UNION ALL SELECT table_name, column_name, comment FROM duckdb_columns() WHERE database_name = 'LAKE' AND comment IS NOT NULL ORDER BY ALL";
  let theirs: unknown[][][] = [];
  const asked = {
    id: "export",
    lake: lake.platform.grant(snapshotId),
    format: "0.3" as const,
    dataPath: `${lake.platform.bucket}/`,
    deadlineMs: 60_000,
  };
  await exportCatalog(
    asked,
    lake.platform.url,
    new AbortController().signal,
    async (file) => void (theirs = await readWithDucklake(file, `${lake.platform.bucket}/`, [...queries, commentsSql])),
  );
  for (const [i, sql] of queries.entries())
    expect([sql, theirs[i]!.map(([row]) => row)]).toEqual([sql, (await lake.rows(sql)).map(({ row }) => row)]);
  expect(theirs.pop()).toEqual([
    ["t", "extra", "a -- quarter"],
    ["t", null, "the 'words'\nand more"],
    ["u", null, null],
    ["v", "a", "first"],
    ["v", "d", "late"],
    ["v", null, "made 'so'"],
    ["w", null, "of a query"],
  ]);
  expect(theirs.map((rows) => rows.length)).toEqual([48, 40, 50, 40, 40, 48]);
}, 300_000);
