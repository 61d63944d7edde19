import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LockedDatabase } from "../../../containers/engine/lake/process/locked-database.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open();
  const columns = [column(1, "id", "int64"), column(2, "name", "varchar")];
  lake.platform.addTable("shop", "orders", columns, [
    {
      path: await lake.write(
        "orders.parquet",
        "SELECT range AS id, 'n' || range AS name FROM range(1000)",
        "id: 1, name: 2",
      ),
    },
  ]);
  lake.platform.addTable("hr", "salaries", columns, [
    {
      path: await lake.write(
        "salaries.parquet",
        "SELECT range AS id, 'secret' AS name FROM range(10)",
        "id: 1, name: 2",
      ),
    },
  ]);
  lake.platform.grants.set("clerk", new Set(["shop.orders"]));
});
afterAll(() => lake.close());

const ANOTHER_CALLER = { grant: { token: "other" } };

/** The next statement of somebody else is served as if nothing had been. */
const expectUnharmed = async (): Promise<void> =>
  expect(await lake.rows("SELECT count(*) AS n FROM shop.orders", ANOTHER_CALLER)).toEqual([{ n: 1000 }]);

const expectTellsNoPath = (message: string): void => {
  expect(message).not.toContain(lake.directory);
  expect(message).not.toContain("/tmp");
  expect(message).not.toMatch(/\.parquet/);
};

describe("a statement that reaches outside is refused", () => {
  it.each([
    // Files.
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_parquet('files/lake-1/2.parquet')",
    "SELECT * FROM parquet_scan('files/lake-1/2.parquet')",
    "SELECT * FROM parquet_metadata('files/lake-1/2.parquet')",
    "SELECT * FROM 'files/lake-1/2.parquet'",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM glob('*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT (SELECT count(*) FROM read_text('/etc/passwd'))",
    "SELECT * FROM shop.orders WHERE id IN (FROM read_csv('/etc/passwd'))",
    'WITH "files/lake-1/2.parquet" AS (SELECT 1) SELECT * FROM "files/lake-1/2.parquet"',
    "SELECT * FROM (WITH sqlite_master AS (SELECT 1) SELECT 1), sqlite_master",
    // Network.
    "SELECT * FROM read_csv('http://127.0.0.1:9/x')",
    "SELECT * FROM 's3://bucket/x.parquet'",
    // What changes the instance or the disk.
    "ATTACH '/tmp/x.db'",
    "ATTACH ':memory:' AS m",
    "COPY shop.orders TO '/tmp/x.csv'",
    "COPY (SELECT 1) TO 'x.csv'",
    "EXPORT DATABASE 'x'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '100GB'",
    "SET VARIABLE a = 1",
    "RESET ALL",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CHECKPOINT",
    "CREATE TABLE t (a INTEGER)",
    "CREATE OR REPLACE VIEW shop.orders AS SELECT 1",
    "CREATE MACRO f() AS 1",
    "DROP VIEW shop.orders",
    "INSERT INTO shop.orders VALUES (1, 'x')",
    "DELETE FROM shop.orders",
    "USE memory",
    "CREATE SECRET (TYPE s3)",
    // Several at once.
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP VIEW shop.orders",
    "SELECT 1) AS q(c1) SELECT c1; DROP VIEW shop.orders; SELECT * FROM (SELECT 1",
    // Functions that act, plan or tell.
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/x')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('shop.orders')",
    "SELECT * FROM json_execute_serialized_sql('{}')",
    "SELECT json_serialize_plan('SELECT 1')",
    "SELECT current_setting('temp_directory')",
    "SELECT getvariable('x')",
    "SELECT sleep_ms(10000)",
    "SELECT write_log('x')",
    "SELECT pg_get_viewdef(1)",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_views()",
    "SELECT * FROM duckdb_views",
    "SELECT * FROM pg_catalog.pg_views",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM system.information_schema.tables",
    "SELECT * FROM information_schema.views",
    "SELECT * FROM duckdb_external_file_cache()",
    "SELECT * FROM duckdb_secrets()",
    "SHOW DATABASES",
    "EXPLAIN ANALYZE SELECT * FROM read_text('/etc/passwd')",
    "EXPLAIN COPY shop.orders TO 'x'",
    "DESCRIBE '/etc/passwd'",
    "SUMMARIZE 'files/lake-1/2.parquet'",
    "SELECT $1",
    "",
    "-- nothing",
  ])("%s", async (sql) => {
    const failure = await lake.failure(sql);
    expect(["statement_refused", "sql_error"]).toContain(failure.code);
    if (!sql.includes("/")) expectTellsNoPath(failure.message);
    await expectUnharmed();
  });
});

describe("behind the gate the jail itself holds", () => {
  it.each([
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_parquet('$DIR/other.parquet')",
    "SELECT * FROM glob('/etc/*')",
    "COPY (SELECT 1) TO '$DIR/mine.parquet'",
    "COPY (SELECT 1) TO '$DIR/new.csv'",
    "ATTACH '$DIR/new.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET allowed_paths = ['/etc/passwd']",
    "SET memory_limit = '100GB'",
    "SELECT * FROM read_csv('http://127.0.0.1:9/x')",
  ])("%s", async (sql) => {
    const jail = await LockedDatabase.open({ threads: 1, memoryMb: 200, spillMb: 100 }, join(lake.directory, "jail"));
    try {
      writeFileSync(join(lake.directory, "other.parquet"), "");
      writeFileSync(join(lake.directory, "mine.parquet"), "");
      await jail.setUp([], [join(lake.directory, "mine.parquet")]);
      await expect(jail.connection.run(sql.replaceAll("$DIR", lake.directory))).rejects.toThrow();
    } finally {
      jail.close();
    }
  });
});

describe("what a caller may not read does not exist for it", () => {
  const clerk = { grant: { token: "clerk" } };

  it("answers as for a table that is not there, with its place", async () => {
    const failure = await lake.failure("SELECT * FROM hr.salaries", clerk);
    const missing = await lake.failure("SELECT * FROM hr.missing01", clerk);
    expect(failure).toMatchObject({ code: "sql_error", position: 15 });
    expect(failure.message.replace("salaries", "missing01")).toBe(missing.message);
  });

  it("shows it in no listing", async () => {
    expect(await lake.rows("SELECT table_name FROM information_schema.tables", clerk)).toEqual([
      { table_name: "orders" },
    ]);
    expect(await lake.rows("SHOW ALL TABLES", clerk)).toHaveLength(1);
    expect(JSON.stringify(await lake.rows("SELECT * FROM information_schema.schemata", clerk))).not.toContain("hr");
  });

  it("lists every table with its catalog, type and columns to who may read all", async () => {
    expect(
      await lake.rows(
        "SELECT table_catalog, table_schema, table_name, table_type FROM information_schema.tables ORDER BY ALL",
      ),
    ).toEqual([
      { table_catalog: "LAKE", table_schema: "hr", table_name: "salaries", table_type: "BASE TABLE" },
      { table_catalog: "LAKE", table_schema: "shop", table_name: "orders", table_type: "BASE TABLE" },
    ]);
    expect(
      await lake.rows("SELECT column_name, data_type FROM LAKE.information_schema.columns WHERE table_name = 'orders'"),
    ).toEqual([
      { column_name: "id", data_type: "BIGINT" },
      { column_name: "name", data_type: "VARCHAR" },
    ]);
  });
});

describe("nothing tells where on the machine the engine keeps things", () => {
  it.each([
    "EXPLAIN SELECT * FROM shop.orders WHERE id = 1",
    "DESCRIBE shop.orders",
    "SELECT * FROM information_schema.schemata",
    "SELECT * FROM information_schema.columns",
    "SHOW ALL TABLES",
  ])("%s", async (sql) => {
    expectTellsNoPath(await lake.ask(sql));
  });

  it.each([
    "SELECT filename FROM shop.orders",
    "SELECT CAST(name AS INTEGER) FROM shop.orders",
    "SELECT nope FROM shop.orders",
    "SELECT error('x')",
  ])("%s", async (sql) => {
    expectTellsNoPath((await lake.failure(sql)).message);
  });
});
