// Statements on Snowflake of callers whom data-access roles bind: sent where all that they could read is open, and
// nothing of them is sent otherwise.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { BoundStatement } from "../../../../containers/engine/sources/snowflake/access/bound-statement.ts";
import { findRelations } from "../../../../containers/engine/sources/snowflake/access/relations.ts";
import { checkSnowflakeStatement } from "../../../../containers/engine/sources/snowflake/gate/check-statement.ts";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { FetchRows, TextRow } from "../../../../containers/engine/sources/row-collector.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";

const DATABASE = "SHOP";

/** Schema, name and kind of what the role at the source sees; the stream of ORDERS is in no such list. */
const TABLES: TextRow[] = [
  ["PUBLIC", "ORDERS", "BASE TABLE"],
  ["PUBLIC", "PEOPLE", "BASE TABLE"],
  ["PUBLIC", "SECRETS", "BASE TABLE"],
  ["PUBLIC", "MASKED", "BASE TABLE"],
  ["PUBLIC", "SALES", "VIEW"],
  ["PUBLIC", "twins", "BASE TABLE"],
  ["PUBLIC", "TWINS", "BASE TABLE"],
  ["HIDDEN", "ORDERS_2", "BASE TABLE"],
  ["STAFF", "PEOPLE_2", "BASE TABLE"],
  ["ORDERS", "OLD", "BASE TABLE"],
];

const ROLES: AccessRoles = [
  [
    aGrant("ORDERS", { schema: "PUBLIC" }),
    aGrant("people", { schema: "public" }),
    aGrant("OLD", { schema: "ORDERS" }),
    aGrant("SALES", { schema: "PUBLIC" }),
    aGrant("TWINS", { schema: "PUBLIC" }),
    aGrant("MASKED", { schema: "PUBLIC", masks: { NAME: null } }),
  ],
];

/** Answers the engine's own questions, and notes them. */
function asker(sent: string[], schema: string | null = "PUBLIC"): FetchRows {
  return (sql) => {
    sent.push(sql);
    if (sql.includes("CURRENT_SCHEMA")) return Promise.resolve([[schema]]);
    if (!sql.includes("INFORMATION_SCHEMA")) return Promise.resolve([]);
    return Promise.resolve(TABLES.filter(([, name]) => sql.includes(`'${name!.toUpperCase()}'`)));
  };
}

const bound = (sql: string) =>
  new BoundStatement(checkSnowflakeStatement(sql, DATABASE), DATABASE, new CallerAccess(ROLES));

async function verdictOf(sql: string, schema?: string | null): Promise<string> {
  try {
    await bound(sql).check(asker([], schema));
    return "sent";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("a bound caller's statement", () => {
  it.each([
    "SELECT 1",
    "SELECT * FROM orders",
    "SELECT * FROM public.orders o",
    'SELECT * FROM shop."PUBLIC".orders',
    "SELECT o.id FROM orders AS o JOIN people p ON p.id = o.person",
    "SELECT * FROM orders, people WHERE id IN (SELECT id FROM orders)",
    "SELECT * FROM (orders JOIN people ON TRUE)",
    "SELECT * FROM ((SELECT 1 AS n) UNION (SELECT 2))",
    "WITH a AS (SELECT * FROM orders), b (n) AS (SELECT 1 FROM a) SELECT * FROM b, a",
    "SELECT * FROM sales QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY id) = 1",
    "SELECT EXTRACT(year FROM day), a IS NOT DISTINCT FROM b, [1, 2], {'a': 1} FROM orders",
    "SELECT * FROM orders o, LATERAL FLATTEN(INPUT => o.items) f, TABLE(GENERATOR(ROWCOUNT => 3)) g",
    "SELECT * FROM VALUES (1, 2), (3, 4)",
    "SELECT * FROM orders LEFT OUTER JOIN (SELECT id, total FROM people) p USING (id), people",
    "SELECT * FROM orders START WITH id = 1 CONNECT BY boss = PRIOR id",
    "SELECT (SELECT MAX(id) FROM people) FROM orders GROUP BY a, b ORDER BY a, b",
    "(SELECT id FROM orders) UNION ALL (SELECT id FROM people) ORDER BY 1, 1",
  ])("is sent where each of its tables is open as a whole: %s", async (sql) => {
    expect(await verdictOf(sql)).toBe("sent");
  });

  it.each([
    "SELECT * FROM secrets",
    "SELECT * FROM public.secrets",
    'SELECT * FROM "SHOP"."PUBLIC"."SECRETS"',
    "SELECT * FROM masked",
    "SELECT * FROM orders, secrets",
    "SELECT * FROM orders JOIN secrets ON TRUE",
    "SELECT * FROM orders WHERE id IN (SELECT id FROM secrets)",
    "SELECT (SELECT MAX(id) FROM secrets) FROM orders",
    "SELECT secrets FROM orders",
    'SELECT 1 AS "secrets"',
    "WITH secrets AS (SELECT 1) SELECT * FROM secrets",
    "SELECT * FROM hidden.orders_2",
    "SELECT * FROM staff.people_2",
    "SELECT * FROM missing",
    "SELECT * FROM orders_stream",
    "SELECT * FROM public.orders_stream",
    "SELECT * FROM orders, orders_stream",
    "SELECT * FROM orders o JOIN people ON TRUE, orders_stream",
    "SELECT * FROM (orders_stream)",
    "SELECT * FROM ((orders_stream))",
    "SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM orders_stream)",
    "SELECT * FROM orders LIMIT (SELECT COUNT(*) FROM orders_stream)",
    "SELECT * FROM orders_stream, (WITH orders_stream AS (SELECT 1) SELECT * FROM orders_stream)",
    "WITH a AS (SELECT * FROM orders_stream), orders_stream AS (SELECT 1) SELECT * FROM a",
    "WITH orders_stream AS (SELECT * FROM orders_stream) SELECT * FROM orders_stream",
    "WITH RECURSIVE s AS (SELECT * FROM s UNION ALL SELECT * FROM s) SELECT * FROM s",
    "SELECT * FROM (WITH s AS (SELECT 1) SELECT * FROM s), s",
    "SELECT * FROM VALUES (1), orders_stream",
    "SELECT * FROM orders o, orders_stream s ORDER BY 1",
    "SELECT 1 FROM orders UNION SELECT 2 FROM orders, orders_stream",
    "SELECT [1, 2] FROM orders, LATERAL orders_stream",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM shop.information_schema.columns",
    'SELECT * FROM "information_schema".tables',
    "SELECT * FROM twins",
    'SELECT * FROM "twins"',
    "SELECT * FROM nowhere.orders",
    'SELECT * FROM "public".orders',
    'SELECT * FROM "orders"',
  ])("is answered as though a table were missing: %s", async (sql) => {
    expect(await verdictOf(sql)).toBe("sql_error");
  });

  it.each([
    "SELECT CURRENT_USER",
    "SELECT CURRENT_ROLE() FROM orders",
    "SELECT * FROM orders AT(OFFSET => -60)",
    "SELECT * FROM orders BEFORE(STATEMENT => 'x')",
    "SELECT * FROM orders CHANGES(INFORMATION => DEFAULT) AT(OFFSET => -60)",
    "SELECT * FROM ",
    "SELECT * FROM orders, ",
    "SELECT * FROM orders)",
    "SELECT * FROM (orders",
    "SELECT * FROM 'orders'",
    "SELECT * FROM $1",
  ])("is refused where it can't be seen what it reads: %s", (sql) => {
    expect(() => bound(sql)).toThrow(expect.objectContaining({ code: "statement_refused" }));
  });

  it("finds a table that stands alone in the session's schema only", async () => {
    expect(await verdictOf("SELECT * FROM orders", "STAFF")).toBe("sql_error");
    expect(await verdictOf("SELECT * FROM orders", null)).toBe("sql_error");
    expect(await verdictOf("SELECT * FROM public.orders", "STAFF")).toBe("sent");
  });

  it("gives up the rights of other roles before it asks which tables there are", async () => {
    const sent: string[] = [];
    await bound("SELECT * FROM orders").check(asker(sent));
    expect(sent.map((sql) => sql.split(/\s/)[0])).toEqual(["USE", "SELECT", "SELECT"]);
    expect(sent[2]).toContain("'ORDERS'");
  });

  it("has few enough names to ask about", async () => {
    const names = Array.from({ length: 1_001 }, (_, i) => `c${i}`).join(", ");
    expect(await verdictOf(`SELECT ${names} FROM orders`)).toBe("statement_refused");
  });
});

describe("relations of a statement", () => {
  it("are found wherever a table may stand, once each", () => {
    const sql = `WITH a AS (SELECT * FROM t1 x, t2) SELECT (SELECT 1 FROM t3), f.v FROM a JOIN s.t4 USING (id), (t5
      CROSS JOIN d.s.t6), LATERAL FLATTEN(i => (SELECT 1 FROM t7)) f WHERE b IN (SELECT c, d FROM t8 WHERE e = 1)
      GROUP BY g, h UNION SELECT 1, 2 FROM (SELECT * FROM t9 PIVOT(SUM(a) FOR b IN (1, 2)) p, t10) MINUS SELECT 1 FROM t11`;
    const { tokens } = checkSnowflakeStatement(sql, "D");
    expect(findRelations(sql, tokens).map(({ parts }) => parts.at(-1))).toEqual(
      Array.from({ length: 11 }, (_, i) => `T${i + 1}`),
    );
  });

  it("are found in statements that are put together at random, each of them and no other name", () => {
    // A # stands for a relation.
    const { query } = fc.letrec<Record<"query" | "expression" | "relation" | "from", string>>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom("a", "COUNT(*)", "[1, b]", "{'k': c}", "'FROM x, y'", "EXTRACT(year FROM d)", '"FROM"'),
        tie("query").map((query) => `(${query})`),
        fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `GREATEST(${a}, ${b})`),
        fc.tuple(tie("expression"), tie("query")).map(([a, query]) => `${a} IN (${query})`),
        fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a} IS NOT DISTINCT FROM ${b}`),
      ),
      relation: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom("#", "# t", "s.# AS t (a, b)", "# PIVOT(SUM(a) FOR b IN (1, 2)) p", "# SAMPLE (10)"),
        tie("query").map((query) => `(${query}) q`),
        tie("from").map((from) => `(${from})`),
        tie("expression").map((expression) => `LATERAL FLATTEN(INPUT => ${expression}) f`),
        fc.constant("(VALUES (1, 2), (3, 4)) v"),
      ),
      from: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        tie("relation"),
        fc.tuple(tie("from"), tie("relation")).map(([from, relation]) => `${from}, ${relation}`),
        fc
          .tuple(tie("from"), tie("relation"), tie("expression"))
          .map(([from, relation, on]) => `${from} LEFT JOIN ${relation} ON ${on}`),
      ),
      query: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        tie("from").map((from) => `SELECT a, b FROM ${from}`),
        fc
          .tuple(tie("expression"), tie("from"), tie("expression"))
          .map(([a, from, b]) => `SELECT ${a}, b FROM ${from} WHERE ${b} GROUP BY a, b ORDER BY a, b`),
        fc.tuple(tie("query"), tie("query")).map(([a, b]) => `(${a}) UNION ALL (${b})`),
        fc
          .tuple(tie("query"), tie("query"))
          .map(([a, b]) => `WITH w (n) AS (${a}), v AS (SELECT * FROM w) SELECT a FROM v, (${b}) q`),
      ),
    }));
    let most = 0;
    fc.assert(
      fc.property(query, (text) => {
        let relations = 0;
        const sql = text.replaceAll("#", () => `t${++relations}`);
        most = Math.max(most, relations);
        const { tokens } = checkSnowflakeStatement(sql, "D");
        const found = findRelations(sql, tokens).map(({ parts }) => parts.at(-1));
        expect(found).toEqual(Array.from({ length: relations }, (_, i) => `T${i + 1}`));
      }),
      { numRuns: 1_000 },
    );
    expect(most).toBeGreaterThan(4);
  });
});
