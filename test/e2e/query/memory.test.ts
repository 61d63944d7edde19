// A result passes through engine and Worker in pieces: however long it is, neither grows with it.

import { expect, inject, it } from "vitest";
import { ENGINE_PROGRAM, isRunning, listFamily, QUERY_PROGRAM } from "../../support/node/programs/processes.ts";
import { connect, query, send } from "../client.ts";

const ROWS = 5_000_000;
const WATCH_MS = 100;
/**
 * What each program may grow by, in MB, while 5 million rows pass through; to hold the answer would take more than 200.
 */
const GROWTH_MB_MAX = { worker: 160, engine: 160, queryProcess: 160 };

/** What the engine may hold at any time: its first results run before the collector has settled. */
const ENGINE_MB_MAX = 1_024;

type Sizes = Record<keyof typeof GROWTH_MB_MAX, number>;
const names = Object.keys(GROWTH_MB_MAX) as (keyof Sizes)[];

/** Resident MB: of the Worker's processes together, of the engine, and of its largest query process. */
async function sizes(): Promise<Sizes> {
  const family = await listFamily(inject("platform").pid);
  const megabytes = (name: string) => family.filter(isRunning(name)).map(({ rssBytes }) => rssBytes / 1024 / 1024);
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    worker: sum(megabytes("workerd")),
    engine: sum(megabytes(ENGINE_PROGRAM)),
    queryProcess: Math.max(0, ...megabytes(QUERY_PROGRAM)),
  };
}

/** Streams a CSV answer away; counts it, and what each program grew by meanwhile. */
async function stream(sql: string, more: Record<string, unknown> = {}) {
  const before = await sizes();
  const peak = { ...before };
  const timer = setInterval(() => {
    void sizes().then((now) => {
      for (const name of names) peak[name] = Math.max(peak[name], now[name]);
    });
  }, WATCH_MS);
  let lines = 0;
  let bytes = 0;
  try {
    const response = await send("POST", "/v1/query", {
      body: { sql, timeout_ms: 600_000, ...more },
      headers: { accept: "text/csv" },
    });
    expect(response.status).toBe(200);
    for await (const piece of response.body!) {
      bytes += piece.length;
      for (const byte of piece) if (byte === 0x0a) lines++;
    }
  } finally {
    clearInterval(timer);
  }
  expect(peak.engine).toBeLessThan(ENGINE_MB_MAX);
  return {
    lines,
    bytes,
    before,
    growth: Object.fromEntries(names.map((name) => [name, peak[name] - before[name]])) as Sizes,
  };
}

function expectWithinBudgets({ lines, bytes, before, growth }: Awaited<ReturnType<typeof stream>>): void {
  expect(lines).toBe(ROWS + 1);
  expect(bytes).toBeGreaterThan(200e6);
  for (const name of names) expect(growth[name], `${name}, from ${before[name]} MB`).toBeLessThan(GROWTH_MB_MAX[name]);
}

it("streams 5 million rows of PostgreSQL as CSV within the budgets of Worker and engine", async () => {
  const source = await connect("postgres", inject("postgres"), "postgres");
  const sqlOf = (count: number) =>
    `SELECT n, md5(n::text) AS hash, n * 1.5 AS value FROM generate_series(1, ${count}) AS t (n)`;
  // The first brings every program to its usual size, so that only what the answer itself takes is counted.
  await stream(sqlOf(ROWS / 2), { integration_id: source.id });
  expectWithinBudgets(await stream(sqlOf(ROWS), { integration_id: source.id }));
}, 600_000);

it("streams 5 million rows of the lake as CSV within the budgets of Worker and engine", async () => {
  const sqlOf = (count: number) =>
    `SELECT order_id, line, product_id, md5(order_id::VARCHAR) AS hash FROM LAKE.sample.order_items, range(8) AS t (n) LIMIT ${count}`;
  await Promise.all(
    Array.from({ length: 4 }, () => query("SELECT count(DISTINCT order_id) AS n FROM LAKE.sample.order_items")),
  );
  await stream(sqlOf(ROWS / 2));
  const answer = await stream(sqlOf(ROWS));
  // Else no process was found, and its growth would be nothing whatever it is.
  expect(answer.before.queryProcess).toBeGreaterThan(0);
  expectWithinBudgets(answer);
}, 600_000);

it("cuts a JSON answer at its stated limit and says so", async () => {
  const { status, body } = await query("SELECT range AS n FROM range(100001)");
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, truncated: true, rowCount: 100_000 });
  expect(body.data).toHaveLength(100_000);
});
