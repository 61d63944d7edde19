import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LockedDatabase } from "../../../containers/engine/lake/process/locked-database.ts";
import { ESCAPES, UNGATED_ESCAPES } from "../../support/node/lake/escapes.ts";
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
  it.each(ESCAPES)("%s", async (sql) => {
    const failure = await lake.failure(sql);
    expect(["statement_refused", "sql_error"]).toContain(failure.code);
    if (!sql.includes("/")) expectTellsNoPath(failure.message);
    await expectUnharmed();
  });
});

describe("behind the gate the jail itself holds", () => {
  it.each(UNGATED_ESCAPES)("%s", async (sql) => {
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

  it.each(["SHOW TABLES", "show /* all */ tables;", "SELECT schema, name FROM (SHOW ALL TABLES) ORDER BY ALL"])(
    "shows the tables of all schemas that the caller may read: %s",
    async (sql) => {
      const [orders, salaries] = [
        { schema: "shop", name: "orders" },
        { schema: "hr", name: "salaries" },
      ];
      expect(await lake.rows(sql)).toEqual([salaries, orders]);
      expect(await lake.rows(sql, clerk)).toEqual([orders]);
    },
  );

  it("shows the tables of one schema, and the schemas", async () => {
    expect(await lake.rows("SHOW TABLES FROM shop", clerk)).toEqual([{ name: "orders" }]);
    expect((await lake.failure("SHOW TABLES FROM hr", clerk)).code).toBe("sql_error");
    const names = async (asked?: typeof clerk) => (await lake.rows("SHOW SCHEMAS", asked)).map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(["hr", "shop"]));
    expect(await names(clerk)).not.toContain("hr");
    expect((await lake.rows("DESCRIBE shop.orders", clerk)).map(({ column_name: name }) => name)).toEqual([
      "id",
      "name",
    ]);
    expect((await lake.failure("SELECT * FROM (SHOW TABLES)")).message).toMatch(/write \(SHOW ALL TABLES\)/);
    expect((await lake.failure("DESCRIBE hr.salaries", clerk)).code).toBe("sql_error");
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
