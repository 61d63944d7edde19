import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { isRunning, listProcesses, QUERY_PROGRAM } from "../../support/node/programs/processes.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open({ queryMemoryMb: 900, spillMb: 200 });
  lake.platform.addTable(
    "main",
    "t",
    [column(1, "id", "int64")],
    [{ path: await lake.write("t.parquet", "SELECT range AS id FROM range(1000)", "id: 1") }],
  );
});
afterAll(() => lake.close());

const expectServed = async (): Promise<void> =>
  expect(await lake.rows("SELECT sum(id) AS n FROM t", { grant: { token: "other" } })).toEqual([{ n: 499_500 }]);

/** A signal that ends as the engine's deadline does. */
function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Failure("deadline_exceeded", "Too late.")), ms);
  return controller.signal;
}

describe("memory bombs cost only their own statement", () => {
  it.each([
    "SELECT length(repeat('x', 1500000000))",
    "SELECT max(length(repeat('x', 10000000) || id)), count(*) FROM (SELECT repeat('x', 10000000) AS x, id FROM t) GROUP BY x || id",
    "SELECT list(repeat('x', 5000000) || id) FROM t",
    "SELECT count(*) FROM (SELECT DISTINCT a.id * 1000000 + b.id * 1000 + c.id AS k, repeat('y', 200) || k FROM t a, t b, range(1000) c(id))",
  ])("%s", async (sql) => {
    const failure = await lake.failure(sql, { signal: deadline(20_000) });
    expect(["resources_exceeded", "deadline_exceeded", "sql_error"]).toContain(failure.code);
    await expectServed();
  });

  it("a result larger than memory streams", async () => {
    let bytes = 0;
    await lake.ask("SELECT repeat('x', 20000) AS x FROM range(100000)", {
      format: "csv",
      sink: (chunk) => void (bytes += chunk.length),
    });
    expect(bytes).toBe(2 + 100_000 * 20_001);
  });
});

describe("time bombs end at their deadline, and the next statement is served", () => {
  it.each([
    "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
    "SELECT list_sum(list_transform(range(30000000), lambda x: x + 1))",
    "SELECT levenshtein(repeat('a', 100000), repeat('b', 100000))",
  ])("%s", async (sql) => {
    const failure = await lake.failure(sql, { signal: deadline(500) });
    expect(["deadline_exceeded", "resources_exceeded"]).toContain(failure.code);
    await expectServed();
  });
});

describe("planner bombs are refused before they are planned", () => {
  it.each([
    ["a long sum", `SELECT ${"1+".repeat(990)}1`],
    ["an endless sum", `SELECT ${"1+".repeat(40_000)}1`],
    ["a long chain of OR", `SELECT 1 WHERE ${"1=2 OR ".repeat(20_000)} 1=1`],
    ["many UNION ALL", `SELECT 1 ${"UNION ALL SELECT 1 ".repeat(20_000)}`],
    ["deep brackets", `SELECT ${"[".repeat(3_000)}1${"]".repeat(3_000)}`],
    ["deep subqueries", `SELECT ${"(SELECT ".repeat(600)}1${")".repeat(600)}`],
    ["a huge list", `SELECT ${"1,".repeat(400_000)}1`],
    ["unclosed comments", `SELECT ${"/*".repeat(200_000)}`],
    ["too much text", `SELECT '${"x".repeat(1_100_000)}'`],
  ])("%s", async (_, sql) => {
    expect(["statement_refused", "sql_error"]).toContain((await lake.failure(sql, { signal: deadline(30_000) })).code);
    await expectServed();
  });
});

describe("cancelling", () => {
  it("ends a statement before its first row, with the reason it was given", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Failure("cancelled", "Gone.")), 200);
    expect(
      await lake.failure("SELECT count(*) FROM range(1000000000) a, range(1000000000) b", {
        signal: controller.signal,
      }),
    ).toMatchObject({ code: "cancelled", message: "Gone." });
    await expectServed();
  });

  it("ends a statement whose reader has stopped reading", async () => {
    const controller = new AbortController();
    const failure = await lake.failure("SELECT range FROM range(100000000)", {
      format: "csv",
      signal: controller.signal,
      sink: () => {
        setTimeout(() => controller.abort(new Failure("cancelled", "Gone.")), 50);
        return new Promise<void>(() => undefined);
      },
    });
    expect(failure.code).toBe("cancelled");
    await expectServed();
  });

  it("closes a JSON document that has begun, saying why", async () => {
    const controller = new AbortController();
    const chunks: Uint8Array[] = [];
    await lake.ask("SELECT range AS n FROM range(100000000)", {
      rowsMax: 100_000_000,
      bytesMax: 10 ** 10,
      signal: controller.signal,
      sink: (bytes) => {
        chunks.push(Buffer.from(bytes));
        controller.abort(new Failure("deadline_exceeded", "Too late."));
      },
    });
    const document = JSON.parse(Buffer.concat(chunks).toString()) as {
      success: boolean;
      error: { code: string };
      data: unknown[];
    };
    expect(document).toMatchObject({ success: false, message: "Too late.", error: { code: "query_timeout" } });
    expect(document.data.length).toBeGreaterThan(0);
  });

  it("an error after the first rows closes a JSON document and breaks a CSV answer", async () => {
    const sql = "SELECT CASE WHEN range = 900000 THEN error('boom') ELSE range END AS n FROM range(1000000)";
    const document = await lake.document(sql, { rowsMax: 10_000_000 });
    expect(document).toMatchObject({
      success: false,
      message: expect.stringContaining("boom") as string,
      error: { code: "query_failed", retryable: false, flaws: [{ pointer: "/sql" }] },
    });
    expect(document.data.length).toBeGreaterThan(0);
    expect(document.rowCount).toBe(document.data.length);
    expect((await lake.failure(sql, { format: "csv" })).message).toContain("boom");
  });
});

describe("many callers", () => {
  it("share the processes, and past the queue's bound hear which place would be theirs", async () => {
    const small = await TestLake.open({ processes: 1, waitingMax: { short: 2, long: 2 } });
    try {
      const answers = await Promise.allSettled(Array.from({ length: 12 }, () => small.rows("SELECT 1 AS one")));
      const served = answers.filter(({ status }) => status === "fulfilled");
      const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as Failure] : []));
      expect(served.length).toBeGreaterThanOrEqual(2);
      expect(refused.length).toBeGreaterThan(0);
      for (const failure of refused) {
        expect(failure).toMatchObject({ code: "queue_full", status: 429, retryAfterSeconds: 1 });
        expect(failure.message).toContain("1 short statements run and 2 wait, as many as may; yours would be number 3");
      }
      expect(await small.rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    } finally {
      await small.close();
    }
  });
});

describe("query processes that are killed", () => {
  it("are replaced, and the statements after them served", async () => {
    const processes = async () =>
      (await listProcesses()).filter((one) => one.parent === process.pid && isRunning(QUERY_PROGRAM)(one));
    // One that an earlier statement cost may be on its way.
    await expect.poll(async () => (await processes()).length, { timeout: 30_000 }).toBeGreaterThan(1);
    for (const { pid } of await processes()) process.kill(pid, "SIGKILL");
    await expect
      .poll(() => lake.rows("SELECT 1 AS one").catch((error: Failure) => error.code), { timeout: 60_000 })
      .toEqual([{ one: 1 }]);
    await expectServed();
  });
});
