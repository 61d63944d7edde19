// A statement nobody waits for any more ends at its source, in every phase. PostgreSQL itself says whether it runs.

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { isRunning, listFamily } from "../../support/node/programs/processes.ts";
import { call, connect, newTeam, query, send, type Integration } from "../client.ts";

/** The lease a statement is held under. */
const LEASE_MS = 15_000;
/** What a busy machine may take for anything else; less than the statements would sleep. */
const SLACK_MS = 60_000;

let source: Integration;
let watcher: pg.Client;

beforeAll(async () => {
  const server = inject("postgres");
  watcher = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await watcher.connect();
  source = await connect("postgres", server, "postgres");
});
afterAll(() => watcher.end());

/** Whether a statement that holds `mark` runs at the source. */
async function runs(mark: string): Promise<boolean> {
  const { rows } = await watcher.query(
    "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND position($1 IN query) > 0 AND pid <> pg_backend_pid()",
    [mark],
  );
  return rows.length > 0;
}

it("ends when its caller goes away between rows", async () => {
  const mark = randomUUID();
  const caller = new AbortController();
  // In the select list a set is made row by row; in FROM, PostgreSQL would make all of it before the first.
  const sql = `SELECT generate_series(1, 1000000000) AS n, repeat('x', 500) AS filler, '${mark}' AS mark`;
  const body = { sql, integration_id: source.id, timeout_ms: 900_000 };
  const response = await send("POST", "/v1/query", { body, headers: { accept: "text/csv" }, signal: caller.signal });
  const reader = response.body!.getReader();
  await reader.read();
  expect(await within(SLACK_MS, () => runs(mark))).toBe(true);
  caller.abort();
  // By the broken connection itself, which is sooner than by the lease.
  expect(await within(LEASE_MS - 2_000, async () => !(await runs(mark)))).toBe(true);
});

it("ends by DELETE before its first row, and its caller reads so", async () => {
  const mark = randomUUID();
  const requestId = randomUUID();
  const answer = query(
    `SELECT pg_sleep(100), '${mark}' AS mark`,
    { integration_id: source.id },
    { headers: { "x-request-id": requestId } },
  );
  expect(await within(SLACK_MS, () => runs(mark))).toBe(true);
  expect((await call("DELETE", `/v1/query/${requestId}`)).status).toBe(204);
  expect(await answer).toMatchObject({ status: 499, body: { success: false, error: { code: "query_cancelled" } } });
  expect(await within(SLACK_MS, async () => !(await runs(mark)))).toBe(true);
  expect((await call("DELETE", `/v1/query/${requestId}`)).status).toBe(404);
});

it("ends at its deadline before its first row, and its caller reads so", async () => {
  const mark = randomUUID();
  const { status, body } = await query(`SELECT pg_sleep(100), '${mark}' AS mark`, {
    integration_id: source.id,
    timeout_ms: 2_000,
  });
  expect({ status, body }).toMatchObject({ status: 408, body: { success: false, error: { code: "query_timeout" } } });
  expect(await within(SLACK_MS, async () => !(await runs(mark)))).toBe(true);
});

it("ends when its lease lapses, because nobody is there to renew it", async () => {
  const mark = randomUUID();
  const sql = `SELECT pg_sleep(100), '${mark}' AS mark`;
  const answer = query(sql, { integration_id: source.id }).catch(() => undefined);
  expect(await within(SLACK_MS, () => runs(mark))).toBe(true);
  const workers = (await listFamily(inject("platform").pid)).filter(isRunning("workerd"));
  expect(workers.length).toBeGreaterThan(0);
  try {
    // A Worker that stands still is what the engine sees of one that is gone.
    for (const { pid } of workers) process.kill(pid, "SIGSTOP");
    expect(await within(LEASE_MS + SLACK_MS, async () => !(await runs(mark)))).toBe(true);
  } finally {
    for (const { pid } of workers) process.kill(pid, "SIGCONT");
  }
  expect((await answer)?.body.success).not.toBe(true);
  expect((await query("SELECT 1 AS one", { integration_id: source.id })).body.data).toEqual([{ one: 1 }]);
});

it("is not to be cancelled by another team", async () => {
  const mark = randomUUID();
  const requestId = randomUUID();
  const stranger = await newTeam("Strangers");
  const answer = query(
    `SELECT pg_sleep(100), '${mark}' AS mark`,
    { integration_id: source.id },
    { headers: { "x-request-id": requestId } },
  );
  expect(await within(SLACK_MS, () => runs(mark))).toBe(true);
  expect((await call("DELETE", `/v1/query/${requestId}`, { key: stranger.key })).status).toBe(404);
  expect(await runs(mark)).toBe(true);
  expect((await call("DELETE", `/v1/query/${requestId}`)).status).toBe(204);
  expect((await answer).status).toBe(499);
});
