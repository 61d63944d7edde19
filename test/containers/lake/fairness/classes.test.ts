// Short statements beside long ones: who waits for whom, with how much memory, and at which priority.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { ONE_THREAD } from "../../../../containers/engine/lake/process/messages.ts";
import { QueryProcess } from "../../../../containers/engine/lake/process/query-process.ts";
import { isRunning, listProcesses, QUERY_PROGRAM } from "../../../support/node/programs/processes.ts";
import { column, TestLake, type StatementOptions } from "../../../support/node/lake/test-lake.ts";

const COLUMNS = [column(1, "id", "int64"), column(2, "x", "float64")];
const FIELD_IDS = "id: 1, x: 2";
const LOW = 10;

/** Never ends by itself. It reads no table, so that it is taken for short. */
const ENDLESS = "SELECT count(*) FROM range(1000000000) AS a (i), range(1000000000) AS b (j) WHERE (i * j) % 7 = 3";
/** An endless statement over a table that is too large for a short statement. */
const ENDLESS_SCAN = "SELECT count(*) FROM large AS a, large AS b WHERE (a.x * b.x) = 3 AND a.id <> b.id";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open({
    processes: 2,
    shortMemoryMb: 400,
    queryMemoryMb: 2_000,
    waitingMax: { short: 20, long: 1 },
  });
  const random = "SELECT range AS id, random() AS x FROM range(3_000_000)";
  lake.platform.addTable("main", "large", COLUMNS, [{ path: await lake.write("large.parquet", random, FIELD_IDS) }]);
  for (const [name, sql] of Object.entries({
    medium: "SELECT range // 1000 AS id, 0.5 AS x FROM range(200_000)",
    many: "SELECT range // 1000 AS id, 0.5 AS x FROM range(300_000)",
    thin: "SELECT range // 1000 AS id, random() AS x FROM range(245_000)",
    bulky: "SELECT (random() * 1e18)::BIGINT AS id, random() AS x FROM range(245_000)",
  }))
    lake.platform.addTable("main", name, COLUMNS, [{ path: await lake.write(`${name}.parquet`, sql, FIELD_IDS) }]);
  const few = "SELECT range AS id, 0.5 AS x FROM range(1000)";
  lake.platform.addTable("main", "small", COLUMNS, [{ path: await lake.write("small.parquet", few, FIELD_IDS) }]);
});
afterAll(() => lake.close());

/** Begins statements that are cancelled when the test has ended; answers what became of each. */
function begin(sql: string, count: number, asked: StatementOptions = {}): Promise<unknown>[] {
  const controller = new AbortController();
  const answers = Array.from({ length: count }, () =>
    lake.ask(sql, { ...asked, signal: controller.signal }).catch((error: unknown) => error),
  );
  onTestFinished(async () => {
    controller.abort(new Failure("cancelled", "The test has ended."));
    await Promise.all(answers);
  });
  return answers;
}

const statOf = (path: string): string[] => readFileSync(path, "utf8").split(") ").at(-1)!.split(" ");

/** The query processes of this test, with the priorities of their threads and the processor time used, in ticks. */
async function queryProcesses(): Promise<Array<{ pid: number; priorities: number[]; ticks: number }>> {
  const own = (await listProcesses()).filter(({ parent }) => parent === process.pid).filter(isRunning(QUERY_PROGRAM));
  return own.map(({ pid }) => {
    const threads = readdirSync(`/proc/${pid}/task`);
    const stat = statOf(`/proc/${pid}/stat`);
    const priorities = threads.map((thread) => Number(statOf(join(`/proc/${pid}/task`, thread, "stat"))[16]));
    return { pid, priorities: [...new Set(priorities)], ticks: Number(stat[11]) + Number(stat[12]) };
  });
}

/** The priorities of the processes that compute now. */
async function computingAt(): Promise<number[][]> {
  const before = await queryProcesses();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const after = await queryProcesses();
  return after
    .filter(({ pid, ticks }) => ticks - (before.find((one) => one.pid === pid)?.ticks ?? ticks) > 1)
    .map(({ priorities }) => priorities.sort((a, b) => a - b));
}

describe("long statements", () => {
  it("run at a lower priority with all of their threads, as many as there are processes", async () => {
    begin(ENDLESS_SCAN, 3);
    await expect.poll(computingAt, { timeout: 30_000 }).toEqual([[LOW], [LOW]]);
  });

  it("do not keep short ones waiting, whose priority is the usual one", async () => {
    begin(ENDLESS_SCAN, 3);
    await expect.poll(computingAt, { timeout: 30_000 }).toHaveLength(2);
    for (let i = 0; i < 5; i++)
      expect(await lake.rows("SELECT sum(id)::INT AS n FROM small")).toEqual([{ n: 499_500 }]);
    expect((await queryProcesses()).filter(({ priorities }) => priorities.includes(0))).not.toEqual([]);
  });

  it("are refused past their own queue's bound, while short ones are served", async () => {
    const answers = begin(ENDLESS_SCAN, 6);
    const refused = (await Promise.race(answers)) as Failure;
    expect(refused).toMatchObject({ code: "queue_full", status: 429 });
    expect(refused.message).toContain("2 long statements run and 1 wait, as many as may; yours would be number 2");
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(await lake.rows("SELECT count(*)::INT AS n FROM small")).toEqual([{ n: 1_000 }]);
  });

  it("are not those that only count the rows of a large table", async () => {
    begin(ENDLESS_SCAN, 3);
    await expect.poll(computingAt, { timeout: 30_000 }).toHaveLength(2);
    expect(await lake.rows("SELECT count(*)::INT AS n FROM large")).toEqual([{ n: 3_000_000 }]);
  });
});

describe("a database of one thread", () => {
  /** Whether the statement's is one. */
  async function hasOneThread(sql: string): Promise<boolean> {
    const run = vi.spyOn(QueryProcess.prototype, "run");
    onTestFinished(() => run.mockRestore());
    await lake.ask(sql);
    expect(run).toHaveBeenCalledOnce();
    return run.mock.calls[0]![0].setup.includes(ONE_THREAD);
  }

  it.each([
    ["SELECT 1 AS n", true],
    ["SELECT sum(x) FROM small", true],
    ["SELECT sum(x) FROM medium", true],
    ["SELECT sum(a.x) FROM medium AS a JOIN small AS b USING (id)", true],
    ["SELECT sum(a.x) FROM medium AS a JOIN bulky AS b USING (id)", false],
    ["SELECT sum(id) FROM many", false],
    ["SELECT max(id) FROM bulky", false],
    ["SELECT max(id) FROM thin", true],
  ])("is that of statements over few bytes and rows: %s", async (sql, isOne) => {
    expect(await hasOneThread(sql)).toBe(isOne);
  });

  it("is not that of a statement on the drive's files, whose rows nobody has counted", async () => {
    mkdirSync(join(lake.platform.directory, "drive"), { recursive: true });
    writeFileSync(join(lake.platform.directory, "drive/people.csv"), "who,age\nBob,3\n");
    expect(await hasOneThread("SELECT count(*) AS n FROM 'gs://bucket/team/drive/people.csv'")).toBe(false);
  });
});

describe("short statements that take long", () => {
  it("give way to others, more of them than there are processes", async () => {
    begin(ENDLESS, 6);
    for (let i = 0; i < 3; i++)
      expect(await lake.rows("SELECT sum(id)::INT AS n FROM small")).toEqual([{ n: 499_500 }]);
    await expect.poll(async () => (await computingAt()).flat(), { timeout: 30_000 }).toContain(LOW);
  });

  it("leave no process of low priority among those for short ones", async () => {
    const controller = new AbortController();
    const answer = lake.failure(ENDLESS, { signal: controller.signal });
    await expect.poll(computingAt, { timeout: 30_000 }).toEqual([[LOW]]);
    controller.abort(new Failure("cancelled", "Enough."));
    expect((await answer).code).toBe("cancelled");
    const usual = async () => (await queryProcesses()).filter(({ priorities }) => priorities.join() === "0").length;
    await expect.poll(usual, { timeout: 30_000 }).toBe(3);
  });

  it("are answered whole, though their rows go to a slow reader", async () => {
    let text = "";
    let held = 0;
    await lake.ask("SELECT range AS n FROM range(200000)", {
      format: "csv",
      rowsMax: 1_000_000,
      sink: async (bytes) => {
        text += Buffer.from(bytes).toString();
        if (held++ < 3) await new Promise((resolve) => setTimeout(resolve, 1_500));
      },
    });
    expect(text).toBe(`n\n${Array.from({ length: 200_000 }, (_, i) => `${i}\n`).join("")}`);
  });
});
