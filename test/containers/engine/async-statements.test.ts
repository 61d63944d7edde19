// Statements that nobody waits for: what is stored of them, and what the platform hears.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AsyncStatementOutcome, type AsyncStatementRequest } from "../../../kernel/wire/statements/async-statement.ts";
import { EngineFailure, EngineStatus, type StatementRequest } from "../../../kernel/wire/engine.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { startFakeCluster } from "../../support/node/cluster/fake-cluster.ts";
import { ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";

/** The platform and its bucket: what came under which path. */
const outcomes = new Map<string, AsyncStatementOutcome>();
const objects = new Map<string, string>();
let refusesObjects = false;
let reportsLost = 0;
const platform = createServer(async (request, response) => {
  const body = await text(request);
  const [, , , id = "", verb] = (request.url ?? "").split("/");
  if (request.method === "PUT") {
    response.statusCode = refusesObjects ? 403 : 200;
    if (!refusesObjects) objects.set(id, body);
  } else if (request.headers.authorization !== "Bearer of this query") response.statusCode = 401;
  else if (verb === "result")
    return void response.end(JSON.stringify({ url: `http://127.0.0.1:${portOf()}/a/b/${id}` }));
  else if (reportsLost-- > 0) response.statusCode = 503;
  else {
    outcomes.set(id, AsyncStatementOutcome.parse(JSON.parse(body)));
    response.statusCode = 204;
  }
  response.end();
});
const portOf = () => (platform.address() as AddressInfo).port;

let engine: Engine;
beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  engine = await startEngine({ hostsAllowed: "loopback", platformUrl: `http://127.0.0.1:${portOf()}` });
});
beforeEach(() => {
  refusesObjects = false;
  reportsLost = 0;
});
afterAll(async () => {
  await engine.stop();
  platform.close();
});

const target = () => ({
  kind: "source" as const,
  access: "everything" as const,
  source: postgresSource(ownPostgres()),
});
const asked = (
  sql: string,
  {
    statement = {},
    ...more
  }: Partial<Omit<AsyncStatementRequest, "statement">> & { statement?: Partial<StatementRequest> } = {},
): AsyncStatementRequest => ({
  statement: aStatement({ sql, target: target(), leaseMs: 1, ...statement }),
  token: "of this query",
  storedBytesMax: 10_000_000,
  waitMs: 0,
  ...more,
});

/** Sends it and answers how it ended, as the platform hears it. */
async function outcomeOf(request: AsyncStatementRequest, to = engine): Promise<AsyncStatementOutcome> {
  expect((await to.call("POST", "/statements/async", request)).status).toBe(202);
  const { id } = request.statement;
  await expect.poll(() => outcomes.has(id), { timeout: 30_000 }).toBe(true);
  return outcomes.get(id)!;
}
const failureOf = (outcome: AsyncStatementOutcome) => (outcome.outcome === "failed" ? outcome : undefined);

describe("a statement that nobody waits for", () => {
  it("is stored whole, and its end reported with its bytes, though nobody renews its lease", async () => {
    const request = asked("select pg_sleep(0.3)::text as slept, n from generate_series(1, 3) as t(n)");
    const outcome = await outcomeOf(request);
    const stored = objects.get(request.statement.id)!;
    expect(outcome).toEqual({ outcome: "succeeded", bytes: Buffer.byteLength(stored) });
    expect(JSON.parse(stored)).toMatchObject({ success: true, rowCount: 3, meta: { requestId: request.statement.id } });
  });

  it.each(["csv", "ndjson"] as const)("is stored as %s, past what one flush holds", async (format) => {
    const sql = "select n, repeat('x', 100) as x from generate_series(1, 20000) as t(n)";
    const request = asked(sql, { statement: { format } });
    expect(await outcomeOf(request)).toMatchObject({ outcome: "succeeded" });
    expect(objects.get(request.statement.id)!.trim().split("\n")).toHaveLength(format === "csv" ? 20_001 : 20_000);
  });

  it("answers at once, and where it is asked to wait as soon as it has ended", async () => {
    const running = await engine.call("POST", "/statements/async", asked("select pg_sleep(1)"));
    expect(await running.json()).toEqual({ hasEnded: false });
    const request = asked("select 1 as one", { waitMs: 30_000 });
    const ended = await engine.call("POST", "/statements/async", request);
    expect(await ended.json()).toEqual({ hasEnded: true });
    expect(outcomes.get(request.statement.id)).toMatchObject({ outcome: "succeeded" });
  });

  it("reports a failure with its place, also one past the first rows, and stores nothing of it", async () => {
    const wrong = asked("select 1,\n  nothing");
    expect(failureOf(await outcomeOf(wrong))).toMatchObject({
      failure: { code: "sql_error" },
      location: { position: 13, line: 2, column: 3 },
    });
    // That of a text which its sender never saw is nobody's.
    const translated = await outcomeOf(asked("select 1,\n  nothing", { statement: { isTranslated: true } }));
    expect(failureOf(translated)?.failure).toMatchObject({ code: "sql_error" });
    expect(
      [translated, failureOf(translated)?.failure].some((each) => "location" in each! || "position" in each!),
    ).toBe(false);
    const late = asked("select 1 / (20000 - n) as q, repeat('x', 100) as x from generate_series(1, 30000) as t(n)");
    expect(failureOf(await outcomeOf(late))).toMatchObject({ failure: { code: "sql_error" } });
    expect([objects.has(wrong.statement.id), objects.has(late.statement.id)]).toEqual([false, false]);
  });

  it("fails where the result is larger than what is stored of one", async () => {
    const request = asked("select repeat('x', 10000) as x from generate_series(1, 10) as t(n)", {
      storedBytesMax: 50_000,
    });
    expect(failureOf(await outcomeOf(request))).toMatchObject({
      failure: { code: "resources_exceeded", message: expect.stringContaining("50000 bytes") },
    });
  });

  it("runs at the cluster it was sent with where it needed too much, and fails as that one does", async () => {
    const cluster = await startFakeCluster();
    onTestFinished(() => cluster.close());
    const bigint = { name: "n", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } };
    const fallback = {
      sql: "SELECT 7 AS n",
      target: {
        ...({ kind: "cluster", timeZone: "UTC", form: "cells", isParametric: true } as const),
        edits: [],
        cluster: { url: cluster.url, username: "fjord", password: "open sesame", catalog: "lake" },
      },
    };
    const heavy = () =>
      asked("select repeat('x', 10000) as x from generate_series(1, 10) as t(n)", { storedBytesMax: 50_000, fallback });
    cluster.pages = [{ columns: [bigint], data: [[7]], state: "FINISHED" }];
    const request = heavy();
    expect(await outcomeOf(request)).toMatchObject({ outcome: "succeeded", isFallback: true });
    expect(JSON.parse(objects.get(request.statement.id)!)).toMatchObject({
      data: [{ n: 7 }],
      meta: { engine: "trino" },
    });
    const error = { message: "open sesame", errorCode: 1, errorName: "SYNTAX_ERROR", errorType: "USER_ERROR" };
    cluster.pages = [{ state: "FAILED", error }];
    expect(failureOf(await outcomeOf(heavy()))).toMatchObject({ failure: { code: "sql_error" } });
    expect(cluster.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
    const wrong = asked("select nothing", { fallback });
    expect(failureOf(await outcomeOf(wrong))).toMatchObject({ failure: { code: "sql_error" } });
    expect(cluster.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  it("fails at its deadline, and by a cancellation of its sender's alone", async () => {
    const late = asked("select pg_sleep(60)", { statement: { deadlineMs: 500 } });
    expect(failureOf(await outcomeOf(late))).toMatchObject({ failure: { code: "deadline_exceeded" } });
    const cancelled = asked("select pg_sleep(60)", { statement: { sender: "ada" } });
    const outcome = outcomeOf(cancelled);
    const { id } = cancelled.statement;
    await expect.poll(async () => (await engine.call("POST", `/statements/${id}/lease`)).status).toBe(204);
    expect((await engine.call("DELETE", `/statements/${id}?sender=bob`)).status).toBe(404);
    expect((await engine.call("DELETE", `/statements/${id}?sender=ada`)).status).toBe(204);
    expect(failureOf(await outcome)).toMatchObject({ failure: { code: "cancelled" } });
  });

  it("is cancelled where it has a lease that nobody renews, and not while somebody does", async () => {
    const lapsed = asked("select pg_sleep(60)", { leaseMs: 300 });
    expect(failureOf(await outcomeOf(lapsed))).toMatchObject({ failure: { code: "cancelled" } });
    const renewed = asked("select pg_sleep(3)", { leaseMs: 2_000 });
    const outcome = outcomeOf(renewed);
    const renew = async () => (await engine.call("POST", `/statements/${renewed.statement.id}/lease`)).status;
    await expect.poll(renew).toBe(204);
    await expect.poll(renew, { timeout: 20_000 }).toBe(404);
    expect(await outcome).toMatchObject({ outcome: "succeeded" });
  });

  it("fails where its result can't be stored", async () => {
    refusesObjects = true;
    expect(failureOf(await outcomeOf(asked("select 1")))).toMatchObject({ failure: { code: "platform_unavailable" } });
  });

  it("reports again where a report is lost", async () => {
    reportsLost = 4;
    expect(await outcomeOf(asked("select 1"))).toMatchObject({ outcome: "succeeded" });
  });

  it("quotes no password where the database can't be connected to", async () => {
    const source = postgresSource(ownPostgres());
    const password = "hunter-hunter";
    const wrong = { ...source, credentials: { ...source.credentials, password, username: password } };
    const request = asked("select 1", {
      statement: { target: { kind: "source", access: "everything", source: wrong } },
    });
    const outcome = failureOf(await outcomeOf(request));
    expect(outcome).toMatchObject({ failure: { code: "connection_failed" } });
    expect(JSON.stringify(outcome)).not.toContain(password);
  });

  it("is refused under an id that runs, and of that nothing is reported", async () => {
    const request = asked("select pg_sleep(2)");
    const first = outcomeOf(request);
    await expect
      .poll(async () => (await engine.call("POST", `/statements/${request.statement.id}/lease`)).status)
      .toBe(204);
    const second = await engine.call("POST", "/statements/async", request);
    expect([second.status, EngineFailure.parse(await second.json()).code]).toEqual([409, "id_running"]);
    expect(await first).toMatchObject({ outcome: "succeeded" });
  });

  it("keeps an engine awake, which says so to the platform when it is stopped", async () => {
    const busy = await startEngine({ hostsAllowed: "loopback", platformUrl: `http://127.0.0.1:${portOf()}` });
    onTestFinished(() => void busy.stop());
    const outcome = outcomeOf(asked("select pg_sleep(60)"), busy);
    const running = async () => EngineStatus.parse(await (await busy.call("GET", "/status")).json()).statements;
    await expect.poll(running, { timeout: 20_000 }).toBe(1);
    expect(await busy.stop()).toBe(0);
    expect(failureOf(await outcome)).toMatchObject({ failure: { code: "platform_unavailable" } });
  });
});
