// `append` where numbers begin anew, where rows of the lake have changed, and without a cursor: no row that is read is
// lost without a word.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codesOf, only, openAppendSuite } from "../../support/node/sync/append-suite.ts";
import type { SyncBench } from "../../support/node/sync/test-sync.ts";

const { append, servers } = await openAppendSuite(`anew_${process.pid}`);
let bench: SyncBench;
afterEach(() => bench.close());

describe.each(Object.entries(servers))("append from %s", (_, { open, query, series }) => {
  beforeEach(async () => {
    bench = await open();
  });
  const insert = (table: string, from: number, upTo: number, what: string) =>
    query(`INSERT INTO ${table} SELECT seq, CONCAT('${what}', seq) FROM (${series(from, upTo)}) AS s`);
  const log = async (rows: number) => {
    await query("CREATE TABLE log (id bigint PRIMARY KEY, what varchar(200))");
    await insert("log", 1, rows, "r");
    await bench.run(append("log", "id"));
  };
  const inLake = (where = "true") =>
    bench.rows(`SELECT count(*) AS n, count(DISTINCT what) AS d FROM log WHERE ${where}`);

  it.each([1_000, 200_000])(
    "adds all rows of a table that was emptied and whose numbers began anew (%i)",
    async (rows) => {
      await log(rows);
      await query("TRUNCATE TABLE log");
      await insert("log", 1, 10, "z");
      const ran = await bench.run(append("log", "id"));
      expect(ran).toMatchObject({ outcome: "succeeded", error: null });
      expect(only(ran)).toMatchObject({ rowsRead: 10, rowsWritten: 10 });
      expect(codesOf(ran)).toEqual(["numbers_began_anew"]);
      expect(bench.platform.lines.join()).toContain("its numbers began anew");
      expect(await inLake()).toEqual([{ n: rows + 10, d: rows + 10 }]);
      const again = await bench.run(append("log", "id"));
      expect(only(again)).toMatchObject({ rowsWritten: 0, warnings: [] });
      await insert("log", 11, 12, "z");
      expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 2, warnings: [] });
      expect(await inLake("what LIKE 'z%'")).toEqual([{ n: 12, d: 12 }]);
    },
  );

  const day = "CAST(CONCAT('2026-01-', seq) AS date)";
  it.each([
    ["bigint", "seq", ", PRIMARY KEY (id)"],
    ["bigint", "seq", ""],
    ["decimal(12,2)", "seq + 0.25", ", PRIMARY KEY (id)"],
    ["date", day, ", PRIMARY KEY (id)"],
    ["timestamp", day, ", PRIMARY KEY (id)"],
    ["timestamp", day, ""],
  ])("adds what comes after numbers began anew, though the lake has its equal: %s, %s%s", async (type, id, key) => {
    await query(`CREATE TABLE kinds (id ${type} NOT NULL, kind varchar(20)${key})`);
    const kinds = (from: number, upTo: number, kind: string) =>
      query(`INSERT INTO kinds SELECT ${id}, '${kind}' FROM (${series(from, upTo)}) AS s`);
    await kinds(1, 20, "x");
    await bench.run(append("kinds", "id"));
    await query("TRUNCATE TABLE kinds");
    await kinds(1, 3, "y");
    expect(codesOf(await bench.run(append("kinds", "id")))).toEqual(["numbers_began_anew"]);
    await kinds(4, 6, "x");
    expect(only(await bench.run(append("kinds", "id")))).toMatchObject({ rowsWritten: 3, warnings: [] });
    await kinds(7, 8, "z");
    expect(only(await bench.run(append("kinds", "id")))).toMatchObject({ rowsWritten: 2, warnings: [] });
    expect(only(await bench.run(append("kinds", "id")))).toMatchObject({ rowsWritten: 0, warnings: [] });
    expect(await bench.rows("SELECT count(*) AS n FROM kinds")).toEqual([{ n: 28 }]);
  });

  it.each([", PRIMARY KEY (id)", ""])(
    "adds rows that are committed late after numbers began anew, though the lake has their equals (%s)",
    async (key) => {
      await query(`CREATE TABLE log (id bigint NOT NULL, what varchar(200)${key})`);
      await insert("log", 1, 20, "x");
      await bench.run(append("log", "id"));
      await query("TRUNCATE TABLE log");
      await query("INSERT INTO log VALUES (1, 'y1'), (5, 'y5')");
      expect(codesOf(await bench.run(append("log", "id")))).toEqual(["numbers_began_anew"]);
      await query("INSERT INTO log VALUES (2, 'x2'), (3, 'z3')");
      expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 2, warnings: [] });
      expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0, warnings: [] });
      await query("TRUNCATE TABLE log");
      await query("INSERT INTO log VALUES (1, 'x1')");
      const again = await bench.run(append("log", "id"));
      expect(codesOf(again)).toEqual(["numbers_began_anew"]);
      expect(only(again)).toMatchObject({ rowsWritten: 1 });
      expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0, warnings: [] });
    },
  );

  it("goes on from the cursor that the first version of the software kept", async () => {
    await log(100);
    for (const [state, text] of bench.platform.state) {
      const { version, runId, result, readAs, columnIdLast, fingerprint, cursor } = JSON.parse(text);
      const kept = { column: cursor.column, value: cursor.value };
      const first = { version, runId, result: { ...result, warnings: undefined }, readAs, columnIdLast, fingerprint };
      bench.platform.state.set(state, JSON.stringify({ ...first, cursor: kept, memory: null }));
    }
    await insert("log", 101, 102, "r");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ method: "new rows by id", rowsWritten: 2 });
    expect(await inLake()).toEqual([{ n: 102, d: 102 }]);
  });

  it("adds no row twice of a table that is emptied, and filled again with its rows while runs go on", async () => {
    await log(200_000);
    await query("TRUNCATE TABLE log");
    await insert("log", 1, 100_000, "r");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0, warnings: [] });
    await insert("log", 100_001, 200_001, "r");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 1, warnings: [] });
    expect(await inLake()).toEqual([{ n: 200_001, d: 200_001 }]);
  });

  it("says of rows whose key the lake has otherwise that they were not written, where the table was not emptied", async () => {
    await log(1_000);
    await query("DELETE FROM log WHERE id = 1000");
    await query("UPDATE log SET what = 'changed' WHERE id IN (3, 4)");
    const ran = await bench.run(append("log", "id"));
    expect(only(ran)).toMatchObject({ rowsWritten: 0 });
    expect(codesOf(ran)).toEqual(["rows_not_written"]);
    expect(only(ran).notes.join(" ")).toMatch(/^.*\b2 of the \d+ rows read were not written.*use `merge`/);
    expect(await inLake()).toEqual([{ n: 1_000, d: 1_000 }]);
  });

  it("says so where the table was emptied and filled beyond the last largest number", async () => {
    await log(100);
    await query("TRUNCATE TABLE log");
    await insert("log", 1, 120, "z");
    const ran = await bench.run(append("log", "id"));
    expect(only(ran)).toMatchObject({ rowsRead: 120, rowsWritten: 20 });
    expect(only(ran).warnings).toMatchObject([
      { code: "rows_not_written", text: expect.stringMatching(/^100 of the 120 rows.*run the sync in full/) },
    ]);
  });

  it("keeps the lake's rows of a table that was emptied, and adds what comes then", async () => {
    await log(100);
    await query("DELETE FROM log");
    const ran = await bench.run(append("log", "id"));
    expect(only(ran)).toMatchObject({ rowsRead: 0, rowsWritten: 0, warnings: [] });
    expect(only(ran).notes.join(" ")).toMatch(/largest id, 100, is gone at the source: it has no rows/);
    await bench.run(append("log", "id"));
    await insert("log", 5, 5, "z");
    const refilled = await bench.run(append("log", "id"));
    expect(only(refilled)).toMatchObject({ rowsRead: 1, rowsWritten: 1 });
    expect(codesOf(refilled)).toEqual(["numbers_began_anew"]);
    expect(await inLake("what = 'z5'")).toEqual([{ n: 1, d: 1 }]);
    await insert("log", 101, 102, "r");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 2 });
  });

  it("reads all rows, and says why, where the cursor's column is gone and another is picked", async () => {
    await query("CREATE TABLE log (id bigint PRIMARY KEY, what varchar(200), made int)");
    await query(`INSERT INTO log SELECT seq, CONCAT('r', seq), seq - 100 FROM (${series(101, 110)}) AS s`);
    await bench.run({ ...append("log"), cursorsPicked: { [append("log").tables[0]!]: "made" } });
    await query("ALTER TABLE log DROP COLUMN made");
    await insert("log", 111, 112, "r");
    const picked = { ...append("log"), cursorsPicked: { [append("log").tables[0]!]: "id" } };
    const ran = only(await bench.run(picked));
    expect(ran).toMatchObject({ rowsRead: 12, rowsWritten: 2, method: "new rows by id" });
    expect(ran.notes.join(" ")).toContain("Its cursor was made and is id now");
    expect(only(await bench.run(picked))).toMatchObject({ rowsWritten: 0 });
    expect(await inLake()).toEqual([{ n: 12, d: 12 }]);
  });

  it("takes no row for another because a column was added, and filled, or was dropped", async () => {
    await query("CREATE TABLE log (id bigint PRIMARY KEY, what varchar(200), gone int)");
    await query(`INSERT INTO log SELECT seq, CONCAT('r', seq), seq FROM (${series(1, 10)}) AS s`);
    await bench.run(append("log", "id"));
    await query("ALTER TABLE log ADD COLUMN more int DEFAULT 5");
    await query("ALTER TABLE log DROP COLUMN gone");
    await query("INSERT INTO log VALUES (11, 'r11', 6)");
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 1, warnings: [] });
    expect(only(await bench.run(append("log", "id")))).toMatchObject({ rowsWritten: 0, warnings: [] });
    await query("UPDATE log SET more = 7 WHERE id = 11");
    expect(codesOf(await bench.run(append("log", "id")))).toEqual(["rows_not_written"]);
  });

  it("adds rows of a plain key wherever their numbers are, without a cursor", async () => {
    await query("CREATE TABLE plain (id bigint PRIMARY KEY, what varchar(200))");
    await insert("plain", 100_000, 200_000, "r");
    expect(only(await bench.run(append("plain")))).toMatchObject({ rowsWritten: 100_001 });
    await query("INSERT INTO plain VALUES (7, 'late'), (300000, 'new')");
    await query("DELETE FROM plain WHERE id = 150000");
    expect(only(await bench.run(append("plain")))).toMatchObject({ method: "new rows by key", rowsWritten: 2 });
    await query("UPDATE plain SET what = 'changed' WHERE id = 7");
    expect(codesOf(await bench.run(append("plain")))).toEqual(["rows_not_written"]);
    expect(await bench.rows("SELECT count(*) AS n, count(DISTINCT id) AS d FROM plain")).toEqual([
      { n: 100_003, d: 100_003 },
    ]);
  });

  it("adds the rows of a table without any key that the lake lacks, and counts equal ones", async () => {
    await query("CREATE TABLE bare (v varchar(20), n int)");
    await query("INSERT INTO bare VALUES ('a', 1), ('a', 1), (NULL, 2)");
    expect(only(await bench.run(append("bare")))).toMatchObject({ rowsWritten: 3 });
    await query("INSERT INTO bare VALUES ('a', 1), (NULL, 2), ('b', NULL)");
    expect(only(await bench.run(append("bare")))).toMatchObject({ method: "new rows among all rows", rowsWritten: 3 });
    await query("DELETE FROM bare WHERE v = 'a'");
    expect(only(await bench.run(append("bare")))).toMatchObject({ rowsWritten: 0 });
    await query("ALTER TABLE bare ADD COLUMN more int DEFAULT 5");
    await query("INSERT INTO bare VALUES ('c', 3, 6), ('b', NULL, 6)");
    expect(only(await bench.run(append("bare")))).toMatchObject({ rowsWritten: 2 });
    expect(only(await bench.run(append("bare")))).toMatchObject({ rowsWritten: 0 });
    expect(await bench.rows("SELECT count(*) AS n FROM bare")).toEqual([{ n: 8 }]);
  });

  it.each([10, 180_000])("follows, by a merge with a cursor, a table whose numbers began anew (%i)", async (rows) => {
    await query("CREATE TABLE log (id bigint PRIMARY KEY, what varchar(200))");
    await insert("log", 1, 200_000, "r");
    const merge = { ...append("log", "id"), loadMethod: "merge" as const };
    await bench.run(merge);
    await query("TRUNCATE TABLE log");
    await insert("log", 1, rows, "z");
    expect(only(await bench.run(merge)).notes.join(" ")).toMatch(/largest id, 200000, is gone.*all of it is read/);
    expect(await inLake("what LIKE 'z%'")).toEqual([{ n: rows, d: rows }]);
    expect(await inLake()).toEqual([{ n: rows, d: rows }]);
    await insert("log", rows + 1, rows + 1, "z");
    expect(only(await bench.run(merge))).toMatchObject({ method: "rows changed by id", rowsWritten: 1 });
  });
});
