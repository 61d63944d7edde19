// What there is to read in SQL Server, and what is told of the server itself.

import { afterAll, beforeAll, expect, it } from "vitest";
import { Introspection } from "../../../../kernel/wire/source.ts";
import type { Failure } from "../../../../containers/engine/core/failure.ts";
import { sqlserver } from "../../../../containers/engine/sources/sqlserver/connector.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";

let server: FakeSqlServer;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  await server.tables.create({
    schema: "sales",
    name: "customers",
    columns: [
      { name: "region", type: "char(2)", nullable: false },
      { name: "id", type: "int", nullable: false, identity: 1 },
      { name: "name]s", type: "nvarchar(100)", comment: "Full name." },
      { name: "notes", type: "nvarchar(max)" },
      { name: "hidden", type: "int" },
      { name: "left", type: "int", nullable: false, identity: -1 },
    ],
    primaryKey: ["region", "id"],
    comment: "Who buys.",
  });
  await server.tables.create({
    name: "orders",
    columns: [
      { name: "id", type: "bigint", nullable: false },
      { name: "customer_region", type: "char(2)" },
      { name: "customer_id", type: "int" },
      { name: "total", type: "decimal(12,3)", computed: true },
      { name: "at", type: "datetimeoffset(3)" },
      { name: "version", type: "rowversion" },
      { name: "place", type: "hierarchyid" },
      { name: "raw", type: "varbinary(16)" },
    ],
    primaryKey: ["id"],
    foreignKeys: [
      {
        columns: ["customer_region", "customer_id"],
        schema: "sales",
        table: "customers",
        references: ["region", "id"],
      },
    ],
  });
  await server.tables.create({ name: "a_view", columns: [{ name: "one", type: "int" }], view: "SELECT 1 AS one" });
});
afterAll(() => server.close());

it("takes names as the database's collation does, when a sync is set up and when it runs", async () => {
  const foldings = async () => {
    const { folding } = await sqlserver.introspect(server.source(), signal());
    const snapshot = await sqlserver.openSnapshot(server.source(), "fjord names", signal());
    await snapshot.close();
    return [folding, snapshot.folding];
  };
  expect(await foldings()).toEqual(["exact", "exact"]);
  // Every database has a schema "sys", which one that makes nothing of case finds by this name as well.
  await server.run("INSERT INTO sys.schemas VALUES (4, 'SYS')");
  try {
    expect(await foldings()).toEqual(["any", "any"]);
  } finally {
    await server.run("DELETE FROM sys.schemas WHERE schema_id = 4");
  }
});

const signal = () => AbortSignal.timeout(30_000);

it("lists tables with their columns, keys and comments, and no column that the account may not read", async () => {
  const found = Introspection.parse(await sqlserver.introspect(server.source(), signal()));
  const [dbo, sales] = found.schemas;
  expect(found.schemas.map(({ name }) => name)).toEqual(["dbo", "sales"]);
  expect(dbo!.tables.map(({ name, kind }) => [name, kind])).toEqual([
    ["a_view", "view"],
    ["orders", "table"],
  ]);
  expect(
    dbo!.tables[1]!.columns.map(({ name, type, nullable, generated }) => [name, type, nullable, generated]),
  ).toEqual([
    ["id", "bigint", false, false],
    ["customer_region", "char(2)", true, false],
    ["customer_id", "int", true, false],
    ["total", "decimal(12,3)", true, true],
    ["at", "datetimeoffset(3)", true, false],
    ["version", "rowversion", true, false],
    ["place", "hierarchyid", true, false],
    ["raw", "varbinary(16)", true, false],
  ]);
  expect(dbo!.tables[1]!.foreignKeys).toEqual([
    { columns: ["customer_region", "customer_id"], schema: "sales", table: "customers", references: ["region", "id"] },
  ]);
  expect(sales!.tables[0]).toMatchObject({
    name: "customers",
    comment: "Who buys.",
    primaryKey: ["region", "id"],
    columns: [
      { name: "region", counted: false },
      { name: "id", counted: true },
      { name: "name]s", type: "nvarchar(100)", comment: "Full name." },
      { name: "notes", type: "nvarchar(max)", comment: null },
      { name: "left", counted: false },
    ],
  });
});

it("tells whether the account could write, by the rights that it or its roles were given", async () => {
  expect(await sqlserver.test(server.source(), signal())).toMatchObject({ canWrite: false });
  await server.run("INSERT INTO sys.database_permissions VALUES (99, 'IN', 'G'), (7, 'SL', 'G'), (7, 'UP', 'D')");
  expect(await sqlserver.test(server.source(), signal())).toMatchObject({ canWrite: false });
  await server.run("INSERT INTO sys.database_permissions VALUES (7, 'DL', 'W')");
  expect(await sqlserver.test(server.source(), signal())).toMatchObject({ canWrite: true });
});

it("tells which of Azure's services it is", async () => {
  const columns = ["version", "edition", "can_write"].map((name, i) => ({
    name,
    type: i === 0 ? "nvarchar(128)" : "int",
  }));
  server.answers.push({ when: /EngineEdition/, columns, batches: () => [[["12.0.2000.8", 5, 0]]] });
  expect(await sqlserver.test(server.source(), signal())).toMatchObject({
    product: "Azure SQL Database",
    version: "12.0.2000.8",
  });
  server.answers.length = 0;
});

it("points at what the server stumbled over, where that stands once in its line", async () => {
  const fail = async (message: string, line: number) => {
    server.answerFault = { when: /FROM prepared/, kind: "error", afterRows: 0, error: { number: 207, message, line } };
    server.answers.push({ when: /FROM prepared/, columns: [{ name: "a", type: "int" }], batches: () => [[[1]]] });
    const error = await readRows(server, "SELECT a,\n  'é𝄞', wrong\nFROM prepared").catch((reason: unknown) => reason);
    server.answerFault = undefined;
    return error as Failure;
  };
  expect(await fail("Invalid column name 'wrong'.", 2)).toMatchObject({
    code: "sql_error",
    message: "Invalid column name 'wrong'. (error 207, state 1, line 2)",
    position: 19,
  });
  expect((await fail("Invalid column name 'wrong'.", 1)).position).toBeUndefined();
  expect((await fail("Something else.", 2)).position).toBeUndefined();
});

it("takes a document of FOR JSON in as many rows as it is cut into", async () => {
  server.answers.length = 0;
  const name = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B";
  server.answers.push({
    when: /FROM prepared/,
    columns: [{ name, type: "nvarchar(max)" }],
    // The server counts the rows of the document's making: five, say.
    batches: () => [[['[{"a":1},']], [['{"a":2}]']], { page: Buffer.alloc(0), rows: 3 }],
  });
  const { rows } = await readRows(server, "SELECT a FROM prepared FOR JSON PATH");
  expect(rows.flat().join("")).toBe('[{"a":1},{"a":2}]');
});
