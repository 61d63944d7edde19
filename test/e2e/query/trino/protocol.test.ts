// Trino's HTTP protocol, through the whole product: what its clients send, and what they read.

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { call, newTeam, rowsOf, send } from "../../client.ts";
import { basic, begin, follow, run, valuesOf, type Page } from "./trino-client.ts";

const platform = inject("platform");

/** Ten thousand long rows, so that whatever is joined with them has more than one page. */
const MANY = ["a", "b", "c", "d"]
  .map((name) => `(VALUES ${Array.from({ length: 10 }, () => `'${"x".repeat(50)}'`).join(", ")}) ${name}(${name})`)
  .join(" CROSS JOIN ");

describe("a statement of one of Trino's clients", () => {
  it("has its rows and types as Trino writes them", async () => {
    const { columns, data, stats } = await run(
      "SELECT 1 AS \"One\", 7/2, 1.00/3, 'é', TIMESTAMP '2024-01-05 10:00:00.5', 1e0, CAST(NULL AS bigint), DATE '2024-02-29'",
    );
    expect(stats.state).toBe("FINISHED");
    expect(columns!.map(({ name, type }) => [name, type])).toEqual([
      ["One", "integer"],
      ["_col1", "integer"],
      ["_col2", "decimal(3, 2)"],
      ["_col3", "varchar(1)"],
      ["_col4", "timestamp(1)"],
      ["_col5", "double"],
      ["_col6", "bigint"],
      ["_col7", "date"],
    ]);
    expect(columns![2]!.typeSignature.arguments).toEqual([
      { kind: "LONG", value: 3 },
      { kind: "LONG", value: 2 },
    ]);
    expect(data).toEqual([[1, 3, "0.33", "é", "2024-01-05 10:00:00.5", 1, null, "2024-02-29"]]);
  });

  it("reads the lake's tables", async () => {
    const expected = await rowsOf(
      "SELECT country, count(*) AS n FROM LAKE.sample.customers GROUP BY ALL ORDER BY 2 DESC, 1",
    );
    const sql = "SELECT country, count(*) n FROM customers GROUP BY 1 ORDER BY n DESC, 1";
    expect(await valuesOf(sql, { "X-Trino-Catalog": "lake", "X-Trino-Schema": "sample" })).toEqual(
      expected.map(({ country, n }) => [country, n]),
    );
  });

  it("is refused at its place where it is not proven to mean the same", async () => {
    const { error } = await run("SELECT 1,\n  soundex('a')");
    expect(error).toMatchObject({ errorName: "FUNCTION_NOT_FOUND", errorLocation: { lineNumber: 2, columnNumber: 3 } });
    expect((await run("SELEC 1")).error).toMatchObject({ errorName: "NOT_SUPPORTED" });
    expect((await run("SELECT 1/0")).error).toMatchObject({ errorName: "GENERIC_USER_ERROR" });
    expect((await run("SELECT * FROM lake.sample.nothing")).error).toMatchObject({ errorName: "TABLE_NOT_FOUND" });
  });

  it("comes in pages, of which each can be fetched again", async () => {
    const digits = "(VALUES 0,1,2,3,4,5,6,7,8,9)";
    const from = ["a", "b", "c", "d", "e"].map((name) => `${digits} ${name}(${name})`).join(", ");
    const sql = `SELECT a*10000+b*1000+c*100+d*10+e AS n, '${"x".repeat(150)}' FROM ${from}`;
    const { data, pages } = await run(sql);
    expect(new Set(data!.map(([n]) => n)).size).toBe(100_000);
    expect(pages.length).toBeGreaterThan(2);
    const last = pages.at(-1)!;
    const once = (await (await follow(last)).json()) as Page;
    const again = (await (await follow(last)).json()) as Page;
    expect(again.data).toEqual(once.data);
  });

  it("takes values for its parameters", async () => {
    expect(await valuesOf("EXECUTE IMMEDIATE 'SELECT ? + 1, ?' USING 41, 'a'")).toEqual([[42, "a"]]);
    const { page, headers } = await begin("PREPARE p FROM SELECT ? AS x, 'b' AS y");
    expect(page).toMatchObject({ updateType: "PREPARE", columns: [] });
    const prepared = { "X-Trino-Prepared-Statement": headers.get("x-trino-added-prepare")! };
    expect(await valuesOf("EXECUTE p USING DATE '2024-02-29'", prepared)).toEqual([["2024-02-29", "b"]]);
    expect(await valuesOf("DESCRIBE INPUT p", prepared)).toEqual([[0, "unknown"]]);
    expect(await valuesOf("DESCRIBE OUTPUT p", prepared)).toEqual([
      ["x", "", "", "", "unknown", 1, true],
      ["y", "", "", "", "varchar(1)", 0, true],
    ]);
    const typed =
      "q=" + encodeURIComponent("SELECT 1.5 AS d, TIME '01:02:03 +01:00', INTERVAL '1' DAY, DATE '2024-01-01'");
    const outputs = await valuesOf("DESCRIBE OUTPUT q", { "X-Trino-Prepared-Statement": typed });
    expect(outputs.map(([, , , , type, size, isAliased]) => [type, size, isAliased])).toEqual([
      ["decimal(2,1)", 8, true],
      ["time(0) with time zone", 8, false],
      ["interval day to second", 8, false],
      ["date", 4, false],
    ]);
    expect((await begin("DEALLOCATE PREPARE p", prepared)).headers.get("x-trino-deallocated-prepare")).toBe("p");
  });

  it("is explained by DuckDB's plan, or by that it may run", async () => {
    const headers = { "X-Trino-Catalog": "lake", "X-Trino-Schema": "sample" };
    const sql = "SELECT country, count(*) FROM customers GROUP BY 1";
    for (const options of ["", "(TYPE LOGICAL) ", "(TYPE DISTRIBUTED, FORMAT TEXT) "]) {
      const { columns, data, error } = await run(`EXPLAIN ${options}${sql}`, headers);
      expect(error).toBeUndefined();
      expect(columns!.map(({ name, type }) => [name, type])).toEqual([["Query Plan", "varchar"]]);
      expect(data).toEqual([[expect.stringMatching(/^This is DuckDB's plan .*HASH_GROUP_BY/s)]]);
    }
    const valid = await run(`EXECUTE IMMEDIATE 'EXPLAIN (TYPE VALIDATE) ${sql} HAVING count(*) > ?' USING 1`, headers);
    expect([valid.columns!.map(({ name }) => name), valid.data]).toEqual([["Valid"], [[true]]]);
    for (const refused of ["(TYPE IO) ", "(FORMAT JSON) ", "ANALYZE ", "EXPLAIN "])
      expect((await run(`EXPLAIN ${refused}${sql}`, headers)).error?.errorName).toBe("NOT_SUPPORTED");
    expect((await run("EXPLAIN DELETE FROM customers", headers)).error?.errorName).toBe("NOT_SUPPORTED");
    expect((await run("EXPLAIN SELECT nothing", headers)).error).toMatchObject({
      errorName: "COLUMN_NOT_FOUND",
      errorLocation: { lineNumber: 1, columnNumber: 16 },
    });
  });

  it("needs no catalog where it names no table", async () => {
    const none = { "X-Trino-Catalog": "nothing", "X-Trino-Schema": "at_all" };
    expect(await valuesOf("SELECT current_catalog, current_schema", none)).toEqual([["nothing", "at_all"]]);
    expect((await run("SELECT * FROM customers", none)).error?.errorName).toBe("CATALOG_NOT_FOUND");
  });

  const digits = "(VALUES 0,1,2,3,4,5,6,7,8,9)";
  const from = Array.from({ length: 11 }, (_, i) => `${digits} t${i}(x${i})`).join(", ");
  const endless = `SELECT sum(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10) FROM ${from}`;

  it("is cancelled by its next page's address", async () => {
    const { page } = await begin(endless);
    const deleted = await fetch(page.nextUri!, { method: "DELETE", headers: { authorization: basic("ada") } });
    expect(deleted.status).toBe(204);
    await expect
      .poll(async () => ((await (await follow(page.nextUri!)).json()) as Page).error?.errorName)
      .toBe("USER_CANCELED");
  });

  it("is cancelled by its id, as Superset does it", async () => {
    const { page } = await begin(endless);
    const kill = (id: string) =>
      run(`CALL system.runtime.kill_query(query_id => '${id}',message => 'Query cancelled by Superset')`);
    expect(await kill(page.id)).toMatchObject({ updateType: "CALL", stats: { state: "FINISHED" } });
    await expect
      .poll(async () => ((await (await follow(page.nextUri!)).json()) as Page).error?.errorName)
      .toBe("USER_CANCELED");
    expect((await kill(page.id)).error?.message).toContain("Target query is not running");
    expect((await kill(crypto.randomUUID())).error?.errorName).toBe("NOT_FOUND");
    expect((await kill("1; DROP")).error?.errorName).toBe("NOT_FOUND");
    expect((await run("CALL lake.system.expire()")).error?.errorName).toBe("NOT_SUPPORTED");
  });

  it("is its sender's alone", async () => {
    const { page } = await begin(`SELECT * FROM ${MANY}`);
    expect((await fetch(page.nextUri!)).status).toBe(401);
    expect((await follow(`${page.nextUri!.slice(0, -3)}AAA`)).status).toBe(404);
    expect(page.nextUri).not.toContain(platform.key);
    const refused = await send("POST", "/v1/statement", {
      body: "SELECT 1",
      headers: { authorization: basic("ada", "nokey") },
    });
    expect(refused.status).toBe(401);
  });
});

describe("Trino's metadata", () => {
  const session = { "X-Trino-Catalog": "lake", "X-Trino-Schema": "sample" };

  it("is shown by words of its own", async () => {
    expect(await valuesOf("SHOW CATALOGS")).toEqual([["lake"], ["system"]]);
    expect(await valuesOf("SHOW SCHEMAS FROM lake LIKE 'sam%'")).toEqual([["sample"]]);
    expect(await valuesOf("SHOW TABLES FROM lake.sample LIKE 'customers'")).toEqual([["customers"]]);
    expect((await valuesOf("DESCRIBE customers", session)).map(([name]) => name)).toContain("country");
    expect(await valuesOf("SHOW COLUMNS FROM sample.customers LIKE 'country'", session)).toEqual([
      ["country", "varchar", "", ""],
    ]);
  });

  it("is shown as Metabase and dbt ask for it", async () => {
    expect(await valuesOf('SHOW SCHEMAS FROM "lake"')).toContainEqual(["sample"]);
    expect(await valuesOf('-- Metabase\nSHOW TABLES FROM "lake"."sample"')).toContainEqual(["customers"]);
    expect(await valuesOf(`SHOW TABLES FROM "lake"."sample" LIKE 'customers'`)).toEqual([["customers"]]);
    expect((await valuesOf('DESCRIBE "lake"."sample"."customers"')).length).toBeGreaterThan(3);
    expect(await valuesOf("SELECT current_timezone()")).toEqual([["UTC"]]);
    const relations =
      '/* {"app": "dbt", "dbt_version": "1.11.16"} */ select t.table_catalog as database, t.table_name as name, t.table_schema as schema, ' +
      "case when mv.name is not null then 'materialized_view' when t.table_type = 'BASE TABLE' then 'table' end as table_type " +
      'from "lake".INFORMATION_SCHEMA.tables t left join (select * from system.metadata.materialized_views ' +
      "where catalog_name = 'lake' and schema_name = lower('sample')) mv on mv.catalog_name = t.table_catalog and " +
      "mv.schema_name = t.table_schema and mv.name = t.table_name where t.table_schema = lower('sample')";
    expect(await valuesOf(relations)).toContainEqual(["lake", "customers", "sample", "table"]);
    const comments = `SELECT comment FROM "system"."metadata"."table_comments" WHERE catalog_name = 'lake' AND schema_name = 'sample' AND table_name = 'customers'`;
    expect(await valuesOf(comments)).toEqual([[null]]);
  });

  it("is shown as the statements that make it", async () => {
    const { columns, data } = await run("SHOW CREATE TABLE customers", session);
    expect(columns!.map(({ name }) => name)).toEqual(["Create Table"]);
    expect(data![0]![0]).toMatch(
      /^CREATE TABLE lake\.sample\.customers \(\n {3}customer_id bigint NOT NULL,\n.*\n\)$/s,
    );
    expect(await valuesOf("SHOW CREATE SCHEMA lake.sample")).toEqual([["CREATE SCHEMA lake.sample"]]);
    expect((await run("SHOW CREATE VIEW customers", session)).error?.message).toContain("is a table, not a view");
    expect((await run("SHOW CREATE TABLE nothing", session)).error?.errorName).toBe("TABLE_NOT_FOUND");
    expect((await run("SHOW CREATE TABLE information_schema.tables", session)).error?.errorName).toBe("NOT_SUPPORTED");
  });

  it("names the functions that there are", async () => {
    const functions = await valuesOf("SHOW FUNCTIONS LIKE 'l%'");
    expect(functions).toContainEqual(["lower", "", "", "scalar", true, ""]);
    expect(functions).toContainEqual(["lag", "", "", "window", true, ""]);
    expect(functions.map(([name]) => name)).not.toContain("sum");
  });

  it("is there as tables", async () => {
    const jdbc =
      "SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME FROM system.jdbc.tables WHERE TABLE_CAT = 'lake' AND " +
      "TABLE_SCHEM LIKE 'sam\\_le' ESCAPE '\\' ORDER BY TABLE_TYPE, TABLE_CAT";
    expect(await valuesOf(jdbc.replace("sam\\_le", "sample"))).toContainEqual(["lake", "sample", "customers"]);
    const own =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'sample' AND table_name = 'customers'";
    expect(await valuesOf(own, session)).toEqual([["customers"]]);
  });

  it("tells the version without a key", async () => {
    const { status, body } = await call("GET", "/v1/info", { headers: { authorization: "" } });
    expect({ status, body }).toMatchObject({ status: 200, body: { coordinator: true, starting: false } });
  });
});

describe("a caller whom a role binds", () => {
  const mark = randomUUID().slice(0, 8);
  let [admin, member, roleId, lakeId] = ["", "", "", ""];

  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await call<Body>(method, path, { key: admin, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }
  const grants = (region: string) => {
    const filters = [{ member: "region", operator: "equals", values: [region] }];
    return [{ integration_id: lakeId, schema: "main", table: "sales", exclude_columns: ["secret"], filters }];
  };
  const as = (key: string) => ({
    authorization: basic("root", key),
    "X-Trino-Catalog": "lake",
    "X-Trino-Schema": "main",
  });

  beforeAll(async () => {
    admin = (await newTeam("Trino")).key;
    const { data } = await ask<{ data: { id: string; type: string }[] }>("GET", "/v1/api/integrations");
    lakeId = data.find(({ type }) => type === "lake")!.id;
    for (const sql of [
      "CREATE TABLE sales AS SELECT range::INTEGER AS id, CASE WHEN range % 4 = 0 THEN 'north' ELSE 'south' END AS region, 'x' AS secret FROM range(100)",
      "CREATE TABLE other AS SELECT 1 AS a",
    ])
      await ask("POST", "/v1/query", { sql });
    const bob = { name: "Bob", email: `bob@${mark}.example`, role: "member" };
    const user = await ask<{ data: { id: string } }>("POST", "/v4/users", bob);
    member = (await ask<{ data: { key: string } }>("POST", `/v4/users/${user.data.id}/keys`, { name: "k" })).data.key;
    const role = await ask<{ data: { id: string } }>("POST", "/v4/data-access/roles", {
      name: "north",
      grants: grants("north"),
    });
    roleId = role.data.id;
    await ask("PUT", `/v4/data-access/roles/${roleId}/members/${user.data.id}`);
  });

  it("sees and reads what the role grants, whatever the user is called", async () => {
    expect(await valuesOf("SELECT region, count(*) FROM sales GROUP BY 1", as(member))).toEqual([["north", 25]]);
    expect(await valuesOf("SHOW TABLES", as(member))).toEqual([["sales"]]);
    expect((await valuesOf("DESCRIBE sales", as(member))).map(([name]) => name)).toEqual(["id", "region"]);
    expect((await run("SELECT secret FROM sales", as(member))).error?.errorName).toBe("COLUMN_NOT_FOUND");
    expect((await run("SELECT * FROM other", as(member))).error?.errorName).toBe("TABLE_NOT_FOUND");
    expect(await valuesOf("SELECT count(secret) FROM sales", as(admin))).toEqual([[100]]);
  });

  it("is shown no plan of a table of which it sees some rows, and no definition beyond what it sees", async () => {
    expect((await run("EXPLAIN SELECT id FROM sales", as(member))).error?.message).toContain("you see a part");
    expect((await run("EXPLAIN SELECT secret FROM sales", as(member))).error?.errorName).toBe("COLUMN_NOT_FOUND");
    expect((await run("EXPLAIN (TYPE VALIDATE) SELECT * FROM other", as(member))).error?.errorName).toBe(
      "TABLE_NOT_FOUND",
    );
    const definition = (...columns: string[]) => [
      [`CREATE TABLE lake.main.sales (\n${columns.map((column) => `   ${column}`).join(",\n")}\n)`],
    ];
    const seen = ["id integer", "region varchar"];
    expect(await valuesOf("SHOW CREATE TABLE sales", as(member))).toEqual(definition(...seen));
    expect(await valuesOf("SHOW CREATE TABLE sales", as(admin))).toEqual(definition(...seen, "secret varchar"));
    expect((await run("SHOW CREATE TABLE other", as(member))).error?.errorName).toBe("TABLE_NOT_FOUND");
  });

  it("has pages of its own alone, with the rights of now", async () => {
    const one = "(SELECT id FROM sales ORDER BY id LIMIT 1) s";
    const { page } = await begin(`SELECT s.id, a, b, c, d FROM ${one} CROSS JOIN ${MANY}`, as(member));
    const read = async (key: string) => follow(page.nextUri!, basic("root", key));
    const ids = async () => ((await (await read(member)).json()) as Page).data?.map(([id]) => id);
    await expect.poll(async () => [...new Set(await ids())]).toEqual([0]);
    expect((await read(admin)).status).toBe(404);
    expect((await read(platform.key)).status).toBe(404);
    const cancelled = await fetch(page.nextUri!, {
      method: "DELETE",
      headers: { authorization: basic("root", admin) },
    });
    expect(cancelled.status).toBe(404);
    const killed = await run(`CALL system.runtime.kill_query('${page.id}')`, as(admin));
    expect(killed.error?.errorName).toBe("NOT_FOUND");
    await ask("PATCH", `/v4/data-access/roles/${roleId}`, { grants: grants("south") });
    await expect
      .poll(async () => ((await (await read(member)).json()) as Page).error?.errorName)
      .toBe("PERMISSION_DENIED");
  });

  it("reads every type that Trino has", async () => {
    const values =
      "1::TINYINT AS a, 2::SMALLINT AS b, 3::BIGINT AS c, 4::UINTEGER AS d, 1.5::DECIMAL(5,2) AS e, 'x' AS f, true AS g, " +
      "0.1::FLOAT AS h, 0.1::DOUBLE AS i, DATE '2024-02-29' AS j, TIME '10:11:12.5' AS k, TIMESTAMP '2024-02-29 10:11:12.123456' AS l, " +
      "TIMESTAMPTZ '2024-02-29 10:11:12+02' AS m, '\\x01ab'::BLOB AS n, '00000000-0000-0000-0000-000000000001'::UUID AS o, " +
      "[1, NULL] AS p, {'x': 1.5::DECIMAL(3,1), 'y': 'z'} AS q, [0.1::DECIMAL(3,2)] AS r, " +
      "MAP {'k': [TIMESTAMP '2024-02-29 10:11:12'], 'l': NULL} AS s, MAP {0.5::DOUBLE: 1} AS without";
    await ask("POST", "/v1/query", { sql: `CREATE TABLE every AS SELECT ${values}` });
    const { columns, data, error } = await run("SELECT * FROM every", as(admin));
    expect(error).toBeUndefined();
    expect(columns!.map(({ type }) => type)).toEqual([
      ...["tinyint", "smallint", "bigint", "bigint", "decimal(5, 2)", "varchar", "boolean", "real", "double", "date"],
      ...["time(6)", "timestamp(6)", "timestamp(6) with time zone", "varbinary", "uuid", "array(integer)"],
      ...["row(x decimal(3, 1), y varchar)", "array(decimal(3, 2))", "map(varchar, array(timestamp(6)))"],
    ]);
    expect(data).toEqual([
      [
        ...[1, 2, 3, 4, "1.50", "x", true, 0.1, 0.1, "2024-02-29", "10:11:12.500000", "2024-02-29 10:11:12.123456"],
        ...["2024-02-29 08:11:12.000000 UTC", "AWFi", "00000000-0000-0000-0000-000000000001", [1, null]],
        ...[["1.5", "z"], ["0.10"], { k: ["2024-02-29 10:11:12.000000"], l: null }],
      ],
    ]);
  });
});
