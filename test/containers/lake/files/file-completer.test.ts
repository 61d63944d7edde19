// Files that statements keep reading come whole without their asking, and never in a statement's way.

import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { QueryProcess } from "../../../../containers/engine/lake/process/query-process.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

const ROWS = 120_000;
const COLUMNS = [
  column(1, "id", "int64"),
  column(2, "a", "varchar"),
  column(3, "b", "varchar"),
  column(4, "c", "varchar"),
];
/** Adds a table of one file, nine tenths of which a statement that reads `id` alone does not need. */
const addTable = async (lake: TestLake, name: string): Promise<string> => {
  const text = (n: number): string => `md5((range * 7 + ${n})::VARCHAR)`;
  const path = await lake.write(
    `${name}.parquet`,
    `SELECT range AS id, ${text(1)} AS a, ${text(2)} AS b, ${text(3)} AS c FROM range(${ROWS})`,
    "id: 1, a: 2, b: 3, c: 4",
    ", COMPRESSION zstd, ROW_GROUP_SIZE 20480",
  );
  lake.platform.addTable("main", name, COLUMNS, [{ path }]);
  return path;
};

let lake: TestLake;
let texts = 0;
const sumOf = async (table: string, on = lake): Promise<void> => {
  const [row] = await on.rows(`SELECT sum(id) AS s FROM ${table} WHERE id > ${-++texts}`);
  expect(row).toEqual({ s: (ROWS * (ROWS - 1)) / 2 });
};
const sizeOf = (path: string, on = lake): number => statSync(join(on.platform.directory, path)).size;
/** Bytes of the cache's disk that a table's file takes, in blocks. */
const heldOf = (on = lake): number => {
  const folder = join(on.directory, "cache", "files", "lake-1");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
};
/** Ranges of objects that are asked for, by path. */
const gets = (on = lake): Array<{ path: string; bytes: number }> => {
  const asked: Array<{ path: string; bytes: number }> = [];
  on.platform.onGet = (path, start, end) => void asked.push({ path, bytes: end - start });
  return asked;
};
/** Whether a statement that reads all of a table fetches nothing for it. */
const isWhole = async (table: string, on = lake): Promise<boolean> => {
  const probes = vi.spyOn(QueryProcess.prototype, "probe");
  const before = on.platform.bytesRead;
  await on.rows(`SELECT count(a || b || c) AS n, ${++texts} AS text FROM ${table} WHERE id >= 0`);
  const isQuiet = on.platform.bytesRead === before && probes.mock.calls.length === 0;
  probes.mockRestore();
  return isQuiet;
};

beforeAll(async () => {
  lake = await TestLake.open();
});
afterAll(() => lake.close());
afterEach(() => {
  lake.platform.onGet = undefined;
  vi.restoreAllMocks();
});

/** Until so many of a file's bytes were read in all. */
const untilRead = (asked: ReadonlyArray<{ path: string; bytes: number }>, path: string, bytes: number) =>
  vi.waitFor(
    () =>
      expect(asked.reduce((sum, each) => sum + (each.path === path ? each.bytes : 0), 0)).toBeGreaterThanOrEqual(bytes),
    { timeout: 20_000, interval: 20 },
  );

const untilWhole = (table: string) =>
  vi.waitFor(async () => expect(await isWhole(table)).toBe(true), { timeout: 20_000 });

describe("a file that three statements read in part", () => {
  it("comes whole, too, while it is read all the time", async () => {
    await addTable(lake, "busy");
    const probes = vi.spyOn(QueryProcess.prototype, "probe");
    const until = performance.now() + 20_000;
    for (let asked = -1; asked < probes.mock.calls.length && performance.now() < until; ) {
      asked = probes.mock.calls.length;
      await sumOf("busy");
    }
    probes.mockRestore();
    expect(await isWhole("busy")).toBe(true);
  });

  it("comes whole, in short ranges one after the other, each byte once, and is then opened without a look", async () => {
    const path = await addTable(lake, "often");
    const rare = await addTable(lake, "rarely");
    let underWay = 0;
    let most = 0;
    const asked: Array<{ path: string; bytes: number }> = [];
    await sumOf("rarely");
    await sumOf("rarely");
    for (let i = 0; i < 3; i++) await sumOf("often");
    const read = lake.platform.bytesRead;
    lake.platform.onGet = async (file, start, end) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      asked.push({ path: file, bytes: end - start });
    };
    const rest = await lake.chunkBytes(path, ["a", "b", "c"]);
    await untilRead(asked, path, rest);
    expect(asked.map(({ path }) => path)).not.toContain(rare);
    expect(most).toBe(1);
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...asked.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1.08 * 4 * 1024 * 1024);
    expect(lake.platform.bytesRead - read).toBeLessThanOrEqual(1.05 * rest);
    await untilWhole("often");
    expect(await isWhole("rarely")).toBe(false);
    // Whatever is asked, the database is the same, so that it is there already.
    const keys = new Set<unknown>();
    const run = QueryProcess.prototype.run;
    vi.spyOn(QueryProcess.prototype, "run").mockImplementation(function (this: QueryProcess, order, ...rest) {
      keys.add(order.key);
      return run.call(this, order, ...rest);
    });
    await sumOf("often");
    await lake.rows("SELECT max(b) AS m FROM often LIMIT 3");
    await lake.rows("SELECT a FROM often WHERE id = 5");
    expect(keys.size).toBe(1);
  });

  it("gives the line to a statement that fetches, which never waits for it", async () => {
    const path = await addTable(lake, "slow");
    const other = await addTable(lake, "urgent");
    for (let i = 0; i < 3; i++) await sumOf("slow");
    // The store never answers what is asked of this file, until the statements are done.
    let isStuck = true;
    let stuck = 0;
    lake.platform.onGet = (file) =>
      file === path && isStuck ? ++stuck && new Promise<void>(() => undefined) : undefined;
    await vi.waitFor(() => expect(stuck).toBe(1), { timeout: 20_000 });
    await sumOf("urgent");
    expect(stuck).toBe(1);
    // It begins anew once nobody fetches, and a statement that wants what is under way fetches that itself.
    await vi.waitFor(() => expect(stuck).toBe(2), { timeout: 20_000 });
    isStuck = false;
    expect(await lake.rows("SELECT count(DISTINCT a) AS n FROM slow")).toEqual([{ n: ROWS }]);
    await untilWhole("slow");
    expect(await isWhole("urgent")).toBe(false);
    expect(sizeOf(other)).toBeGreaterThan(0);
  });

  it("stays of use where the store refuses the rest, and is asked for again after three more", async () => {
    const path = await addTable(lake, "refused");
    for (let i = 0; i < 3; i++) await sumOf("refused");
    let refused = 0;
    // A connection that breaks off in the middle, again and again.
    lake.platform.onGet = (file, start, end) => {
      if (file !== path) return undefined;
      refused++;
      return Math.floor((end - start) / 2);
    };
    await vi.waitFor(() => expect(refused).toBe(4), { timeout: 20_000 });
    lake.platform.onGet = undefined;
    await sumOf("refused");
    expect(await lake.rows("SELECT count(DISTINCT b) AS n FROM refused")).toEqual([{ n: ROWS }]);
    const asked = gets();
    await sumOf("refused");
    await sumOf("refused");
    await untilWhole("refused");
    expect(asked.length).toBeGreaterThan(0);
  });

  it("stays as it is where it is another object now, for statements that need no more of it", async () => {
    const path = await addTable(lake, "replaced");
    for (let i = 0; i < 3; i++) await sumOf("replaced");
    utimesSync(join(lake.platform.directory, path), new Date(), new Date(Date.now() - 1_000_000));
    const asked = gets();
    const before = lake.platform.calls.get ?? 0;
    await vi.waitFor(() => expect(lake.platform.calls.get! - before).toBe(1), { timeout: 20_000 });
    await sumOf("replaced");
    // The store has said no before it would send anything.
    expect(asked).toEqual([]);
  });
});

describe("a statement that met a part which came while it ran", () => {
  it("runs again on the whole file", async () => {
    const path = await addTable(lake, "raced");
    await sumOf("raced");
    await sumOf("raced");
    const asked = gets();
    // The planner says that it needs no other column than those before.
    const scan = { catalog: "LAKE", schema: "main", table: "raced", columns: [0] };
    const misjudged = { ...scan, predicate: [[]], skipping: [], rowsMax: null };
    vi.spyOn(QueryProcess.prototype, "probe").mockResolvedValueOnce([misjudged]);
    const run = QueryProcess.prototype.run;
    const runs = vi.spyOn(QueryProcess.prototype, "run").mockImplementationOnce(async function (
      this: QueryProcess,
      ...order
    ) {
      try {
        return await run.apply(this, order);
      } catch (error) {
        await sumOf("raced");
        await untilRead(asked, path, await lake.chunkBytes(path, ["a", "b", "c"]));
        await untilWhole("raced");
        runs.mockClear();
        throw error;
      }
    });
    expect(await lake.rows("SELECT count(DISTINCT c) AS n FROM raced")).toEqual([{ n: ROWS }]);
    expect(runs).toHaveBeenCalledTimes(1);
  });
});

describe("the space for files that come whole", () => {
  const LITTLE = [column(1, "id", "int64"), column(2, "a", "varchar")];
  /** Reads a table in part, and then another that does fit, which says when the queue has come to its end. */
  const readInTurn = async (small: TestLake, table: string) => {
    const asked = gets(small);
    for (let i = 0; i < 6; i++) await sumOf(table, small);
    const select = "SELECT range AS id, md5(range::VARCHAR) AS a FROM range(50000)";
    const path = await small.write("little.parquet", select, "id: 1, a: 2");
    small.platform.addTable("main", "little", LITTLE, [{ path }]);
    for (let i = 0; i < 3; i++) await small.rows(`SELECT max(id) AS m FROM little WHERE id > ${i}`);
    await untilRead(asked, path, await small.chunkBytes(path, ["id", "a"]));
    const own = asked.filter(({ path }) => path === `${table}.parquet`);
    return own.reduce((sum, { bytes }) => sum + bytes, 0);
  };

  it("is never that of what statements have used", async () => {
    const cacheBytesMax = 9_000_000;
    const small = await TestLake.open({ cacheBytesMax });
    try {
      await addTable(small, "used");
      const size = sizeOf(await addTable(small, "late"), small);
      const read = "SELECT count(a || b) AS n FROM used WHERE id >= 0";
      await small.rows(read);
      expect(size + heldOf(small)).toBeGreaterThan(cacheBytesMax);
      expect(await readInTurn(small, "late")).toBeLessThan(size / 5);
      const before = small.platform.bytesRead;
      await small.rows(read);
      expect(small.platform.bytesRead).toBe(before);
      expect(heldOf(small)).toBeLessThan(cacheBytesMax);
    } finally {
      await small.close();
    }
  });

  it("is a share of the cache, whatever else there is room for", async () => {
    const small = await TestLake.open({ cacheBytesMax: 8_000_000 });
    try {
      const size = sizeOf(await addTable(small, "large"), small);
      expect(size).toBeLessThan(8_000_000);
      expect(await readInTurn(small, "large")).toBeLessThan(size / 5);
    } finally {
      await small.close();
    }
  });
});

describe("an engine that ends", () => {
  it("waits for nothing that it was about to bring in, and leaves nothing behind", async () => {
    const ending = await TestLake.open();
    await addTable(ending, "last");
    for (let i = 0; i < 3; i++) await sumOf("last", ending);
    let stuck = 0;
    ending.platform.onGet = () => ++stuck && new Promise<void>(() => undefined);
    await vi.waitFor(() => expect(stuck).toBe(1), { timeout: 20_000 });
    await ending.lake.stop();
    expect(readdirSync(ending.directory)).toEqual(["bucket"]);
    await ending.platform.stop();
  });
});
