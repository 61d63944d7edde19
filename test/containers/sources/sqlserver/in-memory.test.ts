// Memory-optimised tables of a SQL Server, which transactions of SNAPSHOT isolation may not touch.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { READ_ALL } from "../../../../containers/engine/extract/changes/read-all-reasons.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";

const HINTED = "SELECT id FROM shop.orders WITH (SNAPSHOT) JOIN shop.people ON id = person ORDER BY id";

let server: FakeSqlServer;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  const id = { name: "id", type: "int", nullable: false };
  const person = { name: "person", type: "int", nullable: false };
  await server.tables.create({ schema: "shop", name: "orders", columns: [id], primaryKey: ["id"], inMemory: true });
  await server.tables.create({ schema: "shop", name: "people", columns: [person], primaryKey: ["person"] });
  for (const name of ["orders", "people"]) await server.tables.insert({ schema: "shop", name }, [[1], [2]]);
});
afterAll(() => server.close());
beforeEach(() => {
  server.statements.length = 0;
});
afterEach(async () => {
  server.tables.elevatesToSnapshot = false;
  await server.tables.allowSnapshots(true);
  expect(server.failures).toEqual([]);
});

const as = (sql: string, ...roles: AccessRoles) => readRows(server, sql, { access: new CallerAccess(roles) });

/** What was set and begun before the statement, in order. */
const isolations = () =>
  server.statements.flatMap((sql) => /ISOLATION LEVEL ([\w ]+); BEGIN TRANSACTION/.exec(sql)?.[1] ?? []);

describe.each([
  ["keeps snapshots", true, ["SNAPSHOT", "READ COMMITTED"]],
  ["keeps none", false, ["READ COMMITTED"]],
])("where the database %s, a statement", (_, isAllowed, begun) => {
  beforeEach(() => server.tables.allowSnapshots(isAllowed));

  it("with the hint reads a table in memory, beside one on disk, in a transaction that is never committed", async () => {
    expect((await readRows(server, HINTED)).rows).toEqual([["1"], ["2"]]);
    expect(isolations()).toEqual(begun);
    expect(server.statements.join()).not.toContain("COMMIT TRANSACTION");
  });

  it("without it reads where the database takes the hint as given", async () => {
    server.tables.elevatesToSnapshot = true;
    expect((await readRows(server, "SELECT id FROM shop.orders ORDER BY id")).rows).toEqual([["1"], ["2"]]);
    expect(isolations()).toEqual(begun);
  });

  it("without either is told what to write", async () => {
    const failed = readRows(server, "SELECT id FROM shop.orders");
    await expect(failed).rejects.toMatchObject({
      code: "sql_error",
      message: expect.stringMatching(/error 41368.*write WITH \(SNAPSHOT\) behind the table/) as string,
    });
  });

  it("binds its values again", async () => {
    const sql = "SELECT id FROM shop.orders WITH (SNAPSHOT) WHERE id = @p1";
    expect((await readRows(server, sql, { values: ["2"] })).rows).toEqual([["2"]]);
  });

  it("of a bound caller is held to the caller's grants each time", async () => {
    const granted = [aGrant("orders"), aGrant("people")];
    expect((await as(HINTED, granted)).rows).toEqual([["1"], ["2"]]);
    await expect(as(HINTED, [aGrant("orders")])).rejects.toMatchObject({ code: "sql_error" });
    for (const sql of server.statements.filter((one) => one.includes("WITH (SNAPSHOT)")).slice(begun.length))
      expect(sql).not.toContain("shop.people");
  });
});

it("keeps its one snapshot for statements on other tables", async () => {
  await readRows(server, "SELECT person FROM shop.people");
  expect(isolations()).toEqual(["SNAPSHOT"]);
});

it("is synced in full beside the run's snapshot", async () => {
  const bench = await SyncBench.open(server.source(), 10);
  try {
    const { error, progress } = await bench.run({ tables: ["shop.orders"] });
    expect(error).toBeNull();
    expect(progress.tables[0]!.notes.join()).toContain("memory-optimised");
    await server.tables.insert({ schema: "shop", name: "orders" }, [[3]]);
    const again = await bench.run({ tables: ["shop.orders"] });
    expect(again.error).toBeNull();
    expect(again.progress.tables[0]!.notes).toContain(READ_ALL.inMemory.note);
    expect(await bench.texts("SELECT id::VARCHAR FROM orders ORDER BY id")).toEqual([["1"], ["2"], ["3"]]);
  } finally {
    await server.tables.delete({ schema: "shop", name: "orders" }, "id = 3");
    await bench.close();
  }
});
