// Statements that nobody waits for: what is stored of them, and what the platform hears.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  AsyncStatementAnswer,
  AsyncStatementOutcome,
  ROWS_END_HEADER,
  type AsyncStatementRequest,
} from "../../../kernel/wire/statements/async-statement.ts";
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
const running = async (): Promise<number> =>
  EngineStatus.parse(await (await engine.call("GET", "/status")).json()).statements;
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

  it("gives its end to a sender who takes it, and then stores and reports nothing", async () => {
    const taken = { waitMs: 30_000, answeredBytesMax: 1_000, statement: { format: "ndjson", isLists: true } as const };
    const request = asked("select 1 as one, 'a' as a union all select 2, null order by 1", taken);
    const answer = AsyncStatementAnswer.parse(await (await engine.call("POST", "/statements/async", request)).json());
    const rows = '[1,"a"],\n[2,null],\n';
    expect(answer).toEqual({ hasEnded: true, end: { outcome: { outcome: "succeeded", bytes: rows.length }, rows } });
    const wrong = asked("select 1,\n  nothing", taken);
    const failed = AsyncStatementAnswer.parse(await (await engine.call("POST", "/statements/async", wrong)).json());
    expect(failed.end).toMatchObject({ rows: "", outcome: { outcome: "failed", location: { line: 2, column: 3 } } });
    await expect.poll(running).toBe(0);
    for (const { statement } of [request, wrong])
      expect([objects.has(statement.id), outcomes.has(statement.id)]).toEqual([false, false]);
  });

  it("stores and reports an end that its sender does not take: it comes late, or is too large", async () => {
    const late = asked("select pg_sleep(0.5)::text as slept", { waitMs: 50, answeredBytesMax: 1_000 });
    const sent = await engine.call("POST", "/statements/async", late);
    expect(await sent.json()).toEqual({ hasEnded: false });
    await expect.poll(() => outcomes.get(late.statement.id)?.outcome).toBe("succeeded");
    const bound = '[1,"aaa"],\n'.length;
    for (const answeredBytesMax of [bound, bound - 1]) {
      const statement = { format: "ndjson", isLists: true } as const;
      const request = asked("select 1 as one, 'aaa' as a", { waitMs: 30_000, answeredBytesMax, statement });
      const answer = await engine.call("POST", "/statements/async", request);
      const isTaken = answeredBytesMax === bound;
      expect(AsyncStatementAnswer.parse(await answer.json()).hasEnded).toBe(isTaken);
      if (!isTaken) await expect.poll(() => objects.get(request.statement.id)).toBe('[1,"aaa"],\n');
      if (!isTaken) await expect.poll(() => outcomes.has(request.statement.id)).toBe(true);
      else expect(outcomes.has(request.statement.id)).toBe(false);
    }
  });

  it("has its rows read while it runs, byte for byte as they are stored, and none once it has failed", async () => {
    const slow = "select n, repeat('x', 100) as x, pg_sleep(case when n = 60000 then 2 else 0 end)::text as z";
    const statement = { format: "ndjson", isLists: true } as const;
    const request = asked(`${slow} from generate_series(1, 60001) as t(n)`, { statement });
    const outcome = outcomeOf(request);
    const { id } = request.statement;
    const read = async (from: number, bytes = 2_000_000) =>
      engine.call("GET", `/statements/${id}/rows?from=${from}&bytes=${bytes}`);
    await expect.poll(async () => (await read(0)).status).toBe(200);
    expect(outcomes.has(id)).toBe(false);
    const first = await read(0, 1_500_000);
    expect(first.headers.get(ROWS_END_HEADER)).toBe("false");
    const early = await first.text();
    expect((await read(50_000_000)).status).toBe(204);
    expect((await engine.call("GET", `/statements/${id}/rows?from=-1&bytes=x`)).status).toBe(422);
    expect(await outcome).toMatchObject({ outcome: "succeeded" });
    expect(objects.get(id)!.startsWith(early)).toBe(true);
    expect(early.length).toBeGreaterThan(100_000);
    await expect.poll(async () => (await read(0)).status).toBe(404);
    const wrong = asked("select 1 / (20000 - n) as q, repeat('x', 100) as x from generate_series(1, 30000) as t(n)");
    await outcomeOf(wrong);
    expect((await engine.call("GET", `/statements/${wrong.statement.id}/rows?from=0&bytes=9`)).status).toBe(404);
  });

  it("is stored later where its reader reads on: once that has all of it, or pauses", async () => {
    const slow = "select n, repeat('x', 100) as x, pg_sleep(case when n = 60000 then 0.5 else 0 end)::text as z";
    const statement = { format: "ndjson", isLists: true } as const;
    for (const isReadOut of [true, false]) {
      const request = asked(`${slow} from generate_series(1, 60001) as t(n)`, { statement });
      const { id } = request.statement;
      const read = async (from: number, bytes: number) =>
        engine.call("GET", `/statements/${id}/rows?from=${from}&bytes=${bytes}`);
      expect((await engine.call("POST", "/statements/async", request)).status).toBe(202);
      await expect.poll(async () => (await read(0, 10)).status).toBe(200);
      const isEnd = async () => (await read(0, 50_000_000)).headers.get(ROWS_END_HEADER) === "true";
      if (isReadOut) await expect.poll(isEnd, { timeout: 20_000, interval: 100 }).toBe(true);
      await expect.poll(() => outcomes.get(id)?.outcome, { timeout: 20_000 }).toBe("succeeded");
      expect(objects.has(id)).toBe(true);
    }
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
    expect(failureOf(await outcome)).toMatchObject({ failure: { code: "stopping" } });
  });
});
