// The restrictions before SQL Server as a caller meets them, over the wire: what is refused reaches no server, and what
// roles hide is not there.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";
import { REFUSED_STATEMENTS } from "../../../support/node/sources/sqlserver/statement-corpus.ts";

let server: FakeSqlServer;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  const columns = [
    { name: "id", type: "int", nullable: false },
    { name: "note", type: "nvarchar(50)" },
  ];
  for (const [schema, name] of [
    ["shop", "orders"],
    ["shop", "people"],
    ["hr", "people"],
  ] as const) {
    await server.tables.create({ schema, name, columns, primaryKey: ["id"] });
    await server.tables.insert({ schema, name }, [[1, `of ${schema}.${name}`]]);
  }
});
afterAll(() => server.close());
beforeEach(() => {
  server.statements.length = 0;
  server.logins.length = 0;
});

const as = (sql: string, ...roles: AccessRoles) => readRows(server, sql, { access: new CallerAccess(roles) });
const ORDERS = [aGrant("orders")];

describe("SQL Server", () => {
  it("hears nothing of a statement that the gate refuses, nor of who sent it", async () => {
    for (const sql of REFUSED_STATEMENTS)
      await expect(readRows(server, sql), sql).rejects.toMatchObject({ code: "statement_refused" });
    expect(server.statements).toEqual([]);
    expect(server.logins).toEqual([]);
  });

  it("hears nothing of a statement that no bound caller may send", async () => {
    for (const sql of [
      "SELECT * FROM sys.tables",
      "SELECT * FROM [s\u00adys].[tables]",
      "SELECT * FROM [information\u200b_schema ].[tables]",
      "SELECT OBJECT_ID('hr.people')",
      "SELECT * FROM shop.hr.people",
      // Nothing stands between the parentheses of TOP and what is called.
      "SELECT TOP (1) OBJECT_DEFINITION(1234)",
      "SELECT TOP ((SELECT 1)) IDENT_CURRENT('hr.people') FROM shop.orders",
      "SELECT DISTINCT TOP (1) OBJECT_NAME(id) FROM shop.orders",
    ])
      await expect(as(sql, ORDERS)).rejects.toMatchObject({ code: "statement_refused" });
    expect(server.statements).toEqual([]);
    expect(server.logins).toEqual([]);
  });

  it("answers a bound caller from tables that are granted as a whole", async () => {
    expect((await as("SELECT o.note AS people FROM shop.orders AS o", ORDERS)).columns[0]?.name).toBe("people");
    expect((await as("SELECT note FROM shop.orders", ORDERS)).rows).toEqual([["of shop.orders"]]);
    expect((await as("SELECT v.n FROM (VALUES (1)) v (n)", ORDERS)).rows).toEqual([["1"]]);
    expect((await as("SELECT note FROM hr.people", [aGrant("*", { schema: "hr" })])).rows).toEqual([["of hr.people"]]);
  });

  it("says of what is hidden what it says of what is missing", async () => {
    const said = async (sql: string, ...roles: AccessRoles): Promise<unknown> =>
      as(sql, ...roles).then(
        () => "answered",
        (error: Error) => error.message,
      );
    const missing = await said("SELECT * FROM hr.nothing", ORDERS);
    expect(missing).toMatch(/does not exist, or is not open to you/);
    for (const sql of [
      "SELECT * FROM hr.people",
      "SELECT * FROM shop.people",
      "SELECT note FROM shop.orders UNION ALL SELECT note FROM hr.people",
      "SELECT (SELECT MAX(note) FROM hr.people) FROM shop.orders",
      "WITH c AS (SELECT note FROM hr.people) SELECT note FROM c",
      "SELECT o.note FROM shop.orders AS o JOIN [hr].[people] AS p ON 1 = 1",
    ])
      expect(await said(sql, ORDERS), sql).toBe(missing);
    expect(await said("SELECT * FROM shop.people", [aGrant("*"), aGrant("people", { masks: { note: null } })])).toBe(
      missing,
    );
    // An error that the server finds before it looks for tables; the fake quotes the statement in its other lines.
    const [ofHidden, ofMissing] = await Promise.all(
      ["people", "nothing"].map((name) => said(`SELECT * FROM hr.${name} WHERE id = ORDER BY`, ORDERS)),
    );
    expect(String(ofHidden).split("\n")[0]).toBe(String(ofMissing).split("\n")[0]);
    for (const statement of server.statements.filter((sql) => !/sys\.all_objects/.test(sql)))
      expect(statement).not.toMatch(/\bpeople\b/);
  });
});
