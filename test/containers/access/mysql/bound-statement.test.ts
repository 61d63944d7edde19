// What is sent to a MySQL server in place of a bound caller's statement: decided on text, and on what a server says of
// its names and columns.

import { describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { BoundStatement } from "../../../../containers/engine/sources/mysql/access/bound-statement.ts";
import { scan } from "../../../../containers/engine/sources/mysql/access/scan.ts";
import type { TextRow } from "../../../../containers/engine/sources/row-collector.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";

const column = (table: string, name: string, type = "int", isInvisible = "0"): TextRow => [
  "shop",
  table,
  "1",
  name,
  type.replace(/\W.*/, ""),
  type,
  isInvisible,
];

/** What is sent, and what was asked of `information_schema` before. */
async function send(
  sql: string,
  { roles = [[aGrant("orders")]] as AccessRoles, letterCase = "0", columns = [column("orders", "id")] } = {},
): Promise<{ sent: string; asked: string }> {
  let asked = "";
  const statement = new BoundStatement(sql, "shop", new CallerAccess(roles));
  const sent = await statement.restrict(async (query) => {
    if (query.startsWith("SET")) return [];
    if (query.includes("lower_case_table_names")) return [[letterCase, "1"]];
    asked += query;
    return columns;
  });
  return { sent: sent.replace(/x[0-9a-f]{12}_/g, "$"), asked };
}

const ORDERS = "$0 AS (SELECT `id` FROM `shop`.`orders`)";

describe("what is sent for a bound caller", () => {
  it.each([
    ["SELECT id FROM orders", `WITH ${ORDERS} SELECT id FROM $0 AS orders`],
    ["SELECT id FROM shop.orders o", `WITH ${ORDERS} SELECT id FROM $0 o`],
    [
      "WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a, orders",
      `WITH RECURSIVE ${ORDERS}, a AS (SELECT 1) SELECT * FROM a, $0 AS orders`,
    ],
    ["SELECT 1-- x\n-1", "SELECT 1\n-1"],
    ["SELECT a--b", "SELECT a- -b"],
    ["SELECT 'it\\'s' /* x */ \"q'\"", "SELECT 'it''s' 'q'''"],
    ["SELECT other.f(1), g (2), COUNT(*)", "SELECT $0.f(1), $1 (2), COUNT(*)"],
    ["SELECT 1 FROM secret.orders", "SELECT 1 FROM $0.orders"],
  ])("%s", async (sql, expected) => {
    expect((await send(sql)).sent).toBe(expected);
  });

  it("asks the server about no table that no role names, or that is the server's own", async () => {
    expect((await send("SELECT * FROM salaries, shop.pay, other.orders, mysql.user")).asked).toBe("");
    const all = { roles: [[aGrant("*", { schema: "*" })]], columns: [] };
    expect((await send("SELECT * FROM mysql.user, Information_Schema.tables, sys.x", all)).asked).toBe("");
    expect((await send("SELECT * FROM other.things", all)).asked).toMatch(/'other' AND table_name = 'things'/);
  });

  it("tells tables apart by case where the server does, and not where it does not", async () => {
    const asWritten = await send("SELECT * FROM Orders", { columns: [] });
    expect(asWritten).toEqual({ sent: "SELECT * FROM Orders", asked: "" });
    for (const letterCase of ["1", "2"])
      expect((await send("SELECT * FROM SHOP.Orders", { letterCase })).sent).toBe(
        `WITH ${ORDERS} SELECT * FROM $0 AS Orders`,
      );
    // A server that tells them apart, but looks names up in any case.
    const both = await send("SELECT * FROM orders", { columns: [column("Orders", "secret"), column("orders", "id")] });
    expect(both.sent).toBe(`WITH ${ORDERS} SELECT * FROM $0 AS orders`);
  });

  it("is nothing where a column is named with a table that is not seen", async () => {
    for (const name of ["shop.pay.id", "other.orders.id", "shop.pay.*", "shop.pay.f(1)"])
      await expect(send(`SELECT ${name} FROM orders NATURAL JOIN orders o`)).rejects.toThrow(/does not exist, or/);
    const seen = await send("SELECT shop.orders.id, `shop` . `orders` . * FROM orders");
    expect(seen.sent).toBe("WITH $1 AS (SELECT `id` FROM `shop`.`orders`) SELECT $0.id, $0.* FROM $1 AS $0");
  });

  it("hides columns whatever their case, and those that no star shows", async () => {
    const roles = [[aGrant("orders", { excludes: ["SsN"], masks: { CARD: "it's" } })]];
    const columns = ["id", "ssn", "card"].map((name) => column("orders", name));
    const { sent } = await send("SELECT * FROM orders", {
      roles,
      columns: [...columns, column("orders", "row_end", "timestamp(6)", "1")],
    });
    expect(sent).toContain("(SELECT `id`, 'it''s' AS `card` FROM `shop`.`orders`)");
  });

  it.each([
    "SELECT id FROM orders USE INDEX (PRIMARY)",
    "SELECT id FROM shop.orders o FORCE KEY FOR JOIN (x)",
    "SELECT id FROM orders ignore /* x */ index (a, b), orders p",
    "SELECT id FROM orders PARTITION (p0)",
    "SELECT id FROM nowhere USE INDEX (PRIMARY)",
  ])("refuses in words what no query in a table's place can have: %s", async (sql) => {
    await expect(send(sql)).rejects.toThrow(/^(Index hints|Parts of a table) \(.*are not allowed to whom data-access/);
  });

  it("keeps words of hints and parts that are none", async () => {
    const sql = "SELECT `use` `index`, SUM(id) OVER (PARTITION BY id) FROM orders";
    expect((await send(sql)).sent).toContain("PARTITION BY id");
  });

  it("fences a table of which rows or cells are hidden, and counts a filter on a column that is gone as none", async () => {
    const filtered = (member: string) => [
      [aGrant("orders", { filters: [{ member, operator: "gt" as const, values: ["5"] }] })],
    ];
    expect((await send("SELECT * FROM orders", { roles: filtered("ID") })).sent).toContain(
      "FROM `shop`.`orders` WHERE (`id` > 5) LIMIT 9223372036854775807)",
    );
    expect((await send("SELECT * FROM orders", { roles: filtered("gone") })).sent).toContain(
      "WHERE FALSE LIMIT 9223372036854775807)",
    );
  });

  it("writes aside of a fenced table what the statement reads, and all where it may read others", async () => {
    const roles = [[aGrant("orders", { filters: [{ member: "id", operator: "gt" as const, values: ["5"] }] })]];
    const columns = ["id", "Note", "sum"].map((name) => column("orders", name));
    const listed = async (sql: string) =>
      /SELECT (.*?) FROM `shop`/.exec((await send(sql, { roles, columns })).sent)![1];
    expect(await listed("SELECT o.NOTE, COUNT(*), 2*3 FROM orders o GROUP BY note")).toBe("`Note`");
    expect(await listed("SELECT COUNT(*) FROM orders")).toBe("`id`");
    for (const sql of [
      "SELECT * FROM",
      "SELECT id, orders.* FROM",
      "SELECT DISTINCT * FROM",
      "SELECT 1 FROM a NATURAL JOIN",
      "TABLE",
    ])
      expect(await listed(`${sql} orders`)).toBe("`id`, `Note`, `sum`");
  });

  it("bounds how many tables are read, and how often they are written", async () => {
    const many = Array.from({ length: 61 }, (_, i) => `t${i}`).join(", ");
    await expect(send(`SELECT * FROM ${many}`, { roles: [[aGrant("*")]] })).rejects.toThrow(/at most 60 tables/);
    const wide = Array.from({ length: 1_000 }, (_, i) => column("orders", `a_column_of_some_length_${i}`));
    const withs = Array.from({ length: 400 }, () => "(WITH a AS (SELECT 1) SELECT * FROM a)").join(", ");
    await expect(send(`SELECT ${withs} FROM orders`, { columns: wide })).rejects.toThrow(/too many WITHs/);
  });
});

describe("a bound caller's text", () => {
  it.each([
    ["SELECT 1e", /space/],
    ["SELECT 0x", /space/],
    ["SELECT 1a FROM t", /space/],
    ["SELECT t.1", /begin with a digit|between two names/],
    ["SELECT t.5e1", /begin with a digit/],
    ["SELECT 'a'.b", /between two names/],
    ["SELECT a..b", /between two names/],
    ["SELECT (a).b", /between two names/],
    ["SELECT @a", /not allowed/],
    ["SELECT {d '2020-01-01'}", /not allowed/],
    ["SELECT ?", /not allowed/],
    ["SELECT a:b", /not allowed/],
    ["SELECT _gbk'a'", /_gbk/],
    ['SELECT _big5 "a"', /_big5/],
    ["SELECT x'4'", /hexadecimal/],
    ["SELECT b'2'", /hexadecimal/],
    ["SELECT ``", /empty/],
    ["SELECT 'a", /not closed/],
    ["SELECT 'a\\'", /not closed/],
  ])("is refused: %s", (sql, message) => {
    expect(() => new BoundStatement(sql, "shop", new CallerAccess([]))).toThrow(
      expect.objectContaining({ code: "statement_refused", message: expect.stringMatching(message) }),
    );
  });

  it("is read in time that grows with its length alone", () => {
    for (const part of [" ", "(", "a.", "''", "/**/", "-- \n", "a,", "1 ", "`a`"]) {
      const startedAt = performance.now();
      try {
        scan(part.repeat(200_000));
      } catch {
        // What can't be read is refused as fast.
      }
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});
