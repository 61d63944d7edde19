// Queries that nobody waits for, through the whole product: the engine stores the result, and says how it ended.

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import {
  call,
  connect,
  rowsOf,
  send,
  type Answer,
  type Failure,
  type Integration,
  type QueryAnswer,
} from "../client.ts";

let source: Integration;
beforeAll(async () => void (source = await connect("postgres", inject("postgres"), "postgres")));

type Running = { request_id: string; status: string };
const ask = (body: object, headers: Record<string, string> = {}) =>
  call<Running>("POST", "/v1/query", { body, headers: { prefer: "respond-async", ...headers } });

/** Asks as often as it is told to, until it has ended. */
async function resultOf<Body = QueryAnswer>(id: string): Promise<Answer<Body>> {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await call<Body>("GET", `/v1/query/${id}`);
    if (answer.status !== 202) return answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`Query ${id} has not ended.`);
}

describe("a query that nobody waits for", () => {
  it("runs on the lake, and answers what it answers to who waits", async () => {
    const sql = "SELECT country, count(*) AS n FROM LAKE.sample.customers GROUP BY ALL ORDER BY ALL";
    const { status, headers, body } = await ask({ sql });
    expect([status, headers.get("location")]).toEqual([202, `/v1/query/${body.request_id}`]);
    const ended = await resultOf(body.request_id);
    expect(ended.body).toMatchObject({ success: true, data: await rowsOf(sql), meta: { requestId: body.request_id } });
  });

  it("runs on a database, and comes in the format it was sent for", async () => {
    const sql = "SELECT pg_sleep(1)::text AS slept, n FROM generate_series(1, 3) AS t(n)";
    const { body } = await ask({ sql, integration_id: source.id }, { accept: "text/csv" });
    await expect
      .poll(async () => (await send("GET", `/v1/query/${body.request_id}`)).status, { timeout: 60_000 })
      .toBe(200);
    const response = await send("GET", `/v1/query/${body.request_id}`);
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(await response.text()).toBe(`slept,n\n"",1\n"",2\n"",3\n`);
  });

  it("is the answer itself where it ends while its sender waits", async () => {
    const { status, body } = await ask({ sql: "SELECT 1 AS one" }, { prefer: "respond-async, wait=60" });
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, data: [{ one: 1 }] } });
  });

  it("writes to the lake once", async () => {
    const table = `async_${randomUUID().replaceAll("-", "")}`;
    const id = randomUUID();
    const sql = `CREATE TABLE ${table} AS SELECT 1 AS n`;
    expect((await ask({ sql }, { "x-request-id": id })).status).toBe(202);
    expect((await ask({ sql }, { "x-request-id": id })).status).toBe(409);
    expect((await resultOf(id)).status).toBe(200);
    expect(await rowsOf(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 1 }]);
  });

  it("fails as it would for who waits, past the first rows too, and with its place", async () => {
    const wrong = (await ask({ sql: "SELECT 1,\n  nothing FROM LAKE.sample.customers" })).body.request_id;
    expect(await resultOf<Failure>(wrong)).toMatchObject({
      status: 400,
      body: { error: { code: "query_failed", line: 2, column: 3 } },
    });
    const sql = "SELECT 1 / (30000 - n) AS q, repeat('x', 100) AS x FROM generate_series(1, 40000) AS t(n)";
    const late = (await ask({ sql, integration_id: source.id })).body.request_id;
    expect(await resultOf<Failure>(late)).toMatchObject({ status: 400, body: { success: false } });
  });

  it("ends by DELETE, at its source", async () => {
    const { body } = await ask({ sql: "SELECT pg_sleep(300)", integration_id: source.id });
    const path = `/v1/query/${body.request_id}`;
    expect((await call("GET", path)).status).toBe(202);
    expect((await call("DELETE", path)).status).toBe(204);
    expect(await resultOf<Failure>(body.request_id)).toMatchObject({
      status: 499,
      body: { error: { code: "query_cancelled" } },
    });
  });
});
