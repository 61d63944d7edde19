// Statements that write by Trino's protocol: what they write, what their clients are answered, and what is refused.

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { call, newTeam } from "../../client.ts";
import { basic, begin, follow, run, type Page } from "./trino-client.ts";

const mark = randomUUID().slice(0, 8);
let [admin, member] = ["", ""];

async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(method, path, { key: admin, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const as = (key: string): Record<string, string> => ({
  authorization: basic("ada", key),
  "X-Trino-Catalog": "lake",
  "X-Trino-Schema": "main",
});

/** The answer to a statement that does not fail. */
async function write(sql: string): Promise<Page> {
  const page = await run(sql, as(admin));
  expect(page.error, sql).toBeUndefined();
  return page;
}
const counted = async (sql: string): Promise<unknown[]> => {
  const { updateType, updateCount, columns, data } = await write(sql);
  expect(columns!.map(({ name, type }) => [name, type])).toEqual([["rows", "bigint"]]);
  expect(data).toEqual([[updateCount]]);
  return [updateType, updateCount];
};
const plain = async (sql: string): Promise<unknown> => {
  const { updateType, updateCount, columns, data } = await write(sql);
  expect({ updateCount, columns, data }, sql).toEqual({ columns: [], data: [] });
  return updateType;
};
const rowsOf = async (sql: string): Promise<unknown[][]> => (await write(sql)).data!;
const refusal = async (sql: string, key = admin): Promise<unknown[]> => {
  const { error } = await run(sql, as(key));
  return [error?.errorName, error?.errorLocation?.lineNumber, error?.errorLocation?.columnNumber];
};

beforeAll(async () => {
  admin = (await newTeam("Trino writes")).key;
  const bob = { name: "Bob", email: `bob@${mark}.example`, role: "member" };
  const user = await ask<{ data: { id: string } }>("POST", "/v4/users", bob);
  member = (await ask<{ data: { key: string } }>("POST", `/v4/users/${user.data.id}/keys`, { name: "k" })).data.key;
});

describe("a statement that writes rows", () => {
  it("makes a table of a query, with Trino's types", async () => {
    const select =
      "SELECT 1 AS \"One\", 1.50 AS price, 'abc' AS name, TIMESTAMP '2024-01-02 03:04:05.678' AS at, count(*) AS n, CAST(NULL AS double) AS d";
    expect(await counted(`/* {"app": "dbt"} */ create table "lake"."main"."made" as (${select})`)).toEqual([
      "CREATE TABLE",
      1,
    ]);
    expect(await rowsOf("DESCRIBE made")).toEqual([
      ["one", "integer", "", ""],
      ["price", "decimal(3,2)", "", ""],
      ["name", "varchar", "", ""],
      ["at", "timestamp(6)", "", ""],
      ["n", "bigint", "", ""],
      ["d", "double", "", ""],
    ]);
    expect(await rowsOf("SELECT * FROM made")).toEqual([[1, "1.50", "abc", "2024-01-02 03:04:05.678000", 1, null]]);
    expect(await counted("CREATE TABLE IF NOT EXISTS made AS SELECT 2 AS x")).toEqual(["CREATE TABLE", 0]);
    expect(await refusal("CREATE TABLE made AS SELECT 2 AS x")).toEqual(["TABLE_ALREADY_EXISTS", 1, 14]);
    expect(await counted("CREATE OR REPLACE TABLE made (a, b) AS VALUES (1, 'x'), (2, 'y')")).toEqual([
      "CREATE TABLE",
      2,
    ]);
    expect(await counted("CREATE TABLE empty AS SELECT a FROM made WITH NO DATA")).toEqual(["CREATE TABLE", 0]);
    expect(await rowsOf("SELECT count(*) FROM empty")).toEqual([[0]]);
  });

  it("adds, changes and deletes them, and says how many", async () => {
    await plain("CREATE TABLE stock (id integer NOT NULL, name varchar, price decimal(12, 2), seen timestamp(6))");
    expect(
      await counted("INSERT INTO stock VALUES (1, 'a', 1.5, NULL), (2, 'b''c', -2, TIMESTAMP '2024-01-01 00:00:00')"),
    ).toEqual(["INSERT", 2]);
    expect(
      await counted("INSERT INTO stock (name, id) SELECT 'n' || CAST(x AS varchar), x FROM (VALUES 3, 4) t(x)"),
    ).toEqual(["INSERT", 2]);
    expect(await counted("EXECUTE IMMEDIATE 'INSERT INTO stock (id, name) VALUES (?, ?)' USING 5, 'five'")).toEqual([
      "INSERT",
      1,
    ]);
    expect(
      await counted(
        "UPDATE stock SET price = CAST(price * 2 + 1 AS decimal(12, 2)), name = upper(name) WHERE id = 1 OR id IN (SELECT x FROM (VALUES 2) t(x))",
      ),
    ).toEqual(["UPDATE", 2]);
    expect(await counted("DELETE FROM lake.main.stock WHERE id > (SELECT avg(id) FROM stock) + 1")).toEqual([
      "DELETE",
      1,
    ]);
    expect(await rowsOf("SELECT * FROM stock ORDER BY id")).toEqual([
      [1, "A", "4.00", null],
      [2, "B'C", "-3.00", "2024-01-01 00:00:00.000000"],
      [3, "n3", null, null],
      [4, "n4", null, null],
    ]);
    const merge =
      "MERGE INTO stock AS s USING (SELECT id, price FROM (VALUES (1, 9.5), (3, 8), (7, 7)) v(id, price)) AS n ON s.id = n.id " +
      "WHEN MATCHED AND n.price > 9 THEN UPDATE SET price = n.price, name = s.name || '!' WHEN MATCHED THEN DELETE " +
      "WHEN NOT MATCHED THEN INSERT (id, price) VALUES (n.id, n.price)";
    expect(await counted(merge)).toEqual(["MERGE", 3]);
    expect(await rowsOf("SELECT id, name, price FROM stock ORDER BY id")).toEqual([
      [1, "A!", "9.50"],
      [2, "B'C", "-3.00"],
      [4, "n4", null],
      [7, null, "7.00"],
    ]);
    expect(await plain("TRUNCATE TABLE stock")).toBe("TRUNCATE TABLE");
    expect(await rowsOf("SELECT count(*) FROM stock")).toEqual([[0]]);
    expect((await run("INSERT INTO stock (name) VALUES ('x')", as(admin))).error?.message).toMatch(/NOT NULL/);
  });

  it("casts a value to its column's type as Trino does, or fails", async () => {
    await plain("CREATE TABLE cast_into (a integer, b decimal(5, 2), c double, d date)");
    const values = "(BIGINT '5', 1.555, 1.5, TIMESTAMP '2024-01-01 23:00:00'), (2.5, -1.005, 2, NULL)";
    expect(await counted(`INSERT INTO cast_into VALUES ${values}`)).toEqual(["INSERT", 2]);
    expect(await counted("INSERT INTO cast_into (a, b) SELECT count(*), DECIMAL '0.125' FROM cast_into")).toEqual([
      "INSERT",
      1,
    ]);
    expect(await rowsOf("SELECT * FROM cast_into ORDER BY a, c")).toEqual([
      [2, "0.13", null, null],
      [3, "-1.01", 2, null],
      [5, "1.56", 1.5, "2024-01-01"],
    ]);
    expect((await run("INSERT INTO cast_into (a) VALUES (99999999999)", as(admin))).error?.errorType).toBe(
      "USER_ERROR",
    );
    expect((await run("INSERT INTO cast_into (b) SELECT 99999.5", as(admin))).error?.errorType).toBe("USER_ERROR");
    expect(await rowsOf("SELECT count(*) FROM cast_into")).toEqual([[3]]);
  });

  it("adds a thousand rows of ten columns at once, as dbt loads a seed", async () => {
    const columns = Array.from({ length: 10 }, (_, i) => `c${i}`);
    await plain(
      `CREATE TABLE seeded (${columns.map((name, i) => `${name} ${i % 2 ? "varchar" : "decimal(12, 2)"}`).join(", ")})`,
    );
    const row = (n: number): string => columns.map((_, i) => (i % 2 ? `'text ${n}'` : `${n}.${i}`)).join(", ");
    const rows = Array.from({ length: 1_000 }, (_, n) => `(${row(n)})`);
    expect(await counted(`INSERT INTO seeded (${columns.join(", ")}) VALUES ${rows.join(", ")}`)).toEqual([
      "INSERT",
      1_000,
    ]);
    expect(await rowsOf("SELECT sum(c2), max(c9) FROM seeded")).toEqual([["499700.00", "text 999"]]);
  });

  it("is refused at its place where a value is not of its column's type", async () => {
    await plain("CREATE TABLE typed (a smallint, b varchar, c decimal(5, 2))");
    expect(await refusal("INSERT INTO typed (a) VALUES ('1')")).toEqual(["TYPE_MISMATCH", 1, 31]);
    expect(await refusal("INSERT INTO typed (c)\n SELECT 'x'")).toEqual(["TYPE_MISMATCH", 2, 2]);
    expect(await refusal("INSERT INTO typed (c) SELECT 1e0")).toEqual(["NOT_SUPPORTED", 1, 23]);
    expect(await refusal("INSERT INTO typed (a, a) SELECT 1, 2")).toEqual(["DUPLICATE_COLUMN_NAME", 1, 23]);
    expect(await refusal("INSERT INTO typed (z) SELECT 1")).toEqual(["COLUMN_NOT_FOUND", 1, 20]);
    expect(await refusal("INSERT INTO typed SELECT 1")).toEqual(["TYPE_MISMATCH", 1, 1]);
    expect(await refusal("UPDATE typed SET b = 1")).toEqual(["TYPE_MISMATCH", 1, 22]);
    expect(await refusal("UPDATE typed SET b = soundex(b)")).toEqual(["FUNCTION_NOT_FOUND", 1, 22]);
    expect(await refusal("DELETE FROM nothing")).toEqual(["TABLE_NOT_FOUND", 1, 13]);
    expect(await refusal("DELETE FROM a.lake.main.typed")).toEqual(["SYNTAX_ERROR", 1, 13]);
    expect(await refusal("DELETE FROM nowhere.typed")).toEqual(["SCHEMA_NOT_FOUND", 1, 13]);
    expect(await refusal("DELETE FROM elsewhere.main.typed")).toEqual(["CATALOG_NOT_FOUND", 1, 13]);
    expect(await refusal("DELETE FROM system.jdbc.tables")).toEqual(["NOT_SUPPORTED", 1, 13]);
    expect(await refusal("INSERT INTO information_schema.tables SELECT 1")).toEqual(["NOT_SUPPORTED", 1, 13]);
    expect(await refusal("CREATE TABLE none AS SELECT 1")).toEqual(["MISSING_COLUMN_NAME", 1, 22]);
    expect(await refusal("CREATE TABLE none AS SELECT NULL AS x")).toEqual(["COLUMN_TYPE_UNKNOWN", 1, 22]);
    // A type that DuckDB has not is a text there, which no column is to keep as one.
    expect(await refusal("CREATE TABLE none AS SELECT CHAR 'a' AS x")).toEqual(["NOT_SUPPORTED", 1, 22]);
    expect(await refusal("CREATE TABLE none (x json)")).toEqual(["NOT_SUPPORTED", 1, 22]);
    expect(await refusal("INSERT INTO typed (b) SELECT CHAR 'a'")).toEqual(["TYPE_MISMATCH", 1, 23]);
    expect(await refusal("INSERT INTO typed (b) VALUES (JSON '1')")).toEqual(["TYPE_MISMATCH", 1, 31]);
    expect(await refusal("EXECUTE IMMEDIATE 'INSERT INTO typed (b) VALUES (?)'")).toEqual([
      "INVALID_PARAMETER_USAGE",
      undefined,
      undefined,
    ]);
  });
});

describe("a statement that writes definitions", () => {
  it("makes, changes and drops schemas and tables", async () => {
    expect(await plain('create schema if not exists "lake"."shop"')).toBe("CREATE SCHEMA");
    expect(await plain("CREATE SCHEMA IF NOT EXISTS shop")).toBe("CREATE SCHEMA");
    expect(await refusal("CREATE SCHEMA shop")).toEqual(["SCHEMA_ALREADY_EXISTS", 1, 15]);
    const columns =
      "a bigint, b array(decimal(10, 2)), c row(x integer, y varchar), d timestamp(6) with time zone, e uuid, f varbinary, g time(6), " +
      "h map(varchar, array(bigint)) COMMENT 'by name'";
    expect(await plain(`CREATE TABLE shop.t (${columns}) COMMENT 'It''s new'`)).toBe("CREATE TABLE");
    expect(await plain("CREATE TABLE IF NOT EXISTS shop.t (z date)")).toBe("CREATE TABLE");
    expect((await rowsOf("DESCRIBE shop.t")).map(([, type]) => type)).toEqual([
      "bigint",
      "array(decimal(10,2))",
      "row(x integer, y varchar)",
      "timestamp(6) with time zone",
      "uuid",
      "varbinary",
      "time(6)",
      "map(varchar, array(bigint))",
    ]);
    expect((await rowsOf("DESCRIBE shop.t")).at(-1)).toEqual(["h", "map(varchar, array(bigint))", "", "by name"]);
    const comments = "SELECT comment FROM system.metadata.table_comments WHERE schema_name = 'shop' AND table_name =";
    expect(await rowsOf(`${comments} 't'`)).toEqual([["It's new"]]);
    await counted("INSERT INTO shop.t (a, h) VALUES (1, MAP(ARRAY['x'], ARRAY[ARRAY[1, NULL]]))");
    expect(await rowsOf("SELECT h, h['x'][1], k, v FROM shop.t CROSS JOIN UNNEST(h) AS u(k, v)")).toEqual([
      [{ x: [1, null] }, 1, "x", [1, null]],
    ]);
    expect(await plain('alter table "lake"."shop"."t" rename to "lake"."shop"."u"')).toBe("RENAME TABLE");
    expect(await plain("ALTER TABLE shop.u ADD COLUMN late real COMMENT 'late'")).toBe("ADD COLUMN");
    expect(await plain("ALTER TABLE shop.u RENAME COLUMN late TO i")).toBe("RENAME COLUMN");
    expect(await plain("ALTER TABLE shop.u DROP COLUMN IF EXISTS i")).toBe("DROP COLUMN");
    expect(await plain("COMMENT ON TABLE shop.u IS 'It''s mine'")).toBe("COMMENT");
    expect(await plain("COMMENT ON COLUMN shop.u.a IS 'first'")).toBe("COMMENT");
    expect(await plain("DROP TABLE shop.u")).toBe("DROP TABLE");
    expect(await plain("DROP TABLE IF EXISTS shop.u")).toBe("DROP TABLE");
    expect(await plain("ALTER TABLE IF EXISTS shop.u RENAME TO shop.v")).toBe("RENAME TABLE");
    expect(await refusal("DROP TABLE shop.u")).toEqual(["TABLE_NOT_FOUND", 1, 12]);
    expect(await plain("DROP SCHEMA shop")).toBe("DROP SCHEMA");
    expect(await refusal("DROP SCHEMA shop")).toEqual(["SCHEMA_NOT_FOUND", 1, 13]);
  });

  it("is refused at its place where a lake keeps no such thing", async () => {
    expect(await refusal("CREATE TABLE p (a integer) WITH (partitioning = ARRAY['a'])")).toEqual([
      "NOT_SUPPORTED",
      1,
      34,
    ]);
    expect(await refusal("CREATE TABLE p\nWITH (format = 'ORC') AS SELECT 1 AS a")).toEqual(["NOT_SUPPORTED", 2, 7]);
    expect(await refusal("CREATE TABLE p (a varchar(10))")).toEqual(["NOT_SUPPORTED", 1, 19]);
    expect(await refusal("CREATE TABLE p (a timestamp)")).toEqual(["NOT_SUPPORTED", 1, 19]);
    expect(await refusal("CREATE TABLE p (a map(double, integer))")).toEqual(["NOT_SUPPORTED", 1, 19]);
    expect(await refusal("CREATE OR REPLACE VIEW p AS SELECT 1 AS a")).toEqual(["NOT_SUPPORTED", 1, 19]);
    expect(await refusal("DROP VIEW p")).toEqual(["NOT_SUPPORTED", 1, 6]);
    expect(await refusal("ALTER TABLE p SET PROPERTIES x = 1")).toEqual(["NOT_SUPPORTED", 1, 15]);
  });
});

describe("a statement that is sent or followed more than once", () => {
  it("begins with its first page, and is written once however often that is asked for", async () => {
    await plain("CREATE TABLE once (a integer)");
    const count = async (): Promise<unknown> => (await rowsOf("SELECT count(*) FROM once"))[0]![0];
    // The answer to the first was lost, so that it was sent again.
    await begin("INSERT INTO once VALUES (1)", as(admin));
    const { page } = await begin("INSERT INTO once VALUES (1)", as(admin));
    expect(await count()).toBe(0);
    const pages = await Promise.all(Array.from({ length: 4 }, () => follow(page.nextUri!, as(admin)["authorization"])));
    for (const each of pages) expect(each.status).toBe(200);
    const last = async (): Promise<Page> =>
      (await (await follow(page.nextUri!, as(admin)["authorization"])).json()) as Page;
    await expect.poll(last, { timeout: 20_000 }).toMatchObject({ stats: { state: "FINISHED" }, updateCount: 1 });
    expect(await last()).toMatchObject({ updateType: "INSERT", data: [[1]] });
    expect(await count()).toBe(1);
  });

  it("is cancelled before it has begun", async () => {
    const { page } = await begin("INSERT INTO once VALUES (2)", as(admin));
    const headers = { authorization: as(admin)["authorization"]! };
    expect((await fetch(page.nextUri!, { method: "DELETE", headers })).status).toBe(204);
    const after = (await (await follow(page.nextUri!, headers.authorization)).json()) as Page;
    expect(after.error?.errorName).toBe("USER_CANCELED");
    expect(await rowsOf("SELECT count(*) FROM once")).toEqual([[1]]);
  });

  it("is begun by its sender alone", async () => {
    const { page } = await begin("INSERT INTO once VALUES (3)", as(admin));
    expect((await follow(page.nextUri!, basic("ada", member))).status).toBe(404);
    expect(await rowsOf("SELECT count(*) FROM once")).toEqual([[1]]);
  });
});

describe("whoever has not the right to write", () => {
  it("writes nothing", async () => {
    for (const sql of ["DELETE FROM once", "CREATE TABLE mine AS SELECT 1 AS a", "CREATE SCHEMA mine"])
      expect((await refusal(sql, member))[0]).toBe("PERMISSION_DENIED");
    expect(await rowsOf("SELECT count(*) FROM once")).toEqual([[1]]);
  });
});
