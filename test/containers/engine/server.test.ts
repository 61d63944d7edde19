// The engine's doors: who is let in, what is understood, how it stops.

import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { StageRequest } from "../../../kernel/wire/builds.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../kernel/wire/engine-program.ts";
import { EngineFailure, EngineStatus, type ProfileRequest } from "../../../kernel/wire/engine.ts";
import { SUCCESSOR_HEADER } from "../../../kernel/wire/successor.ts";
import { Statements } from "../../../containers/engine/statements.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { aSemanticQuery } from "../../support/node/semantic/shop.ts";
import { ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine({ hostsAllowed: "loopback" })));
afterAll(() => engine.stop());

const source = () => ({
  kind: "source" as const,
  access: "everything" as const,
  source: postgresSource(ownPostgres()),
});
const lakeTarget = { kind: "lake" as const, lake: { teamId: "t", lakeId: "l", snapshotId: 0, token: "x" } };
const NO_MEMBERS = aSemanticQuery({ limit: 1 });
const countStatements = async (of: Engine): Promise<number> =>
  EngineStatus.parse(await (await of.call("GET", "/status")).json()).statements;
const failureOf = async (response: Response) => EngineFailure.parse(await response.json());

describe("the secret", () => {
  it.each([undefined, "", "Bearer ", "Bearer wrong", "Basic abc"])(
    "is asked for: %j is not let in",
    async (authorization) => {
      const response = await fetch(
        `${engine.url}/status`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect(response.status).toBe(401);
      expect(response.headers.get(ENGINE_HEADER)).toBe(String(PROTOCOL));
      expect(await failureOf(response)).toMatchObject({ code: "unauthorized" });
    },
  );

  it("opens the status", async () => {
    const response = await engine.call("GET", "/status");
    expect(response.status).toBe(200);
    expect(response.headers.get(ENGINE_HEADER)).toBe(String(PROTOCOL));
    const slots = { short: expect.any(Number), long: expect.any(Number) };
    expect(EngineStatus.parse(await response.json())).toEqual({
      ...{ protocol: PROTOCOL, statements: 0, requests: 0, jobs: 0 },
      load: { statementsMax: 64, statementIds: [], slots, admitted: [] },
    });
  });
});

describe("a request that is not of the protocol", () => {
  it.each([
    ["broken JSON", "{"],
    ["nothing", ""],
    ["another shape", "[]"],
    ["an unknown field", JSON.stringify({ ...aStatement({ sql: "select 1", target: lakeTarget }), extra: 1 })],
    ["a statement without SQL", JSON.stringify(aStatement({ target: lakeTarget }))],
    [
      "a statement with both SQL and a semantic query",
      JSON.stringify(
        aStatement({
          sql: "select 1",
          semantic: {
            model: { cubes: [], views: [] },
            queries: [{ query: NO_MEMBERS, head: {} }],
            head: {},
            total: false,
            responseFormat: "default",
          },
          target: lakeTarget,
        }),
      ),
    ],
    [
      "a statement on a source that does not say what its sender may read",
      JSON.stringify(aStatement({ sql: "SELECT 1", target: { ...source(), access: undefined } as never })),
    ],
    ["a body past 8 MiB", JSON.stringify({ sql: "x".repeat(9 * 1024 * 1024) })],
  ])("is answered 422: %s", async (_name, body) => {
    const response = await fetch(`${engine.url}/statements`, {
      method: "POST",
      headers: { authorization: `Bearer ${engine.secret}` },
      body,
    });
    expect(response.status).toBe(422);
    expect(response.headers.get(ENGINE_HEADER)).toBe(String(PROTOCOL));
    expect(await failureOf(response)).toMatchObject({ code: "bad_request" });
  });

  it.each([
    ["GET", "/"],
    ["PUT", "/status"],
    ["GET", "/statements"],
    ["DELETE", "/statements/%E0%A4%A"],
    ["DELETE", "/statements/unknown"],
    ["POST", "/statements/unknown/lease"],
    ["GET", "/jobs/unknown"],
  ])("finds nothing at %s %s", async (method, path) => {
    const response = await engine.call(method, path);
    expect(response.status).toBe(404);
    expect(await failureOf(response)).toMatchObject({ code: "not_found" });
  });
});

describe("a statement's id", () => {
  it("names one statement at a time", async () => {
    const statement = aStatement({ sql: "select pg_sleep(30)", target: source() });
    const first = engine.call("POST", "/statements", statement);
    await expect.poll(() => countStatements(engine), { timeout: 20_000 }).toBe(1);
    const second = await engine.call("POST", "/statements", statement);
    expect(second.status).toBe(409);
    expect(await failureOf(second)).toMatchObject({ code: "id_running" });
    expect((await engine.call("DELETE", `/statements/${statement.id}`)).status).toBe(204);
    expect((await first).status).toBe(499);
  });
});

/**
 * An engine whose platform takes connections and answers nothing: whoever asks it, by `port` for what else it may be
 * taken for, waits for their deadline.
 */
async function startWaiting(): Promise<Engine & { port: number }> {
  const sockets = new Set<Socket>();
  const platform = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  const { port } = platform.address() as AddressInfo;
  const waiting = await startEngine({ hostsAllowed: "loopback", platformUrl: `http://127.0.0.1:${port}` });
  onTestFinished(async () => {
    await waiting.stop();
    for (const socket of sockets) socket.destroy();
    platform.close();
  });
  return { ...waiting, port };
}

describe("a table that is staged", () => {
  it("is given up when whoever asked for it goes away", async () => {
    const waiting = await startWaiting();
    const asker = new AbortController();
    const stage = waiting.call("POST", "/builds/stage", aStage(), asker.signal);
    await expect.poll(() => countStatements(waiting), { timeout: 20_000 }).toBe(1);
    asker.abort();
    await expect(stage).rejects.toThrow();
    await expect.poll(() => countStatements(waiting), { timeout: 20_000 }).toBe(0);
  });
});

const aStage = (): StageRequest => ({
  ...{ id: crypto.randomUUID(), sender: "ada", lake: lakeTarget.lake, deadlineMs: 600_000 },
  ...{ dataset: "d", rows: { sql: "SELECT 1 AS id" }, watermark: null, earlier: [] },
  target: { schema: "main", name: "t", mode: "replace", key: [] },
});

describe("Statements", () => {
  it("runs no more at once than it may, says when to come again, and takes the next when one has ended", async () => {
    const statements = new Statements(1, () => 7);
    const held = Promise.withResolvers<void>();
    const first = statements.run("a", { deadlineMs: 10_000, leaseMs: 10_000 }, () => held.promise);
    await expect(
      statements.run("b", { deadlineMs: 10_000, leaseMs: 10_000 }, async () => undefined),
    ).rejects.toMatchObject({ code: "queue_full", status: 429, retryAfterSeconds: 7 });
    held.resolve();
    await first;
    await statements.run("b", { deadlineMs: 10_000, leaseMs: 10_000 }, async () => undefined);
    expect(statements.running).toBe(0);
  });

  it("ends in a sender's name only what is that sender's", async () => {
    const statements = new Statements(2, () => 1);
    const run = (id: string, sender?: string) =>
      statements.run(
        id,
        { deadlineMs: 10_000, leaseMs: 10_000, sender },
        (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      );
    const [hers, nobodys] = [run("hers", "ada"), run("nobodys")];
    const ends = Promise.allSettled([hers, nobodys]);
    expect([statements.cancel("hers", "bob"), statements.cancel("nobodys", "bob")]).toEqual([false, false]);
    expect([statements.cancel("none", "ada"), statements.cancel("nobodys", "")]).toEqual([false, false]);
    expect(statements.running).toBe(2);
    expect([statements.cancel("hers", "ada"), statements.cancel("nobodys")]).toEqual([true, true]);
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

const aProfile = (): ProfileRequest => ({
  ...{ id: crypto.randomUUID(), lake: lakeTarget.lake, deadlineMs: 60_000 },
  ...{ schema: "main", table: "t", column: "a", type: "int32" },
});
const clusterAt = (port: number) => ({
  kind: "cluster" as const,
  cluster: { url: `http://127.0.0.1:${port}`, username: "fjord", catalog: "lake" },
  ...{ edits: [], timeZone: "UTC", form: "cells" as const, isParametric: true },
});

describe("SIGTERM", () => {
  it("ends an engine that does nothing, with 0", async () => {
    const idle = await startEngine({ hostsAllowed: "" });
    expect(await idle.stop()).toBe(0);
  });

  const silent = (port: number) => postgresSource({ ...ownPostgres(), host: "127.0.0.1", port });
  it.each<[string, string, (port: number) => object, boolean]>([
    [
      "a statement on a source",
      "/statements",
      () => aStatement({ sql: "select pg_sleep(30)", target: source() }),
      true,
    ],
    ["a read of the lake", "/statements", () => aStatement({ sql: "SELECT * FROM t", target: lakeTarget }), true],
    ["a write into the lake", "/statements", () => aStatement({ sql: "DELETE FROM t", target: lakeTarget }), false],
    // Its use has been counted, and its pins given back, by the time of its answer.
    [
      "a statement of a cluster",
      "/statements",
      (port) => aStatement({ sql: "SELECT 1", target: clusterAt(port) }),
      false,
    ],
    ["a profile", "/profiles", aProfile, true],
    [
      "a look into a database that is silent",
      "/introspect",
      (port) => ({ source: silent(port), deadlineMs: 60_000 }),
      true,
    ],
  ])(
    "ends an engine that works on %s, with 0, and says whether its successor may do it",
    async (_, path, body, isForNext) => {
      const busy = await startWaiting();
      const answer = busy.call("POST", path, body(busy.port));
      await expect
        .poll(
          async () => {
            const { statements, requests } = EngineStatus.parse(await (await busy.call("GET", "/status")).json());
            return statements + requests;
          },
          { timeout: 20_000 },
        )
        .toBe(1);
      const exit = busy.stop();
      const stopped = await answer;
      expect([stopped.status, await failureOf(stopped)]).toMatchObject([503, { code: "stopping" }]);
      expect(stopped.headers.has(SUCCESSOR_HEADER)).toBe(isForNext);
      expect(await exit).toBe(0);
    },
  );
});

it("prints nothing of the secret, the credentials or the statements", () => {
  expect(engine.printed()).toMatch(/engine\.listening/);
  for (const word of [engine.secret, ownPostgres().password, "pg_sleep"]) expect(engine.printed()).not.toContain(word);
});
