// A statement of a caller whom roles bind, on SQL Server: it reads tables wholly or not at all, and what is hidden is
// as though it were not there.

import { describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { Failure } from "../../../../containers/engine/core/failure.ts";
import { SqlServerError } from "../../../../containers/engine/sources/sqlserver/connection/tokens.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { catalogOf, restrict, type CatalogObject } from "../../../support/node/access/sqlserver-catalog.ts";

const OBJECTS: CatalogObject[] = [
  { schema: "shop", name: "Orders", type: "U" },
  { schema: "shop", name: "customers", type: "U" },
  { schema: "hr", name: "orders", type: "U" },
  { schema: "hr", name: "people", type: "U" },
  { schema: "shop", name: "totals", type: "V" },
  { schema: "shop", name: "of_people", type: "SN" },
  { schema: "shop", name: "count_people", type: "FN" },
  { schema: "shop", name: "list_people", type: "IF" },
];
const GRANTED: AccessRoles = [[aGrant("orders"), aGrant("totals"), aGrant("of_people"), aGrant("count_people")]];
const EVERYTHING: AccessRoles = [[aGrant("*", { schema: "*" })]];

const sentOf = async (sql: string, roles = GRANTED, catalog = catalogOf(OBJECTS)) =>
  (await restrict(sql, roles, catalog)).sent.replaceAll(/\[x[0-9a-f]{24}\]/g, "(hidden)");

describe("a bound caller's statement on SQL Server", () => {
  it.each([
    "SELECT id FROM shop.orders",
    "SELECT o.id, o.people FROM [Shop] . [ORDERS] AS o",
    "SELECT t.id FROM shop.totals t WHERE t.id IN (SELECT id FROM shop.orders)",
    "WITH o (id) AS (SELECT id FROM shop.orders) SELECT COUNT(*) FROM o",
    "SELECT v.a FROM (VALUES (1)) AS v(a) CROSS JOIN shop.orders AS r",
    "SELECT 'people', N'hr.people', j.value FROM OPENJSON('[1]') AS j",
    "SELECT CAST(id AS decimal(10, 2)), doc.value('(/a)[1]', 'int') FROM shop.orders",
  ])("is sent as it is where it names granted tables: %s", async (sql) => {
    expect(await sentOf(sql)).toBe(sql);
  });

  it.each([
    ["SELECT * FROM hr.people", "SELECT * FROM hr.(hidden)"],
    ["SELECT * FROM HR.[People]", "SELECT * FROM HR.(hidden)"],
    ['SELECT * FROM "people"', "SELECT * FROM (hidden)"],
    ["SELECT * FROM customers", "SELECT * FROM (hidden)"],
    // It can't be known whether an unqualified name belongs to the granted schema or to the other.
    ["SELECT * FROM orders", "SELECT * FROM (hidden)"],
    ["SELECT 1 FROM shop.orders o, people", "SELECT 1 FROM shop.orders o, (hidden)"],
    ["SELECT people FROM shop.orders", "SELECT (hidden) FROM shop.orders"],
    ["SELECT 1 AS people ORDER BY people", "SELECT 1 AS (hidden) ORDER BY (hidden)"],
    // What a synonym or a function reads, no role says.
    ["SELECT * FROM shop.of_people", "SELECT * FROM shop.(hidden)"],
    ["SELECT list_people FROM shop.orders", "SELECT (hidden) FROM shop.orders"],
    ["SELECT * FROM sysobjects", "SELECT * FROM (hidden)"],
    ["SELECT * FROM dbo.sysobjects", "SELECT * FROM dbo.(hidden)"],
  ])("has another name for what is hidden: %s", async (sql, expected) => {
    expect(await sentOf(sql)).toBe(expected);
  });

  it("hides synonyms and functions from whoever may read everything", async () => {
    expect(await sentOf("SELECT * FROM shop.of_people", EVERYTHING)).toBe("SELECT * FROM shop.(hidden)");
    expect(await sentOf("SELECT * FROM hr.people", EVERYTHING)).toBe("SELECT * FROM hr.people");
  });

  it.each([
    ["a column that is left out", [[aGrant("*", { schema: "*" }), aGrant("orders", { excludes: ["x"] })]]],
    ["a mask", [[aGrant("*", { schema: "*" }), aGrant("ORDERS", { masks: { x: null } })]]],
    ["no rows", [[aGrant("*", { schema: "*" }), aGrant("orders", { filters: null })]]],
    ["no role", []],
  ] as [string, AccessRoles][])("reads nothing of a table with %s", async (_, roles) => {
    expect(await sentOf("SELECT 1 FROM shop.Orders", roles)).toBe("SELECT 1 FROM shop.(hidden)");
  });

  it("tells names apart as the database does", async () => {
    const roles = [[aGrant("Orders")]];
    expect(await sentOf("SELECT 1 FROM shop.Orders", roles, catalogOf(OBJECTS, false))).toBe(
      "SELECT 1 FROM shop.Orders",
    );
    expect(await sentOf("SELECT 1 FROM shop.orders", roles, catalogOf(OBJECTS, false))).toBe(
      "SELECT 1 FROM shop.orders",
    );
    expect(await sentOf("SELECT 1 FROM HR.orders", roles, catalogOf(OBJECTS, false))).toBe("SELECT 1 FROM HR.orders");
    expect(await sentOf("SELECT 1 FROM hr.orders", roles, catalogOf(OBJECTS, false))).toBe("SELECT 1 FROM hr.(hidden)");
  });

  it.each([
    "SELECT * FROM sys.tables",
    "SELECT * FROM [SYS].objects",
    "SELECT * FROM INFORMATION_SCHEMA.TABLES",
    "SELECT * FROM shop.hr.people",
    "SELECT * FROM shop..orders",
    "SELECT shop.orders.id FROM shop.orders",
    "SELECT * FROM #temporary",
    "SELECT * FROM [##global]",
    "SELECT OBJECT_ID('hr.people')",
    "SELECT OBJECT_DEFINITION(1)",
    "SELECT IDENT_CURRENT('hr.people')",
    "SELECT [OBJECT_ID]('hr.people')",
    "SELECT shop.count_people()",
    "SELECT * FROM shop.list_people()",
    "SELECT * FROM list_people()",
    "SELECT * FROM fn_helpcollations()",
    "SELECT a, secret(b, c) AS d FROM shop.orders",
    "SELECT * FROM CONTAINSTABLE(hr.people, *, 'x') AS c",
    "SELECT * FROM CHANGETABLE(CHANGES hr.people, 0) AS c",
    "SELECT * FROM shop.orders FOR SYSTEM_TIME ALL",
    "SELECT @@SERVERNAME",
    "SELECT CURRENT_USER",
    "SELECT SESSION_USER",
    "SELECT HAS_PERMS_BY_NAME('hr.people', 'OBJECT', 'SELECT')",
    "SELECT * FROM shop.orders WITH (NOLOCK) WHERE EXISTS (SELECT COL_NAME(1, 1))",
    "SELECT 1 AS people FOR JSON PATH",
    "SELECT 1 AS people FOR XML RAW",
    "SELECT $PARTITION.f(1)",
    "SELECT * FROM shop.orders FREETEXT(people, 'x')",
  ])("is refused for what tells of more than tables: %s", async (sql) => {
    await expect(restrict(sql, EVERYTHING, catalogOf(OBJECTS))).rejects.toThrow(
      expect.objectContaining({ code: "statement_refused" }),
    );
  });

  it("gets its own names back, in columns and in what the server says", async () => {
    const { sent, bound } = await restrict("SELECT 1 AS [People] FROM shop.orders", GRANTED, catalogOf(OBJECTS));
    const [name] = /x[0-9a-f]{24}/.exec(sent)!;
    expect(bound.restoreNames(name)).toBe("People");
    const said = bound.toFailure(serverError(156, `Incorrect syntax near '${name}'.`), false) as Failure;
    expect(said.message).toContain("near 'People'");
  });

  it("says the same of what is hidden and of what is missing", async () => {
    const { bound } = await restrict("SELECT * FROM hr.people", GRANTED, catalogOf(OBJECTS));
    const said = [208, 229, 2812, 15151].map(
      (number) => bound.toFailure(serverError(number, "people"), false) as Failure,
    );
    for (const { message, code } of said) {
      expect(code).toBe("sql_error");
      expect(message).toBe(said[0]!.message);
      expect(message).not.toMatch(/people/i);
    }
  });

  it("says of a column's name what it says of any, but not of one within a view", async () => {
    const { sent, bound } = await restrict("SELECT people FROM shop.orders", GRANTED, catalogOf(OBJECTS));
    const [name] = /x[0-9a-f]{24}/.exec(sent)!;
    const said = bound.toFailure(serverError(207, `Invalid column name '${name}'.`), false) as Failure;
    expect(said.message).toContain("Invalid column name 'people'.");
    const overView = await restrict("SELECT * FROM shop.totals", GRANTED, catalogOf(OBJECTS));
    const hidden = overView.bound.toFailure(serverError(207, "Invalid column name 'salary'."), false) as Failure;
    expect(hidden.message).not.toContain("salary");
  });

  it.each([
    "SELECT * FROM shop.orders PIVOT (SUM(a) FOR b IN ([people], [x])) AS p",
    "SELECT * FROM shop.orders UNPIVOT (v FOR n IN (people, x)) AS p",
    "SELECT j.people FROM OPENJSON('{}') WITH (people int) AS j",
  ])("makes no value of another name than the caller's: %s", async (sql) => {
    await expect(restrict(sql, GRANTED, catalogOf(OBJECTS))).rejects.toThrow(
      expect.objectContaining({ code: "sql_error" }),
    );
    expect((await restrict(sql.replaceAll("people", "y"), GRANTED, catalogOf(OBJECTS))).sent).toContain("y");
  });

  it("keeps back the words of what failed while a view was read", async () => {
    const failing = serverError(245, "Conversion failed when converting the varchar value 'secret' to data type int.");
    const overView = await restrict("SELECT * FROM shop.totals", GRANTED, catalogOf(OBJECTS));
    expect((overView.bound.toFailure(failing, false) as Failure).message).not.toContain("secret");
    const overTable = await restrict("SELECT * FROM shop.orders", GRANTED, catalogOf(OBJECTS));
    expect((overTable.bound.toFailure(failing, false) as Failure).message).toContain("secret");
  });
});

const serverError = (number: number, message: string): SqlServerError =>
  new SqlServerError(message, { number, state: 1, severity: 16, line: 1 });
