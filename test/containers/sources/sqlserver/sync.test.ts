// Syncs from SQL Server through the real job: whichever way changes are found, the lake equals the source after every
// run.

import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { READ_ALL } from "../../../../containers/engine/extract/changes/read-all-reasons.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";
import type { FakeTable } from "../../../support/node/sources/sqlserver/tsql/fake-tables.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";

let server: FakeSqlServer;
let bench: SyncBench;
beforeAll(async () => {
  server = await FakeSqlServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  bench = await SyncBench.open(server.source(), 10);
});
afterEach(() => bench.close());

const T = { name: "orders" };
const PATH = "dbo.orders";
const ID: FakeTable["columns"][number] = { name: "id", type: "bigint", nullable: false };
const NOTE: FakeTable["columns"][number] = { name: "note", type: "nvarchar(50)" };

/** Rows of ids from 1 on, in a table made anew. */
async function create(rows: number, more: Partial<FakeTable> = {}): Promise<void> {
  const columns = more.columns ?? [ID, NOTE];
  await server.tables.create({ ...T, columns, primaryKey: ["id"], ...more });
  await server.tables.insert(
    T,
    Array.from({ length: rows }, (_, i) => [i + 1, `note ${i + 1}`]),
  );
}
afterEach(() => server.tables.drop(T));

async function run(more: Partial<Parameters<SyncBench["run"]>[0]> = {}) {
  const ran = await bench.run({ tables: [PATH], ...more });
  expect(server.failures).toEqual([]);
  expect(ran.error).toBeNull();
  return ran.progress.tables[0]!;
}

async function expectSame(): Promise<void> {
  const { rows } = await readRows(server, "SELECT id, note FROM orders ORDER BY id");
  expect(await bench.texts("SELECT id::VARCHAR, note FROM orders ORDER BY id")).toEqual(rows);
}

/** Inserts, updates and deletes that touch few of the rows. */
async function change(): Promise<void> {
  await server.tables.insert(T, [[1_001, "new ž"]]);
  await server.tables.update(T, "note = note || ' changed'", "id IN (3, 77)");
  await server.tables.update(T, "note = NULL", "id = 4");
  await server.tables.delete(T, "id IN (5, 6)");
}

describe("a merge from SQL Server by change tracking", () => {
  beforeEach(async () => {
    await create(100);
    await server.tables.track(T);
    // A version that has not moved since tracking began tells nothing.
    await server.tables.insert(T, [[500, "first"]]);
    expect((await run()).method).toMatch(/full read/);
    await expectSame();
  });

  it("reads the rows that the server names, and finds those that are gone", async () => {
    for (let round = 0; round < 3; round++) {
      if (round === 0) await change();
      if (round === 1) await server.tables.update(T, "id = 9000", "id = 8");
      const { method, rowsRead, notes } = await run();
      expect(method).toContain("rows that change tracking names");
      expect(rowsRead).toBeLessThan(10);
      expect(notes.join()).not.toContain("all of it is read");
      await expectSame();
    }
  });

  it("reads everything, and says so, once what it needs is cleaned up", async () => {
    await change();
    await server.tables.cleanUpChanges(T);
    const { method, notes } = await run();
    expect(method).toBe("full read");
    expect(notes).toContain(READ_ALL.trackingLapsed.note);
    await expectSame();
    await change2();
    expect((await run()).method).toContain("rows that change tracking names");
    await expectSame();
  });

  it("loses nothing that was written while tracking was off, or before a truncation", async () => {
    await server.tables.untrack(T);
    await change();
    await server.tables.track(T);
    expect((await run()).notes).toContain(READ_ALL.trackingRestarted.note);
    await expectSame();
    await server.tables.truncate(T);
    await server.tables.insert(T, [[1, "again"]]);
    expect((await run()).notes).toContain(READ_ALL.trackingRestarted.note);
    await expectSame();
  });

  it("is no merge after the database was restored", async () => {
    await change();
    await server.run(
      "UPDATE sys.database_recovery_status SET recovery_fork_guid = 'b0e5b0c6-0000-0000-0000-000000000000'",
    );
    expect((await run()).notes).toContain(READ_ALL.otherDatabase.note);
    await expectSame();
  });

  it("goes on by digests where tracking is turned off", async () => {
    await server.tables.untrack(T);
    await change();
    expect((await run()).method).toBe("full read");
    await change2();
    expect((await run()).method).toMatch(/ranges had changed/);
    await expectSame();
  });
});

const change2 = async (): Promise<void> => {
  await server.tables.update(T, "note = 'again'", "id = 10");
  await server.tables.delete(T, "id = 11");
};

describe("a merge from SQL Server by a rowversion", () => {
  beforeEach(async () => {
    await create(100, { columns: [ID, NOTE, { name: "version", type: "rowversion", nullable: false }] });
    await run();
    await expectSame();
  });

  it("reads the rows with a later one, and finds those that are gone", async () => {
    for (const act of [change, change2, () => Promise.resolve()]) {
      await act();
      const { method, rowsRead } = await run();
      expect(method).toContain("rows whose rowversion is later");
      expect(rowsRead).toBeLessThan(10);
      await expectSame();
    }
  });
});

describe("a merge from SQL Server by digests", () => {
  it("reads the ranges that changed", async () => {
    await create(200);
    await run();
    await expectSame();
    for (const act of [change, change2, () => Promise.resolve()]) {
      await act();
      const { method, rowsRead } = await run();
      expect(method).toMatch(/ranges had changed/);
      expect(rowsRead).toBeLessThan(150);
      await expectSame();
    }
  });

  it.each([
    ["nvarchar(50)", "'k' || i || 'ž'"],
    ["uniqueidentifier", "md5(i::VARCHAR)::UUID"],
    ["datetime2(6)", "TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (i * 100_000) MICROSECOND"],
    ["date", "DATE '2026-01-01' + i::INTEGER"],
    ["decimal(18,0)", "i * 10000000 - 500000000"],
    ["decimal(5,5)", "(i - 50) / 1000"],
    ["varbinary(10)", "encode('k' || i)"],
    ["bigint", "CASE i WHEN 0 THEN -9223372036854775808 WHEN 1 THEN 9223372036854775807 ELSE i * 1000003 END"],
  ])("agrees with the lake on keys of %s", async (type, value) => {
    await server.tables.create({ ...T, columns: [{ name: "id", type, nullable: false }, NOTE], primaryKey: ["id"] });
    await server.run(`INSERT INTO dbo.orders SELECT ${value}, 'note ' || i FROM range(100) AS r(i)`);
    const { notes } = await run();
    expect(notes).toEqual([]);
    await server.run("UPDATE dbo.orders SET note = 'changed' WHERE note = 'note 7'");
    await server.run("DELETE FROM dbo.orders WHERE note IN ('note 8', 'note 9')");
    const { method, notes: later } = await run();
    expect(later).toEqual([]);
    expect(method).toMatch(/ranges had changed/);
    expect(await bench.texts("SELECT note FROM orders ORDER BY note")).toEqual(
      (await readRows(server, "SELECT note FROM orders ORDER BY note")).rows,
    );
  });

  it("reads everything where the database keeps no snapshots, and says so", async () => {
    await create(20);
    await server.tables.allowSnapshots(false);
    try {
      await run();
      await change();
      const { method, notes } = await run();
      expect(method).toBe("full read");
      expect(notes).toContain(READ_ALL.withoutSnapshots.note);
      await expectSame();
    } finally {
      await server.tables.allowSnapshots(true);
    }
  });

  it("reads everything once columns have changed", async () => {
    await create(20);
    await run();
    await server.tables.alter(T, "ADD COLUMN more INTEGER", [ID, NOTE, { name: "more", type: "int" }]);
    expect((await run()).method).toBe("full read");
    expect(await bench.texts("SELECT count(*)::VARCHAR FROM orders WHERE more IS NULL")).toEqual([["20"]]);
  });
});

describe("a sync from SQL Server", () => {
  it("makes the lake the source whatever comes between runs, tracking turned on and off among it", async () => {
    const { tables } = server;
    let next = 100;
    const acts = [
      () => tables.insert(T, [[++next, "inserted"]]),
      () => tables.update(T, `note = 'updated ${++next}'`, "id % 7 = 3"),
      () => tables.delete(T, `id % 11 = ${++next % 11}`),
      () => tables.update(T, `id = ${++next}`, "id = (SELECT min(id) FROM dbo.orders)"),
      () => tables.truncate(T),
      () => tables.track(T),
      () => tables.untrack(T),
      () => tables.track(T).then(() => tables.cleanUpChanges(T)),
    ];
    await create(40);
    await tables.track(T);
    await run();
    const methods = new Set<string>();
    for (const some of fc.sample(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { seed: 13, numRuns: 30 })) {
      // Rows are written more often than tracking is touched.
      for (const pick of some) await acts[pick % 3 > 0 ? pick % 4 : pick % acts.length]!();
      methods.add((await run()).method?.replace(/.*: |\d+ of \d+ /g, "") ?? "");
      await expectSame();
    }
    expect([...methods].sort()).toEqual(["full read", "ranges had changed", "rows that change tracking names"]);
  });

  it("reads times that are finer than microseconds as texts, with all their digits", async () => {
    const time = "2026-01-31 10:00:00.1234567";
    const columns = [ID, { name: "moment", type: "datetime2(7)" }, { name: "note", type: "nvarchar(50)" }];
    await server.tables.create({ ...T, columns, primaryKey: ["id"] });
    await server.tables.insert(T, [
      [1, "2026-01-31 10:00:00.1234560", "a"],
      [2, time, "b"],
    ]);
    const { notes } = await run();
    expect(notes.join()).toContain("It can be read as varchar instead");
    expect(await bench.texts("SELECT moment::VARCHAR FROM orders ORDER BY id")).toEqual([
      ["2026-01-31 10:00:00.1234560"],
      [time],
    ]);
    await server.tables.update(T, "note = 'c'", "id = 1");
    expect((await run()).method).toMatch(/ranges had changed/);
    await expectSame();
  });

  it("commits nothing where its session is lost, and the next run has what came before and after", async () => {
    await create(60);
    await server.tables.track(T);
    await server.tables.insert(T, [[500, "first"]]);
    await run();
    await change();
    server.answerFault = { kind: "close", when: /CHANGETABLE/, afterRows: 1 };
    const failed = await bench.run({ tables: [PATH] });
    server.answerFault = undefined;
    expect(failed.error).not.toBeNull();
    await change2();
    expect((await run()).method).toContain("rows that change tracking names");
    await expectSame();
  });
});
