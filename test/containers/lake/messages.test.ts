import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open();
  const { platform } = lake;
  const columns = [column(1, "id", "int64"), column(2, "name", "varchar"), column(3, "amount", "decimal(12,2)")];
  const rows = async (path: string, count: number): Promise<{ path: string }> => ({
    path: await lake.write(
      path,
      `SELECT range AS id, 'n' || range AS name, (range * 1.5)::DECIMAL(12,2) AS amount FROM range(${count})`,
      "id: 1, name: 2, amount: 3",
    ),
  });
  platform.addTable("sample", "orders", columns, [await rows("orders.parquet", 10)]);
  platform.addTable("main", "notes", columns, [await rows("notes.parquet", 3)]);
  platform.addTable("hr", "salaries", columns, [await rows("salaries.parquet", 3)]);
  platform.grants.set("clerk", new Set(["sample.orders"]));
  mkdirSync(join(platform.directory, "drive"), { recursive: true });
  writeFileSync(join(platform.directory, "drive/people.csv"), "who,age\nBob,3\n");
});
afterAll(() => lake.close());

const now = (): number => lake.platform.tables.length;

describe("a table that is not there", () => {
  it.each([
    ["SELECT * FROM sample.order", "LAKE.sample.orders"],
    ["SELECT * FROM LAKE.sample.ordes", "LAKE.sample.orders"],
    ["SELECT * FROM orders", "LAKE.sample.orders"],
    ["SELECT * FROM smaple.Orders", "LAKE.sample.orders"],
    ["SELECT * FROM LAKE.nots", "LAKE.main.notes"],
  ])("%s names the near ones", async (sql, meant) => {
    expect((await lake.failure(sql)).message).toMatch(new RegExp(`may not read it\\. Did you mean ${meant}\\?$`));
  });

  it("names none that the caller may not read, and none that is far", async () => {
    expect(
      (await lake.failure("SELECT * FROM hr.salarie", { grant: { token: "clerk", lakeId: "clerks" } })).message,
    ).toBe("The table hr.salarie does not exist in the lake, or you may not read it.");
    expect((await lake.failure("SELECT * FROM customers")).message).not.toContain("Did you mean");
  });
});

it("words that the sender wrote are told as they were written", async () => {
  for (const name of ["fjord file", "fjord position", "fjord x"])
    for (const sql of [
      `SELECT "${name}" FROM sample.orders`,
      `SELECT id FROM sample.orders WHERE name = "${name}"`,
      `SELECT error('Candidate bindings: "id", "${name}"')`,
    ])
      expect((await lake.failure(sql)).message, sql).toContain(`"${name}"`);
});

describe("what other databases write", () => {
  it.each([
    ["SELECT `id` FROM sample.orders", "double quotes", /^`id`/],
    ["SELECT id FROM `sample`.`orders`", "double quotes", /^`sample/],
    ["SELECT id FROM sample.orders WHERE name=`x`", "double quotes", /^`x`/],
    ["SELECT 'é😀', id FROM sample.orders\nLIMIT 0,10", "LIMIT 10 OFFSET 0", /^LIMIT/],
    ['SELECT id FROM sample.orders WHERE name = "Bob"', "single quotes: 'Bob'", /^"Bob"/],
    ["EXPLAIN (ANALYZE) SELECT 1", "EXPLAIN ANALYZE", /^\(ANALYZE/],
  ])("%s is answered with what to write", async (sql, words, at) => {
    const { message, position } = await lake.failure(sql);
    expect(message).toContain(words);
    expect(sql.slice(position! - 1)).toMatch(at);
  });

  it("leaves a column that is not there without a hint on quotes", async () => {
    const { message } = await lake.failure("SELECT nam FROM sample.orders");
    expect(message).toContain('"name"');
    expect(message).not.toContain("single quotes");
  });
});

describe("works", () => {
  it.each([
    ["EXPLAIN ANALYZE SELECT count(*) FROM sample.orders", /./],
    ["explain /* now */ analyze\nSELECT 1", /./],
    ["DESCRIBE sample.orders", /amount/],
    ["DESCRIBE SELECT id + 1 AS more FROM sample.orders", /more/],
    ["SUMMARIZE sample.orders", /approx_unique/],
    ["SELECT count(*) AS n FROM LAKE/**/.information_schema.tables", /3/],
    ['SELECT count(*) AS n FROM LAKE -- the lake\'s\n . /* and */ "information_schema" . tables', /3/],
    ["SELECT LAKE/**/. sample .orders.id FROM LAKE/**/. sample/* */.orders", /9/],
  ])("%s", async (sql, reported) => {
    const document = await lake.ask(sql);
    expect(document).toMatch(reported);
    expect(document).not.toMatch(/LAKE@|LAKE rows|files\/|\.parquet/);
  });

  it.each(["DESCRIBE", "DESCRIBE FROM", "SUMMARIZE", "DESCRIBE /* what */"])(
    "%s with a file of the drive",
    async (verb) => {
      expect(await lake.ask(`${verb} 'gs://bucket/team/drive/people.csv'`)).toMatch(/who/);
    },
  );
});

describe("tables as of an earlier snapshot", () => {
  it.each(["LAKE.sample.orders.amount", "sample.orders.amount", "orders.amount", "amount"])(
    "keep their types, read by %s",
    async (name) => {
      const document = await lake.document(
        `SELECT ${name}, 10::DECIMAL(10,0) AS d, 2.00 AS e, 1e0 AS f, ${name} * 1.0 AS g FROM LAKE.sample.orders AT (VERSION => ${now()}) ORDER BY ${name} LIMIT 2`,
      );
      expect(document.types.map(({ type }) => type)).toEqual([
        "DECIMAL(12,2)",
        "DECIMAL(10,0)",
        "DECIMAL(3,2)",
        "DOUBLE",
        "DECIMAL(14,3)",
      ]);
      expect(document.columns[0]).toBe("amount");
      expect(document.data).toHaveLength(2);
    },
  );

  it.each([
    [
      "beside the table as it is",
      (at: string) =>
        `SELECT o.id FROM LAKE.sample.orders AS p ${at}, LAKE.sample.orders AS o WHERE o.id = p.id AND LAKE.sample.notes IS NULL`,
      /LAKE\.sample/,
    ],
    [
      "by a name that both have",
      (at: string) => `SELECT orders.id FROM sample.orders, sample.orders ${at}`,
      /[Aa]mbiguous|[Dd]uplicate/,
    ],
    [
      "by a column that is not there",
      (at: string) => `SELECT LAKE.sample.orders.nope FROM LAKE.sample.orders ${at}`,
      /nope/,
    ],
    ["by a cast that fails", (at: string) => `SELECT name::INTEGER FROM LAKE.sample.orders ${at}`, /n0/],
  ])("tell failures without a catalog of ours: %s", async (_, sql, reported) => {
    const { message } = await lake.failure(sql(`AT (VERSION => ${now()})`));
    expect(message).toMatch(reported);
    expect(message).not.toContain("LAKE@");
  });

  it("tell where, in the text as it was sent", async () => {
    const sql = `/* é */ SELECT id,\n nope FROM sample . orders /* then */ AS o at\n(version => ${now()}) WHERE missing = 1`;
    const { position } = await lake.failure(sql);
    expect(["nope", "missing"]).toContain(sql.slice(position! - 1).match(/^\w+/)?.[0]);
  });

  it.each([
    "now()",
    "TIMESTAMP '2026-01-01 00:00:00' + INTERVAL 1 DAY",
    "'2026-01-01'",
    "today()",
    "date_trunc('day', now()) - INTERVAL 2 HOUR",
  ])("of the instant %s are looked for", async (instant) => {
    expect((await lake.failure(`SELECT id FROM LAKE.sample.orders AT(TIMESTAMP=>${instant})`)).message).not.toMatch(
      /Parser Error|LAKE@/,
    );
  });

  it("show no catalog of ours in a plan", async () => {
    expect(
      await lake.ask(`EXPLAIN SELECT id FROM sample.orders AT (VERSION => ${now()}) WHERE amount > 3`),
    ).not.toContain("LAKE@");
    expect(
      (await lake.failure(`SELECT table_catalog FROM information_schema.tables, notes AT (VERSION => ${now()})`))
        .message,
    ).toContain("AT");
  });
});

describe("statements that nest deep are refused by a bound that the answer names", () => {
  const deep = (open: string, close: string, core = "1", levels = 350): string =>
    open.repeat(levels) + core + close.repeat(levels);
  it.each([
    ["lists", `SELECT ${deep("[", "]")}`],
    ["structs", `SELECT ${deep("{'a': ", "}")}`],
    ["parentheses", `SELECT ${deep("(", ")", "1", 20_000)}`],
    ["calls", `SELECT ${deep("abs(", ")")}`],
    ["queries", `SELECT ${deep("(SELECT ", ")")}`],
    ["brackets that are never closed", `SELECT ${"[".repeat(10_000)}`],
    ["choices", `SELECT ${deep("CASE WHEN true THEN 1 ELSE ", " END", "1", 500)}`],
    ["sums", `SELECT 1${" + 1".repeat(900)}`],
    ["types", `SELECT NULL::INTEGER${"[]".repeat(350)}`],
    [
      "lists by way of tables",
      `WITH t0 AS (SELECT 1 AS x)${Array.from({ length: 120 }, (_, i) => `, t${i + 1} AS (SELECT [x] AS x FROM t${i})`).join("")} SELECT x FROM t120`,
    ],
  ])("%s", async (_, sql) => {
    expect(await lake.failure(sql)).toMatchObject({
      code: expect.stringMatching(/statement_refused|sql_error/) as string,
      message: expect.stringMatching(/\b(100|250|1000)\b/) as string,
    });
  });

  it.each([
    ["a hundred lists", `SELECT ${deep("[", "]", "1", 99)} AS x`],
    ["conditions side by side", `SELECT 1 AS x WHERE ${"1 = 1 OR ".repeat(3_000)}1 = 1`],
    ["a long list of values", `SELECT 1 AS x WHERE 1 IN (${Array.from({ length: 9_000 }, (__, i) => i).join(", ")})`],
    [
      "many queries put together",
      `SELECT 1 AS x WHERE false${" UNION ALL SELECT 1 WHERE false".repeat(400)} UNION ALL SELECT 1`,
    ],
    ["texts put together", `SELECT 'a'${" || 'b'".repeat(200)} AS x`],
  ])("but not %s", async (_, sql) => {
    expect(await lake.rows(sql)).toHaveLength(1);
  });
});
