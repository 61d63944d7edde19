// Bad input: each is a clear 4xx in the failure document, leaks nothing, and leaves nothing running.

import { randomUUID } from "node:crypto";
import { afterAll, expect, inject, it } from "vitest";
import { freePort } from "../support/node/servers/server-process.ts";
import { within } from "../../scripts/process/group.ts";
import { isRunning, listFamily, QUERY_PROGRAM } from "../support/node/programs/processes.ts";
import { call, connect, query, type Answer, type Failure } from "./client.ts";

/** What no failure may show: this machine's paths, and where in the code it happened. */
const INSIDE = /node_modules|\/tmp\/|\.ts:\d|at \w+ \(|127\.0\.0\.1:\d+\/instances/;

function expectFailure(answer: Answer<unknown>, status: number, code: string): Failure {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status,
    body: { success: false, error: { code, status }, meta: { requestId: expect.any(String) } },
  });
  const failure = answer.body as Failure;
  expect(failure.message.length).toBeGreaterThan(10);
  expect(JSON.stringify(failure)).not.toMatch(INSIDE);
  return failure;
}

const credentials = (more: Record<string, string> = {}) => {
  const { host, port, username, password } = inject("postgres");
  return { host, port: String(port), database: "postgres", username, password, ...more };
};
const create = (more: Record<string, string>) =>
  call("POST", "/v1/api/integrations", {
    body: { type: "postgres", name: "never saved", credentials: credentials(more) },
  });

it("refuses broken JSON", async () => {
  expectFailure(await call("POST", "/v1/query", { body: '{"sql": "SELECT 1"' }), 422, "validation_failed");
});

it("refuses another content type", async () => {
  expectFailure(
    await call("POST", "/v1/query", {
      body: "sql=SELECT 1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    415,
    "unsupported_media_type",
  );
});

it("names every unknown field", async () => {
  const failure = expectFailure(
    await call("POST", "/v1/query", { body: { sql: "SELECT 1", sqll: 1, "a/b": 2 } }),
    422,
    "validation_failed",
  );
  expect(failure.error.flaws).toEqual([
    expect.objectContaining({ pointer: "/sqll" }),
    expect.objectContaining({ pointer: "/a~1b" }),
  ]);
});

it("refuses two megabytes of SQL text, and a body beyond the limit", async () => {
  const sql = `SELECT '${"x".repeat(2 * 1024 * 1024)}'`;
  expectFailure(await query(sql), 422, "validation_failed");
  expectFailure(await query(`${sql}${sql}${sql}`), 413, "body_too_large");
});

it("refuses a host that nothing listens on, one that does not exist, and one inside a private network", async () => {
  expectFailure(await create({ port: String(await freePort()) }), 400, "source_unreachable");
  expectFailure(await create({ host: "no-such-host.invalid" }), 400, "source_unreachable");
  expectFailure(await create({ host: "10.0.0.1" }), 400, "connection_failed");
  expectFailure(await create({ host: "169.254.169.254" }), 400, "connection_failed");
});

it("refuses a wrong password without repeating it", async () => {
  const password = `wrong-${randomUUID()}`;
  const failure = expectFailure(await create({ password }), 400, "connection_failed");
  expect(failure.message).toMatch(/password|authentication/i);
  expect(JSON.stringify(failure)).not.toContain(password);
});

it("refuses a database that does not exist", async () => {
  expect(expectFailure(await create({ database: "no_such_database" }), 400, "connection_failed").message).toContain(
    "no_such_database",
  );
});

it("says which table does not exist", async () => {
  const source = await connect("postgres", inject("postgres"), "postgres");
  for (const target of [{}, { integration_id: source.id }]) {
    expect(expectFailure(await query("SELECT * FROM no_such_table", target), 400, "query_failed").message).toContain(
      "no_such_table",
    );
  }
});

it("does not know an integration that does not exist", async () => {
  expectFailure(await query("SELECT 1", { integration_id: randomUUID() }), 404, "resource_not_found");
  expectFailure(await query("SELECT 1", { integration_id: "not-an-id" }), 404, "resource_not_found");
});

it("ends a lake query that runs past its deadline, and leaves none of its work behind", async () => {
  const sql = "SELECT count(*) FROM range(1000000000) AS a (x), range(1000000000) AS b (y) WHERE (x * y) % 7 = 3";
  expectFailure(await query(sql, { timeout_ms: 2_000 }), 408, "query_timeout");
  const busy = async () =>
    (await listFamily(inject("platform").pid)).filter(isRunning(QUERY_PROGRAM)).map(({ pid }) => pid);
  // A query process that computes for nobody would keep the next statements waiting.
  const answers = await Promise.all(
    Array.from({ length: (await busy()).length + 1 }, () => query("SELECT 42 AS answer")),
  );
  for (const { body } of answers) expect(body.data).toEqual([{ answer: 42 }]);
});

it("refuses what would write at a source", async () => {
  const source = await connect("postgres", inject("postgres"), "postgres");
  expectFailure(await query("CREATE TABLE written (a int)", { integration_id: source.id }), 400, "query_failed");
});

it("answers nobody without a key", async () => {
  for (const key of ["", "nonsense", `${randomUUID()}-${"a".repeat(32)}`])
    expectFailure(await call("GET", "/v4/me", { key }), 401, "auth_invalid_token");
});

afterAll(async () => {
  // Nothing refused was saved.
  const { body } = await call<{ data: { name: string }[] }>("GET", "/v1/api/integrations");
  expect(body.data.filter(({ name }) => name === "never saved")).toEqual([]);
  expect(await within(60_000, async () => (await call("GET", "/health")).status === 200)).toBe(true);
});
