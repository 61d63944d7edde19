// What a later run reads of a PostgreSQL table: every row written since the watermark, whoever wrote it and however
// long it took.

import type pg from "pg";
import type { Changes } from "../../../../containers/engine/extract/changes/changes.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMPTY_CHECKSUM } from "../../../../containers/engine/extract/changes/key-checksum.ts";
import { READ_ALL, ReadAllInstead } from "../../../../containers/engine/extract/changes/read-all-reasons.ts";
import { extractInto } from "../../../../containers/engine/extract/extract-table.ts";
import {
  changedSince,
  findWritten,
  watermarkOf,
  type PostgresWatermark,
} from "../../../../containers/engine/sources/postgres/extraction/changed-rows.ts";
import type { PostgresTable } from "../../../../containers/engine/sources/postgres/extraction/describe-table.ts";
import type { PostgresSnapshot } from "../../../../containers/engine/sources/postgres/extraction/snapshot.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { ExtractionBench, never } from "../../../support/node/sources/extraction.ts";

const source = postgresSource(ownPostgres());
let bench: ExtractionBench;
let admin: pg.Client;
beforeAll(async () => {
  [bench, admin] = await Promise.all([ExtractionBench.open(), connectPostgres(ownPostgres())]);
  await admin.query("DROP SCHEMA IF EXISTS changes CASCADE; CREATE SCHEMA changes");
});
afterAll(async () => {
  await admin.query("DROP SCHEMA changes CASCADE");
  await admin.end();
  await bench.close();
});

type Run = { watermark: PostgresWatermark | undefined; changes: Changes; read: string[][]; keys: string[] };

const noSums = () => Promise.resolve(undefined);
const namedIn = async (
  position: PostgresSnapshot["position"],
  table: PostgresTable,
  mark: object,
  isLasting = true,
) => {
  const before = { kind: "mark" as const, mark, keys: EMPTY_CHECKSUM, wereKeysGone: false };
  const { changed } = await findWritten({ position, isLasting }, table, { before, isFirstRun: false }, noSums);
  return changed instanceof ReadAllInstead ? undefined : changed.named;
};

/**
 * A run as a merge makes it: the rows since `watermark`, all keys, and the watermark for the next. Rows that are named
 * beside the keys are those that are read without names.
 */
async function run(name: string, watermark?: PostgresWatermark, key = "id"): Promise<Run> {
  const snapshot = (await bench.snapshot(source)) as PostgresSnapshot;
  try {
    const table = await snapshot.describe({ schema: "changes", name }, never());
    const changes = changedSince(watermark, snapshot, table);
    const order = { snapshot, table, staging: bench.staging, signal: never() };
    await extractInto("changed", { ...order, ...("where" in changes ? { where: changes.where } : {}) });
    const named = watermark && (await namedIn(snapshot.position, table, watermark));
    await extractInto("all_keys", { ...order, only: [key], ...(named ? { beside: named.column } : {}) });
    const connection = await bench.staging.connect();
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as string[][];
    const read = await rows(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM changed ORDER BY ALL`);
    if (named) {
      const names = await rows(`SELECT "${named.column.name}" FROM all_keys WHERE "${named.column.name}" IS NOT NULL`);
      await extractInto("by_name", { ...order, where: named.where(names.flat()) });
      expect(await rows("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM by_name ORDER BY ALL")).toEqual(read);
      await connection.run("DROP TABLE by_name");
    }
    const keys = await rows(`SELECT CAST("${key}" AS VARCHAR) FROM all_keys ORDER BY 1`);
    await connection.run("DROP TABLE changed; DROP TABLE all_keys");
    connection.closeSync();
    // A watermark is kept as JSON between runs.
    return {
      watermark: JSON.parse(JSON.stringify(watermarkOf(snapshot, table) ?? null)) ?? undefined,
      changes,
      read,
      keys: keys.map(([only]) => only!),
    };
  } finally {
    await snapshot.close();
  }
}

describe("a later run", () => {
  it("reads what was inserted and updated since, and not the rest; what is gone is missing among the keys", async () => {
    await admin.query(
      "CREATE TABLE changes.plain (id int PRIMARY KEY, v text); INSERT INTO changes.plain SELECT i, 'first' FROM generate_series(1, 5) i",
    );
    const first = await run("plain");
    expect([first.changes, first.read.length]).toEqual([{ full: READ_ALL.noEarlierRun }, 5]);
    await admin.query(
      "INSERT INTO changes.plain VALUES (6, 'new'); UPDATE changes.plain SET v = 'again' WHERE id = 2; DELETE FROM changes.plain WHERE id = 3",
    );
    const second = await run("plain", first.watermark);
    expect(second.read).toEqual([
      ["2", "again"],
      ["6", "new"],
    ]);
    expect(second.keys).toEqual(["1", "2", "4", "5", "6"]);
    const third = await run("plain", second.watermark);
    expect(third.read).toEqual([]);
  });

  it("loses no row of a transaction that was open at the run before, its savepoints among them", async () => {
    await admin.query(
      "CREATE TABLE changes.slow (id int PRIMARY KEY, v text); INSERT INTO changes.slow VALUES (0, 'old')",
    );
    const writers = await Promise.all([1, 2].map(() => connectPostgres(ownPostgres())));
    try {
      const [slow, quick] = writers as [pg.Client, pg.Client];
      await slow.query(
        "BEGIN; INSERT INTO changes.slow VALUES (1, 'outer'); SAVEPOINT a; INSERT INTO changes.slow VALUES (2, 'inner'); SAVEPOINT b; UPDATE changes.slow SET v = 'touched' WHERE id = 0",
      );
      await quick.query("INSERT INTO changes.slow VALUES (3, 'quick')");
      const first = await run("slow");
      expect(first.keys).toEqual(["0", "3"]);
      await slow.query("INSERT INTO changes.slow VALUES (4, 'innermost'); RELEASE SAVEPOINT b");
      await quick.query("INSERT INTO changes.slow VALUES (5, 'between')");
      const second = await run("slow", first.watermark);
      expect(second.keys).toEqual(["0", "3", "5"]);
      await slow.query(
        "ROLLBACK TO SAVEPOINT a; INSERT INTO changes.slow VALUES (6, 'after a rollback'); SAVEPOINT c; INSERT INTO changes.slow VALUES (7, 'last'); COMMIT",
      );
      const third = await run("slow", second.watermark);
      expect(third.changes).toHaveProperty("where");
      expect(third.read.map(([id]) => id)).toEqual(expect.arrayContaining(["1", "6", "7"]));
      expect(third.keys).toEqual(["0", "1", "3", "5", "6", "7"]);
    } finally {
      await Promise.all(writers.map((writer) => writer.end()));
    }
  });

  it("equals the source after every run while writers commit in any order", async () => {
    await admin.query("CREATE TABLE changes.busy (id int PRIMARY KEY, v int)");
    const writers = await Promise.all([1, 2, 3, 4].map(() => connectPostgres(ownPostgres())));
    let seed = 7;
    const chance = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    const lake = new Map<string, string>();
    const open = writers.map(() => false);
    try {
      let watermark: PostgresWatermark | undefined;
      for (let round = 0; round < 12; round++) {
        for (let step = 0; step < 12; step++) {
          const i = chance(writers.length);
          const writer = writers[i]!;
          if (!open[i]) await writer.query("BEGIN");
          open[i] = true;
          // Each writer has keys of its own: none waits for another.
          const id = chance(20) * writers.length + i;
          const what = chance(5);
          if (what === 0) await writer.query("SAVEPOINT s");
          await writer.query(
            what === 1
              ? `DELETE FROM changes.busy WHERE id = ${id}`
              : `INSERT INTO changes.busy VALUES (${id}, ${chance(1000)}) ON CONFLICT (id) DO UPDATE SET v = excluded.v`,
          );
          if (chance(3) > 0) continue;
          await writer.query(chance(4) > 0 ? "COMMIT" : "ROLLBACK");
          open[i] = false;
        }
        const { rows } = await admin.query<{ id: number; v: number }>("SELECT id, v FROM changes.busy");
        const now = await run("busy", watermark);
        for (const [id, v] of now.read) lake.set(id!, v!);
        for (const id of [...lake.keys()]) if (!now.keys.includes(id)) lake.delete(id);
        expect(lake).toEqual(new Map(rows.map(({ id, v }) => [String(id), String(v)])));
        watermark = now.watermark;
      }
    } finally {
      await Promise.all(writers.map((writer) => writer.end()));
    }
  });

  it.each([
    [
      "was dropped and created",
      "DROP TABLE changes.T; CREATE TABLE changes.T (id int PRIMARY KEY, v text)",
      /dropped and created/,
    ],
    [
      "got a column with a default, which touches no row",
      "ALTER TABLE changes.T ADD COLUMN more int DEFAULT 5",
      /columns or partitions changed/,
    ],
    [
      "lost a column and got it again",
      "ALTER TABLE changes.T DROP COLUMN v; ALTER TABLE changes.T ADD COLUMN v text DEFAULT 'other'",
      /columns or partitions changed/,
    ],
  ])("reads all of a table that %s", async (_name, change, reason) => {
    const name = `altered_${Math.random().toString(36).slice(2)}`;
    await admin.query(
      `CREATE TABLE changes.${name} (id int PRIMARY KEY, v text); INSERT INTO changes.${name} VALUES (1, 'a')`,
    );
    const first = await run(name);
    await admin.query(change.replaceAll("T;", `${name};`).replaceAll("changes.T", `changes.${name}`));
    expect((await run(name, first.watermark)).changes).toMatchObject({
      full: { note: expect.stringMatching(reason) as string },
    });
  });

  it("reads all of a table whose enum was renamed in, and of one that got a partition whose rows are old", async () => {
    await admin.query(`
      CREATE TYPE changes.mood AS ENUM ('sad', 'glad'); CREATE TABLE changes.moods (id int PRIMARY KEY, m changes.mood); INSERT INTO changes.moods VALUES (1, 'sad');
      CREATE TABLE changes.whole (id int) PARTITION BY RANGE (id); CREATE TABLE changes.low PARTITION OF changes.whole FOR VALUES FROM (0) TO (10); CREATE TABLE changes.high (id int); INSERT INTO changes.high VALUES (11)`);
    const [moods, whole] = [await run("moods"), await run("whole")];
    await admin.query(
      "ALTER TYPE changes.mood RENAME VALUE 'sad' TO 'blue'; ALTER TABLE changes.whole ATTACH PARTITION changes.high FOR VALUES FROM (10) TO (20)",
    );
    expect((await run("moods", moods.watermark)).read).toEqual([["1", "blue"]]);
    expect((await run("whole", whole.watermark)).read).toEqual([["11"]]);
  });

  it("reads all of views, foreign tables, and tables of which row security shows a part", async () => {
    await admin.query(
      "CREATE VIEW changes.seen AS SELECT 1 AS id; CREATE TABLE changes.secured (id int); ALTER TABLE changes.secured ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
    );
    const view = await run("seen");
    expect([view.watermark, view.changes]).toEqual([
      undefined,
      { full: READ_ALL.untracked("It is a view, whose rows carry no transaction.") },
    ]);
    await admin.query(
      "DROP ROLE IF EXISTS changes_reader; CREATE ROLE changes_reader LOGIN PASSWORD 'pass'; GRANT USAGE ON SCHEMA changes TO changes_reader; GRANT SELECT ON changes.secured TO changes_reader",
    );
    const snapshot = (await bench.snapshot(
      postgresSource(ownPostgres(), { username: "changes_reader", password: "pass" }),
    )) as PostgresSnapshot;
    const table = await snapshot.describe({ schema: "changes", name: "secured" }, never());
    expect(watermarkOf(snapshot, table)).toBeUndefined();
    await snapshot.close();
    await admin.query("DROP OWNED BY changes_reader; DROP ROLE changes_reader");
  });
});

describe("rows that were written", () => {
  const names = async (name: string, isLasting = true) => {
    const snapshot = (await bench.snapshot(source)) as PostgresSnapshot;
    const table = await snapshot.describe({ schema: "changes", name }, never());
    const mark = watermarkOf(snapshot, table)!;
    await snapshot.close();
    return namedIn(snapshot.position, table, mark, isLasting);
  };

  it("are named where all lie in one table, are read of one snapshot, and no column is called as names are", async () => {
    await admin.query(`
      CREATE TABLE changes.clashing ("FJORD place" int PRIMARY KEY);
      CREATE TABLE changes.single (id int PRIMARY KEY);
      CREATE TABLE changes.parted (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE changes.part_1 PARTITION OF changes.parted FOR VALUES FROM (0) TO (10);
      CREATE TABLE changes.part_2 PARTITION OF changes.parted FOR VALUES FROM (10) TO (20)`);
    expect(await names("single")).toBeDefined();
    expect(await names("single", false)).toBeUndefined();
    expect(await names("parted")).toBeUndefined();
    expect(await names("clashing")).toBeUndefined();
  });

  it("have no name that would end the statement which reads them", async () => {
    const named = await names("single");
    expect(() => named!.where(["(0,1)", "}'::tid[]) OR (true"])).toThrow(/place/);
  });
});

describe("a snapshot", () => {
  it("leaves no session where nothing is read, though one is opened ahead", async () => {
    const sessions = async () =>
      (await admin.query("SELECT FROM pg_stat_activity WHERE application_name = 'fjord extract'")).rowCount;
    const snapshot = await bench.snapshot(source);
    await expect.poll(sessions, { timeout: 60_000 }).toBe(2);
    await snapshot.close();
    await expect.poll(sessions, { timeout: 10_000 }).toBe(0);
  });
});

describe("a watermark", () => {
  const position = {
    systemIdentifier: "1",
    timeline: "1",
    database: "5",
    lsn: "1000",
    oldestRunning: "8589934700",
    next: "8589934800",
  };
  const table = { oid: 9, fingerprint: "f" } as Parameters<typeof changedSince>[2];
  const watermark: PostgresWatermark = { moment: position, oid: 9, fingerprint: "f" };
  const later = (changes: Partial<typeof position>) =>
    changedSince(watermark, { position: { ...position, ...changes } }, table);

  it("is compared by the 32 bits that rows carry, epochs on", () =>
    expect(later({ next: "8589935000" })).toEqual({
      where: "pg_catalog.age(xmin) <= pg_catalog.age('108'::pg_catalog.xid)",
    }));

  it.each([
    ["another cluster", { systemIdentifier: "2" }, /another database/],
    ["another database", { database: "6" }, /another database/],
    ["another line of history", { timeline: "2" }, /restored/],
    ["a server set back in its log", { lsn: "999" }, /lies behind/],
    ["a server set back in its transactions", { next: "8589934699" }, /lies behind/],
    ["too many transactions", { next: String(8_589_934_700 + 2 ** 31) }, /More transactions/],
  ])("does not count for %s", (_name, changes, reason) =>
    expect(later(changes)).toMatchObject({ full: { note: expect.stringMatching(reason) as string } }),
  );
});
