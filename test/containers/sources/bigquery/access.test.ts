// Callers whom data-access roles bind, on BigQuery: a statement reads a table wholly or not at all, and where it can't
// be known what it reads, it is not run.

import { describe, expect, it } from "vitest";
import type { AccessGrant } from "../../../../kernel/access/access.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { BoundStatement } from "../../../../containers/engine/sources/bigquery/access/check-tables.ts";
import { checkBigqueryStatement } from "../../../../containers/engine/sources/bigquery/gate/check-statement.ts";

const PROJECT = "shop-analytics";
const whole = (schema: string, table: string): AccessGrant => ({ schema, table, excludes: [], masks: {}, filters: [] });

/** Opens all of `shop` but `salaries`, of `sales` two tables, of `mixed` one that has a masked column. */
const ROLE = [
  whole("shop", "*"),
  { ...whole("shop", "salaries"), excludes: ["amount"] },
  whole("sales", "orders"),
  whole("sales", "v_orders"),
  { ...whole("mixed", "people"), masks: { email: null } },
  { ...whole("mixed", "filtered"), filters: [{ member: "id", operator: "equals", values: ["1"] }] },
  whole("open", "*"),
] as AccessGrant[];

const bound = (sql: string, roles = [ROLE]): BoundStatement =>
  new BoundStatement(checkBigqueryStatement(sql), new CallerAccess(roles), PROJECT);
const codeOf = (call: () => unknown): string => {
  try {
    call();
    return "open";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};
const table = (datasetId: string, tableId: string, projectId = PROJECT) => ({ projectId, datasetId, tableId });

describe("a bound caller's statement, before anything is sent", () => {
  it.each([
    "SELECT 1",
    "SELECT * FROM shop.orders",
    "SELECT * FROM `shop.orders`",
    "SELECT * FROM shop-analytics.shop.orders AS o, UNNEST(o.items) AS i WITH OFFSET",
    "SELECT * FROM `shop-analytics.sales.orders` JOIN sales.v_orders USING (id)",
    "SELECT * FROM (sales.orders JOIN shop.a ON TRUE), shop.b",
    "WITH a AS (SELECT * FROM shop.orders), b AS (SELECT * FROM a) SELECT * FROM b, a WHERE a.x IN (SELECT b.x FROM b)",
    "SELECT a.b.c, EXTRACT(DAY FROM hr.day) FROM shop.t GROUP BY a.b, hr.c ORDER BY hr.d, x.y",
    "SELECT a IS DISTINCT FROM hr.b, c IS NOT DISTINCT FROM hr.d FROM shop.t",
    "FROM shop.orders |> JOIN sales.orders USING (id) |> EXTEND a.b AS x, c.d AS y |> SELECT hr.a, hr.b",
    "SELECT * FROM shop.orders FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-01', sales.orders",
    "SELECT * FROM `open.events_*`",
    "SELECT 'FROM hr.salaries', `FROM hr.salaries` FROM shop.t -- FROM hr.salaries",
    "SELECT t.from, t.join FROM shop.t",
  ])("passes: %s", (sql) => {
    expect(codeOf(() => bound(sql))).toBe("open");
  });

  it.each([
    "SELECT * FROM hr.salaries",
    "SELECT * FROM shop.salaries",
    "SELECT * FROM shop.SALARIES",
    "SELECT * FROM SHOP.salaries",
    "SELECT * FROM mixed.people",
    "SELECT * FROM mixed.filtered",
    "SELECT * FROM sales.other",
    "SELECT * FROM `hr.salaries`",
    "SELECT * FROM `hr`.`salaries`",
    "SELECT * FROM hr . /* */ salaries",
    "SELECT * FROM shop-analytics.hr.salaries",
    "SELECT * FROM `shop-analytics`.hr.salaries",
    "SELECT * FROM `shop-analytics.hr`.salaries",
    "SELECT * FROM other-project.shop.orders",
    "SELECT * FROM `other-project.shop.orders`",
    "SELECT * FROM otherproject.shop.orders",
    "SELECT * FROM shop.orders, hr.salaries",
    "SELECT * FROM shop.orders AS o, o.items",
    "SELECT * FROM shop.orders o JOIN hr.salaries USING (id)",
    "SELECT * FROM shop.orders AS hr, hr.salaries",
    "SELECT * FROM hr.salaries AS s, shop.orders AS hr",
    "SELECT * FROM (hr.salaries JOIN shop.orders USING (id))",
    "SELECT * FROM ((shop.orders JOIN hr.salaries USING (id)))",
    "SELECT * FROM shop.orders JOIN (shop.a CROSS JOIN hr.salaries) ON TRUE",
    "SELECT * FROM shop.a JOIN shop.b ON a.x = b.y, hr.salaries",
    "SELECT * FROM shop.a JOIN shop.b ON a.where = b.select, hr.salaries",
    "SELECT * FROM shop.a JOIN shop.b ON f(a.x, b.y) = [1, 2][OFFSET(0)], hr.salaries",
    "SELECT * FROM UNNEST([1]) AS n WITH OFFSET AS o, hr.salaries",
    "SELECT * FROM shop.a AS `where`, hr.salaries",
    "SELECT * FROM shop.a TABLESAMPLE SYSTEM (1 PERCENT), hr.salaries",
    "SELECT * FROM shop.a FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP(), hr.salaries",
    "SELECT (SELECT MAX(amount) FROM hr.salaries)",
    "SELECT ARRAY(SELECT amount FROM hr.salaries) FROM shop.t",
    "SELECT * FROM shop.t WHERE id IN (SELECT id FROM hr.salaries)",
    "SELECT EXTRACT(DAY FROM (SELECT MAX(day) FROM hr.salaries))",
    "SELECT HLL_COUNT.EXTRACT((FROM hr.salaries |> AGGREGATE HLL_COUNT.INIT(id)))",
    "SELECT x.is FROM hr.salaries",
    "WITH shop AS (SELECT 1) SELECT * FROM hr.salaries",
    "WITH hr AS (SELECT 1) SELECT * FROM hr.salaries",
    "WITH a AS (SELECT * FROM hr.salaries) SELECT 1",
    "SELECT 1 UNION ALL (SELECT amount FROM hr.salaries)",
    "FROM hr.salaries",
    "FROM shop.t |> JOIN hr.salaries USING (id)",
    "FROM shop.t |> UNION ALL (SELECT * FROM hr.salaries)",
    "FROM shop.t |> WHERE EXISTS (FROM hr.salaries)",
    "SELECT * FROM CHANGES(TABLE hr.salaries, NULL, NULL)",
    "SELECT * FROM APPENDS(TABLE shop.orders, NULL, NULL)",
    "SELECT * FROM VECTOR_SEARCH(TABLE hr.salaries, 'a', TABLE shop.t)",
    "SELECT SEARCH(t, 'x'), f(TABLE hr.salaries) FROM shop.t",
    "SELECT * FROM GRAPH_TABLE(shop.g MATCH (n) RETURN n.id)",
    "SELECT * FROM (GRAPH shop.g MATCH (n) RETURN n.id)",
    "SELECT * FROM shop.INFORMATION_SCHEMA.TABLES",
    "SELECT * FROM INFORMATION_SCHEMA.SCHEMATA",
    "SELECT * FROM `region-us`.INFORMATION_SCHEMA.TABLES",
    "SELECT * FROM shop.__TABLES__",
    "SELECT * FROM open.__TABLES_SUMMARY__",
    "SELECT * FROM _0123456789abcdef.anon0123456789abcdef",
    "SELECT * FROM `shop.*`",
    "SELECT * FROM `shop.sal*`",
    "SELECT * FROM `sales.o*`",
    "SELECT * FROM `sales.orders$20260101`",
    "SELECT * FROM `sales.orders@-3600000`",
    "SELECT * FROM sales.orders.items",
    "SELECT * FROM `sales.`",
    "SELECT * FROM LATERAL hr.salaries",
    "SELECT * FROM project-1.hr.salaries",
  ])("is refused: %s", (sql) => {
    expect(codeOf(() => bound(sql))).toMatch(/^(sql_error|statement_refused)$/);
  });

  it("is refused in the same words whether a table is hidden or missing", () => {
    const messageOf = (sql: string) => {
      try {
        return String(bound(sql));
      } catch (error) {
        return (error as Failure).message;
      }
    };
    expect(messageOf("SELECT * FROM shop.salaries")).toBe(messageOf("SELECT * FROM nowhere.nothing"));
    expect(messageOf("SELECT * FROM hr.INFORMATION_SCHEMA.TABLES")).toBe(messageOf("SELECT * FROM nowhere.nothing"));
  });

  it("reads everything but what names tables where a role opens everything", () => {
    const all = [[whole("*", "*")]];
    expect(codeOf(() => bound("SELECT * FROM hr.salaries, `hr.s*`", all))).toBe("open");
    for (const sql of ["SELECT * FROM INFORMATION_SCHEMA.SCHEMATA", "SELECT * FROM hr.__TABLES__"])
      expect(codeOf(() => bound(sql, all))).toBe("sql_error");
  });
});

describe("a bound caller's statement, once BigQuery has planned it", () => {
  const planned = (sql: string, tables: ReturnType<typeof table>[] | undefined, readsGraphs = false) =>
    codeOf(() => bound(sql).checkPlan({ tables, readsGraphs }));

  it("runs where all that it reads is open", () => {
    expect(planned("SELECT * FROM sales.v_orders", [table("sales", "orders")])).toBe("open");
    expect(planned("SELECT 1", undefined)).toBe("open");
    expect(planned("SELECT 1", [])).toBe("open");
    expect(planned("SELECT * FROM `open.events_*`", [table("open", "events_*")])).toBe("open");
  });

  it.each([
    ["a hidden table beneath a view", [table("sales", "orders"), table("hr", "salaries")]],
    ["a table of which a column is hidden", [table("shop", "salaries")]],
    ["a table in other letters", [table("shop", "Salaries")]],
    ["a masked one", [table("mixed", "people")]],
    ["one of another project", [table("shop", "orders", "other-project")]],
    ["one of no project", [table("shop", "orders", "")]],
    ["one of no dataset", [table("", "orders")]],
    ["metadata", [table("INFORMATION_SCHEMA", "TABLES")]],
    ["tables by a pattern", [table("shop", "sal*")]],
    ["no tables", []],
    ["a list that may be cut off", Array.from({ length: 50 }, (_, i) => table("shop", `t${i}`))],
  ])("is refused where the plan reads %s", (_, tables) => {
    expect(planned("SELECT * FROM sales.v_orders", tables)).toBe("sql_error");
  });

  it("is refused where the plan names no tables, or reads a graph", () => {
    expect(planned("SELECT * FROM sales.orders", undefined)).toBe("sql_error");
    expect(planned("SELECT 1", [], true)).toBe("sql_error");
  });

  it("is refused where a statement that names no table reads one", () => {
    expect(planned("SELECT 1", [table("hr", "salaries")])).toBe("sql_error");
  });
});
