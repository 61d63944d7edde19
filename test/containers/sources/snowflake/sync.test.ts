// Syncs of Snowflake by the real job, against the fake: digests and change tracking, lapsed marks, keys that are
// doubled.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SNOWFLAKE, withFakeSnowflake } from "../../../support/node/sources/snowflake/with-fake.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";

const fake = withFakeSnowflake();
const ROWS = 5_000;
/** Rows of a range, so that there are many of a small table. */
const RANGE_ROWS = 100;

let bench: SyncBench;
beforeEach(async () => {
  bench = await SyncBench.open(SNOWFLAKE, RANGE_ROWS);
});
afterEach(() => bench.close());

let tables = 0;

/** A table of {@link ROWS} rows with a key of whole numbers; answers its name. */
async function createOrders(
  columns = "id NUMBER(38,0) PRIMARY KEY, name VARCHAR(100), total NUMBER(12,2)",
): Promise<string> {
  const name = `ORDERS_${++tables}`;
  await execute(`CREATE TABLE ${name} (${columns})`);
  await execute(`INSERT INTO ${name} SELECT range, 'name ' || range, range / 4 FROM range(${ROWS})`);
  return name;
}

const execute = (sql: string) => fake().database.execute(sql);

const run = (name: string): Promise<Ran> => bench.run({ tables: [`public.${name}`], loadMethod: "merge" });

/** Expects that the lake has the source's rows, by their texts. */
async function expectEqual(name: string, columns = "id, name, total"): Promise<void> {
  const { history } = fake().database;
  const source = await history.rows(`SELECT ${columns} FROM ${name} ORDER BY ALL`);
  const lake = await bench.texts(`SELECT COLUMNS(*)::VARCHAR FROM (SELECT ${columns} FROM ${name}) ORDER BY ALL`);
  expect(lake).toHaveLength(source.length);
  expect(lake.map(String).sort()).toEqual(source.map(String).sort());
}

describe("a merge without change tracking", () => {
  it("reads the ranges alone whose digests differ, and comes to the source's rows", async () => {
    const name = await createOrders();
    expect((await run(name)).table(`PUBLIC.${name}`)).toMatchObject({ rowsRead: ROWS, notes: [] });
    await expectEqual(name);
    await execute(`UPDATE ${name} SET name = 'it''s \\\\ new', total = NULL WHERE id = 17`);
    await execute(`DELETE FROM ${name} WHERE id IN (18, 4000)`);
    await execute(`INSERT INTO ${name} VALUES (-3, 'below', 0.01), (5100, NULL, -1.50)`);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect(second.method).toMatch(/ranges had changed/);
    expect(second.rowsRead).toBeLessThan(ROWS / 5);
    await expectEqual(name);
    const third = (await run(name)).table(`PUBLIC.${name}`);
    expect([third.method, third.rowsRead]).toEqual([expect.stringMatching(/^0 of \d+ ranges/), 0]);
  });

  it.each([
    ["VARCHAR(40)", "'k ''\u00e9\\\\ ' || range"],
    ["DATE", "DATE '1969-01-01' + CAST(range AS INT4)"],
    ["TIMESTAMP_NTZ", "TIMESTAMP '1969-12-31 23:00:00.5' + to_seconds(range)"],
    ["TIMESTAMP_TZ", "TIMESTAMPTZ '1969-12-31 23:00:00.25+00' + to_seconds(range)"],
    ["NUMBER(10,2)", "range / 4 - 7"],
    ["NUMBER(9,0)", "range - 2500"],
    ["BINARY", "encode('b' || range)"],
  ])("finds changes of a table whose key is %s", async (type, value) => {
    const name = `KEYED_${++tables}`;
    await execute(`CREATE TABLE ${name} (k ${type} PRIMARY KEY, v NUMBER(38,0))`);
    await execute(`INSERT INTO ${name} SELECT ${value}, range FROM range(${ROWS})`);
    await run(name);
    await execute(`DELETE FROM ${name} WHERE v = 1234`);
    await execute(`UPDATE ${name} SET v = -1 WHERE v = 77`);
    const table = (await run(name)).table(`PUBLIC.${name}`);
    expect(table.method).toMatch(/ranges had changed/);
    expect(table.notes).toEqual([]);
    expect(await bench.texts(`SELECT count(*)::INT, min(v)::INT, sum(v)::INT FROM ${name}`)).toEqual([
      [ROWS - 1, -1, (ROWS * (ROWS - 1)) / 2 - 1234 - 78],
    ]);
  });

  it("reads all of a table whose key is there twice, and says so", async () => {
    const name = `DOUBLES_${++tables}`;
    await execute(`CREATE TABLE ${name} (id NUMBER(38,0), name VARCHAR(100), total NUMBER(12,2))`);
    await execute(`INSERT INTO ${name} SELECT range, 'name ' || range, 1 FROM range(${ROWS})`);
    await fake().database.history.declareKey("PUBLIC", name, ["ID"]);
    await run(name);
    await execute(`INSERT INTO ${name} VALUES (7, 'again', 2)`);
    const table = (await run(name)).table(`PUBLIC.${name}`);
    expect(table.notes.join(" ")).toMatch(/All of it is read|all of it is read/);
    await expectEqual(name);
    await execute(`UPDATE ${name} SET name = 'third' WHERE id = 7`);
    await run(name);
    await expectEqual(name);
  });

  it("reads a table as a whole that Snowflake can't hash, and one without retention, and says why", async () => {
    const [unhashed, unkept] = [await createOrders(), await createOrders()];
    await fake().database.history.forget("PUBLIC", unkept);
    await run(unhashed);
    await run(unkept);
    const macro = (body: string) =>
      fake().database.executeDuckdb(`CREATE OR REPLACE MACRO "DB"."PUBLIC".SHA2(A, B) AS ${body}`);
    await macro("CAST(CAST('no room for it' AS DECIMAL(3, 0)) AS VARCHAR)");
    await execute(`UPDATE ${unhashed} SET name = 'x' WHERE id = 1`);
    const table = (await run(unhashed)).table(`PUBLIC.${unhashed}`);
    await macro("sha256(A)");
    expect([table.rowsRead, table.notes.join(" ")]).toEqual([ROWS, expect.stringContaining("no room for it")]);
    await expectEqual(unhashed);
    await execute(`UPDATE ${unkept} SET name = 'x' WHERE id = 1`);
    const again = (await run(unkept)).table(`PUBLIC.${unkept}`);
    expect([again.rowsRead, again.notes.join(" ")]).toEqual([ROWS, expect.stringContaining("its retention is 0 days")]);
    expect(fake().statementsSeen.some((sql) => sql.includes(`"${unkept}" AT(`))).toBe(false);
    await expectEqual(unkept);
  });

  it("goes by no cursor where a key is there twice", async () => {
    const name = `CURSED_${++tables}`;
    await execute(`CREATE TABLE ${name} (id NUMBER(38,0), name VARCHAR(100), total NUMBER(12,2))`);
    await execute(`INSERT INTO ${name} SELECT range, 'name ' || range, range FROM range(100)`);
    await fake().database.history.declareKey("PUBLIC", name, ["ID"]);
    const more = { tables: [`public.${name}`], loadMethod: "merge" as const, cursors: { [`PUBLIC.${name}`]: "TOTAL" } };
    await bench.run(more);
    await execute(`INSERT INTO ${name} VALUES (100, 'new', 100)`);
    expect((await bench.run(more)).table(`PUBLIC.${name}`).method).toBe("rows changed by TOTAL");
    await execute(`INSERT INTO ${name} VALUES (3, 'again', 101)`);
    const table = (await bench.run(more)).table(`PUBLIC.${name}`);
    expect(table.notes.join(" ")).toContain("all of it is read");
    await expectEqual(name);
  });

  it("reads a table as a whole that can't be read as it was, each time, and says so", async () => {
    const name = await createOrders();
    for (const rows of [ROWS, ROWS + 1]) {
      if (rows > ROWS) await execute(`INSERT INTO ${name} VALUES (${ROWS}, 'new', 1)`);
      fake().database.history.lapse("PUBLIC", name, false);
      const table = (await run(name)).table(`PUBLIC.${name}`);
      expect(table.rowsRead).toBe(rows);
      expect(table.notes.join(" ")).toContain("can't be read as of an earlier moment");
    }
  });
});

describe("a merge with change tracking", () => {
  async function createTracked(): Promise<string> {
    const name = await createOrders();
    await fake().database.history.track("PUBLIC", name);
    await run(name);
    return name;
  }

  it("reads the rows that tracking names, and comes to the source's rows", async () => {
    const name = await createTracked();
    await execute(`UPDATE ${name} SET name = 'changed' WHERE id BETWEEN 10 AND 12`);
    await execute(`DELETE FROM ${name} WHERE id = 13`);
    await execute(`INSERT INTO ${name} VALUES (${ROWS}, 'new', 1.25)`);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect([second.method, second.rowsRead, second.notes]).toEqual(["rows that change tracking named", 4, []]);
    await expectEqual(name);
    const third = (await run(name)).table(`PUBLIC.${name}`);
    expect(third).toMatchObject({ method: "rows that change tracking named", notes: [] });
    expect(third.rowsRead).toBeLessThanOrEqual(4);
    await expectEqual(name);
  });

  it("reads rows that changed shortly before a run, and back behind it, for which tracking nets nothing", async () => {
    const name = await createOrders();
    await fake().database.history.track("PUBLIC", name);
    fake().database.history.age("PUBLIC", name);
    await execute(`UPDATE ${name} SET name = name || '!' WHERE id = 10`);
    await run(name);
    await execute(`UPDATE ${name} SET name = replace(name, '!', '') WHERE id = 10`);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect([second.method, second.rowsRead]).toEqual(["rows that change tracking named", 1]);
    await expectEqual(name);
  });

  it("reads all where tracking no longer reaches back to the last run, and says so", async () => {
    const name = await createTracked();
    await execute(`UPDATE ${name} SET name = 'changed' WHERE id = 10`);
    fake().database.history.lapse("PUBLIC", name);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect(second.rowsRead).toBe(ROWS);
    expect(second.notes.join(" ")).toContain("does not reach back to the last run");
    await expectEqual(name);
    await execute(`UPDATE ${name} SET name = 'again' WHERE id = 11`);
    expect((await run(name)).table(`PUBLIC.${name}`)).toMatchObject({ rowsRead: 1, notes: [] });
    await expectEqual(name);
  });

  it("reads all where the table was dropped and created since, and says so", async () => {
    const name = await createTracked();
    await execute(`DROP TABLE ${name}`);
    await execute(`CREATE TABLE ${name} (id NUMBER(38,0) PRIMARY KEY, name VARCHAR(100), total NUMBER(12,2))`);
    await execute(`INSERT INTO ${name} SELECT range * 2, 'other', 0 FROM range(${ROWS})`);
    await fake().database.history.track("PUBLIC", name);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect(second.notes.join(" ")).toContain("dropped and created since");
    await expectEqual(name);
  });

  it("reads all where a column was added, and where its name changed", async () => {
    const name = await createTracked();
    await execute(`ALTER TABLE ${name} ADD COLUMN extra VARCHAR(10)`);
    await execute(`UPDATE ${name} SET extra = 'x'`);
    expect((await run(name)).table(`PUBLIC.${name}`).rowsRead).toBe(ROWS);
    await expectEqual(name, "id, name, total, extra");
    await execute(`ALTER TABLE ${name} RENAME COLUMN extra TO other`);
    expect((await run(name)).table(`PUBLIC.${name}`).rowsRead).toBe(ROWS);
    await expectEqual(name, "id, name, total, other");
  });

  it("reads all where a column was dropped and one of its name and type was added, which changes no row", async () => {
    const name = await createTracked();
    await execute(`ALTER TABLE ${name} DROP COLUMN total`);
    await execute(`ALTER TABLE ${name} ADD COLUMN total NUMBER(12,2) DEFAULT 7`);
    const second = (await run(name)).table(`PUBLIC.${name}`);
    expect([second.rowsRead, second.notes.join(" ")]).toEqual([ROWS, expect.stringContaining("columns changed")]);
    await expectEqual(name);
  });

  it("takes tracking up once it is on, and digests once it is off", async () => {
    const name = await createOrders();
    await run(name);
    await fake().database.history.track("PUBLIC", name);
    expect((await run(name)).table(`PUBLIC.${name}`).rowsRead).toBe(ROWS);
    await execute(`UPDATE ${name} SET name = 'changed' WHERE id = 10`);
    expect((await run(name)).table(`PUBLIC.${name}`)).toMatchObject({ rowsRead: 1 });
    await expectEqual(name);
    await fake().database.history.untrack("PUBLIC", name);
    await execute(`UPDATE ${name} SET name = 'unseen' WHERE id = 20`);
    await run(name);
    await expectEqual(name);
    await execute(`UPDATE ${name} SET name = 'seen' WHERE id = 30`);
    expect((await run(name)).table(`PUBLIC.${name}`).method).toMatch(/ranges had changed/);
    await expectEqual(name);
  });

  it("reads all where a key came twice", async () => {
    const name = `TRACKED_DOUBLES_${++tables}`;
    await execute(`CREATE TABLE ${name} (id NUMBER(38,0), name VARCHAR(100), total NUMBER(12,2))`);
    await execute(`INSERT INTO ${name} SELECT range, 'name ' || range, 1 FROM range(${ROWS})`);
    await fake().database.history.declareKey("PUBLIC", name, ["ID"]);
    await fake().database.history.track("PUBLIC", name);
    await run(name);
    await execute(`INSERT INTO ${name} VALUES (7, 'again', 2)`);
    expect((await run(name)).table(`PUBLIC.${name}`).notes.join(" ")).toMatch(/[Aa]ll of it is read/);
    await expectEqual(name);
  });
});

describe("tables of one run", () => {
  it("are read as of the moment at which it began, whatever is written meanwhile", async () => {
    const [first, second] = [await createOrders(), await createOrders()];
    const started = bench.start({ tables: [`public.${first}`, `public.${second}`], loadMethod: "overwrite" });
    await expect
      .poll(() => fake().statementsSeen.some((sql) => sql.includes("SYSDATE")), { interval: 5, timeout: 20_000 })
      .toBe(true);
    await expect.poll(() => fake().statementsSeen.some((sql) => sql.includes("LIMIT 0")), { interval: 1 }).toBe(true);
    await execute(`UPDATE ${first} SET name = 'later'`);
    await execute(`DELETE FROM ${second}`);
    await bench.ended(started);
    expect(await bench.texts(`SELECT count(*)::INT, count(*) FILTER (name = 'later')::INT FROM ${first}`)).toEqual([
      [ROWS, 0],
    ]);
    expect(await bench.texts(`SELECT count(*)::INT FROM ${second}`)).toEqual([[ROWS]]);
  });

  it("append from a little below the cursor, by numbers, dates and instants", async () => {
    for (const [type, value] of [
      ["NUMBER(38,0)", "range"],
      ["DATE", "DATE '2026-01-01' + CAST(range AS INT4)"],
      ["TIMESTAMP_TZ", "TIMESTAMPTZ '2026-01-01 00:00:00.5+00' + to_hours(range)"],
      ["TIMESTAMP_NTZ", "TIMESTAMP '2026-01-01 00:00:00.5' + to_hours(range)"],
    ]) {
      const name = `APPENDED_${++tables}`;
      await execute(`CREATE TABLE ${name} (id NUMBER(38,0) PRIMARY KEY, seen ${type})`);
      await execute(`INSERT INTO ${name} SELECT range, ${value} FROM range(1000)`);
      const more = {
        tables: [`public.${name}`],
        loadMethod: "append" as const,
        cursors: { [`PUBLIC.${name}`]: "SEEN" },
      };
      await bench.run(more);
      await execute(`INSERT INTO ${name} SELECT range, ${value} FROM range(1000, 1010)`);
      expect((await bench.run(more)).table(`PUBLIC.${name}`).method).toBe("new rows by SEEN");
      expect(await bench.texts(`SELECT count(*)::INT, count(DISTINCT id)::INT FROM ${name}`)).toEqual([[1010, 1010]]);
    }
  });
});
