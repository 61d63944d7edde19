// Results whose readers are slow: they keep nobody else from a query process, and lose nothing.

import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import type { ResultFrame } from "../../../../containers/engine/lake/process/messages.ts";
import type { FrameTaker } from "../../../../containers/engine/lake/read/cache/cached-statement.ts";
import { Spool, SpoolSpace } from "../../../../containers/engine/lake/read/spool.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

const MIB = 1024 * 1024;

/** Files that this process has open, also those that are removed. */
const openFiles = (): Array<{ path: string; size: number }> =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [{ path: readlinkSync(`/proc/self/fd/${fd}`), size: statSync(`/proc/self/fd/${fd}`).size }];
    } catch {
      // That of the listing itself.
      return [];
    }
  });

const sizes = (directory: string): number[] =>
  openFiles().flatMap(({ path, size }) => (path.startsWith(`${directory}/`) ? [size] : []));

/** A reader who takes the first piece, and the others once told to. */
function slowReader() {
  const { promise: free, resolve: goOn, reject: leave } = Promise.withResolvers<void>();
  free.catch(() => undefined);
  const pieces: Buffer[] = [];
  const sink = (bytes: Uint8Array): Promise<void> => {
    pieces.push(Buffer.from(bytes));
    return free;
  };
  return {
    sink,
    goOn,
    leave: () => leave(new Failure("cancelled", "gone")),
    text: () => Buffer.concat(pieces).toString(),
  };
}

describe("readers who are slow", () => {
  const ROWS = 1_000_000;
  const SQL = `SELECT range AS n, 'row ' || range AS name FROM range(${ROWS})`;
  const LARGE = "SELECT id, name FROM large ORDER BY id";
  let lake: TestLake;
  let whole: string;

  beforeAll(async () => {
    lake = await TestLake.open({ processes: 2, shortMemoryMb: 400, queryMemoryMb: 1_000, spillMb: 256 });
    const large = `SELECT range AS id, hash(range)::VARCHAR || hash(range + 1) AS name FROM range(${ROWS})`;
    const columns = [column(1, "id", "int64"), column(2, "name", "varchar")];
    lake.platform.addTable("main", "large", columns, [
      { path: await lake.write("large.parquet", large, "id: 1, name: 2") },
    ]);
    whole = await lake.ask(SQL, { format: "csv" });
    await lake.ask(LARGE, { format: "csv" });
  });
  afterAll(() => lake.close());

  const spools = (): unknown[] => openFiles().filter(({ path }) => path.includes("/spooled/"));

  it.each([
    ["short", SQL, "SELECT 7 AS x"],
    ["long", LARGE, "SELECT max(name) AS x FROM (SELECT name FROM large UNION ALL SELECT name FROM large)"],
  ])("of %s statements do not keep others waiting, and read it all", async (_, sql, other) => {
    const expected = await lake.ask(sql, { format: "csv" });
    const readers = Array.from({ length: 5 }, slowReader);
    const answers = readers.map(({ sink }) => lake.ask(sql, { format: "csv", sink }));
    await expect.poll(() => readers.filter(({ text }) => text() !== "").length, { timeout: 30_000 }).toBeGreaterThan(1);
    expect(await lake.rows(other)).toHaveLength(1);
    for (const { goOn } of readers) goOn();
    await Promise.all(answers);
    for (const { text } of readers) expect(text() === expected).toBe(true);
    expect(spools()).toEqual([]);
  });

  it("who leave, or whose statements are cancelled, leave nothing behind", async () => {
    const readers = Array.from({ length: 4 }, slowReader);
    const controller = new AbortController();
    const cancelled = new Failure("cancelled", "Enough.");
    const answers = readers.map(({ sink }, i) =>
      lake
        .ask(SQL, { format: "csv", sink, ...(i < 2 && { signal: controller.signal }) })
        .catch((error: unknown) => error),
    );
    expect(await lake.rows("SELECT 8 AS x")).toEqual([{ x: 8 }]);
    await expect.poll(() => spools().length, { timeout: 30_000 }).toBeGreaterThan(0);
    controller.abort(cancelled);
    for (const { leave } of readers) leave();
    expect((await Promise.all(answers)).map((error) => (error as Failure).code)).toEqual(Array(4).fill("cancelled"));
    expect(spools()).toEqual([]);
    expect(await lake.ask(SQL, { format: "csv" })).toBe(whole);
  });

  it("are told of a failure that comes late", async () => {
    const failing = `SELECT range AS n, CASE WHEN range = ${ROWS - 1} THEN error('late') END AS e FROM range(${ROWS})`;
    const readers = Array.from({ length: 4 }, slowReader);
    const answers = readers.map(({ sink }) =>
      lake.ask(failing, { format: "csv", sink }).catch((error: unknown) => error),
    );
    expect(await lake.rows("SELECT 9 AS x")).toEqual([{ x: 9 }]);
    for (const { goOn } of readers) goOn();
    for (const error of await Promise.all(answers)) expect((error as Failure).message).toContain("late");
    expect(spools()).toEqual([]);
  });
});

describe("a spool", () => {
  const directory = mkdtempSync(join(tmpdir(), "fjord-spool-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const frame = (i: number, bytes = 1_000): ResultFrame => ({
    kind: i % 3 === 0 ? "part" : "data",
    bytes: Buffer.alloc(bytes, `frame ${i} `),
  });

  /** A taker that takes a frame whenever it is told to. */
  function slowTaker() {
    const taken: ResultFrame[] = [];
    let waiting: (() => void) | undefined;
    const taker: FrameTaker = {
      hasStarted: true,
      take(each) {
        taken.push(each);
        return new Promise((resolve) => (waiting = resolve));
      },
    };
    const next = async (): Promise<void> => {
      await expect.poll(() => waiting).toBeDefined();
      const resolve = waiting!;
      waiting = undefined;
      resolve();
    };
    return { taker, taken, next };
  }

  const isSettled = async (promise: void | Promise<unknown>): Promise<boolean> =>
    Promise.race([
      Promise.resolve(promise).then(() => true),
      new Promise<false>((no) => setTimeout(() => no(false), 50)),
    ]);

  it("hands frames on in order, each once, and waits for the reader until it is let go", async () => {
    const { taker, taken, next } = slowTaker();
    const spool = new Spool(taker, new SpoolSpace(join(directory, "order"), MIB));
    const first = spool.take(frame(0));
    expect(await isSettled(first)).toBe(false);
    spool.letGo();
    expect(await first).toBe("inUse");
    for (let i = 1; i < 20; i++) await spool.take(frame(i, i * 100));
    expect(taken).toHaveLength(1);
    const end = spool.end(new AbortController().signal);
    for (let i = 0; i < 20; i++) await next();
    await end;
    await spool.close();
    expect(taken).toEqual([frame(0), ...Array.from({ length: 19 }, (_, i) => frame(i + 1, (i + 1) * 100))]);
  });

  it("takes no more space than there is for all, gives it back, and holds frames back without", async () => {
    const space = new SpoolSpace(join(directory, "space"), 3_000);
    const one = slowTaker();
    const spool = new Spool(one.taker, space);
    spool.letGo();
    for (let round = 0; round < 3; round++) {
      const count = round * 5;
      for (let i = 0; i < 4; i++) await spool.take(frame(count + i));
      expect(space.take(1)).toBe(false);
      const fifth = spool.take(frame(count + 4));
      expect(await isSettled(fifth)).toBe(false);
      for (let i = 0; i < 5; i++) await one.next();
      await fifth;
      expect(one.taken).toEqual(Array.from({ length: count + 5 }, (_, i) => frame(i)));
      // The file that it goes on with takes none of the disk meanwhile, or others would have its space twice.
      await expect.poll(() => space.take(3_000)).toBe(true);
      expect(sizes(join(directory, "space"))).toEqual([0]);
      space.give(3_000);
    }
    await spool.close();
    expect(sizes(join(directory, "space"))).toEqual([]);
  });

  it("that is closed hands on nothing, and gives its space back", async () => {
    const space = new SpoolSpace(join(directory, "closed"), 3_000);
    const { taker, taken, next } = slowTaker();
    const spool = new Spool(taker, space);
    spool.letGo();
    for (let i = 0; i < 4; i++) await spool.take(frame(i));
    const controller = new AbortController();
    const end = spool.end(controller.signal);
    controller.abort(new Error("enough"));
    await expect(end).rejects.toThrow("enough");
    await spool.close();
    expect(space.take(3_000)).toBe(true);
    await next();
    expect(await isSettled(new Promise(() => undefined))).toBe(false);
    expect(taken).toHaveLength(1);
    expect(space.take(1)).toBe(false);
  });

  it("that is closed hands on nothing that waited for space, either", async () => {
    const { taker, taken, next } = slowTaker();
    const spool = new Spool(taker, new SpoolSpace(join(directory, "full"), 0));
    spool.letGo();
    await spool.take(frame(0));
    const held = spool.take(frame(1));
    expect(await isSettled(held)).toBe(false);
    await spool.close();
    await next();
    expect(await isSettled(held)).toBe(true);
    expect(taken).toEqual([frame(0)]);
  });

  it("rejects as its reader does", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const taker: FrameTaker = { hasStarted: true, take: () => promise };
    const spool = new Spool(taker, new SpoolSpace(join(directory, "gone"), MIB));
    spool.letGo();
    await spool.take(frame(0));
    await spool.take(frame(1));
    onTestFinished(() => spool.close());
    reject(new Error("gone"));
    await expect(spool.end(new AbortController().signal)).rejects.toThrow("gone");
    expect(() => spool.take(frame(2))).toThrow("gone");
  });
});
