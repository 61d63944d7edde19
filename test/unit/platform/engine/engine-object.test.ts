import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { SUCCESSOR_HEADER } from "../../../../kernel/wire/successor.ts";
import { openEngine } from "../../../../src/platform/engine/engine.ts";
import { SupervisedContainer } from "../../../../src/platform/container/supervised-container.ts";
import type { EngineObject } from "../../../../src/platform/engine/engine-object.ts";
import { addPostgres, engineBoot, signalEngine } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let postgres: string;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
});

const run = (sql: string, id: string = crypto.randomUUID()) =>
  call("POST", "/v1/query", {
    key: team.member.key,
    body: { sql, integration_id: postgres },
    headers: { "x-request-id": id },
  });
const cancel = (id: string) => call("DELETE", `/v1/query/${id}`, { key: team.member.key });
const stubOf = (teamId: string) => env.ENGINE.getByName(teamId);
const statusOf = () =>
  runInDurableObject(stubOf(team.id), async (object: EngineObject) =>
    (await object.askRunning("GET", "/status"))?.json<{ statements: number }>(),
  );
const secretOf = () => runInDurableObject(stubOf(team.id), (_, state) => state.storage.get<string>("secret"));

async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  let value = await read();
  for (const end = Date.now() + 60_000; !isSo(value) && Date.now() < end; value = await read())
    await scheduler.wait(50);
  expect(isSo(value)).toBe(true);
  return value;
}

describe("the engine's object", () => {
  it("starts each engine with a secret of its own, and the engine answers to no other", async () => {
    await run("select 1");
    const first = await secretOf();
    await signalEngine(team.id, 9);
    expect((await run("select 1")).status).toBe(200);
    const second = await secretOf();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    const instance = await fetch(`${env.SUPERVISOR_URL}/instances/${env.ENGINE.idFromName(team.id)}`, {
      headers: { authorization: `Bearer ${env.SUPERVISOR_TOKEN}` },
    });
    const { port } = await instance.json<{ port: number }>();
    const ask = async (secret: string | undefined) =>
      (await fetch(`http://127.0.0.1:${port}/status`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await ask(first), await ask(undefined), await ask(second)]).toEqual([401, 401, 200]);
  });

  it("kills an engine that stands still in the middle of a statement, and starts another", async () => {
    await run("select 1");
    const boot = await engineBoot(team.id);
    await signalEngine(team.id, 19);
    // It says nothing, and is no longer taken to be there, without anybody waiting for it.
    expect(await openEngine(env, team.id).probe()).toBe(false);
    expect(await run("select 1")).toMatchObject({
      status: 503,
      body: { error: { code: "engine_unavailable" }, message: expect.stringContaining("was stopped") },
    });
    expect((await run("select 1 as one")).body.data).toEqual([{ one: 1 }]);
    expect(await engineBoot(team.id)).not.toBe(boot);
  });

  it("has the next engine answer what comes to one that is being stopped, or runs in it", async () => {
    for (let round = 0; round < 3; round++) {
      await run("select 1");
      const boot = await engineBoot(team.id);
      const answers = [run("select pg_sleep(0.5)")];
      await until(statusOf, (status) => status?.statements === 1);
      const signalled = signalEngine(team.id, 15);
      for (let asked = 0; asked < 20; asked++) {
        answers.push(run("select 1"));
        await scheduler.wait(5);
      }
      await signalled;
      const failed = (await Promise.all(answers)).filter(({ status }) => status !== 200);
      expect(failed.map(({ body }) => body)).toEqual([]);
      expect(await engineBoot(team.id)).not.toBe(boot);
    }
  });

  it("cancels what waits for its engine to start, or for the end of the one before", async () => {
    const bootOf = () => engineBoot(team.id);
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    await run("select 1");
    await signalEngine(team.id, 9);
    await until(bootOf, (boot) => boot === undefined);
    const starting = run("select pg_sleep(60)", first);
    await until(bootOf, (boot) => boot !== undefined);
    expect((await cancel(first)).status).toBe(204);
    expect(await starting).toMatchObject({ status: 499, body: { error: { code: "query_cancelled" } } });

    expect((await run("select 1")).status).toBe(200);
    expect((await cancel(first)).status).toBe(404);
    const boot = await bootOf();
    const ending = run("select pg_sleep(60)", second);
    await until(statusOf, (status) => status?.statements === 1);
    await signalEngine(team.id, 15);
    const isEnding = () => runInDurableObject(stubOf(team.id), (object: EngineObject) => object["isEnding"]());
    await until(
      async () => (await isEnding()) || (await bootOf()) !== boot,
      (is) => is,
    );
    expect((await cancel(second)).status).toBe(204);
    expect((await ending).status).toBe(499);
    expect((await run("select 1 as one")).body.data).toEqual([{ one: 1 }]);
  });

  it("finds its engine again after it was itself thrown away", async () => {
    await run("select 1");
    const boot = await engineBoot(team.id);
    await abortAllDurableObjects();
    expect((await run("select 1")).status).toBe(200);
    expect(await engineBoot(team.id)).toBe(boot);
  });

  it("does not go to sleep over a statement, and does once nothing runs", async () => {
    const id = crypto.randomUUID();
    const waiting = run("select pg_sleep(60)", id);
    await until(statusOf, (status) => status?.statements === 1);
    await runInDurableObject(stubOf(team.id), (object: EngineObject) => object.onActivityExpired());
    expect((await statusOf())?.statements).toBe(1);
    await cancel(id);
    expect((await waiting).status).toBe(499);

    await until(statusOf, (status) => status?.statements === 0);
    const idle = { protocol: PROTOCOL, statements: 0, requests: 0, jobs: 0 };
    const busy = [{ statements: 1 }, { requests: 1 }, { jobs: 1 }, {}].map((more) => ({ ...idle, ...more }));
    const isBusy = (object: EngineObject) => busy.map((status) => object["isBusy"](status));
    expect(await runInDurableObject(stubOf(team.id), isBusy)).toEqual([true, true, true, false]);
    await runInDurableObject(stubOf(team.id), (object: EngineObject) => object.onActivityExpired());
    await until(
      () => engineBoot(team.id),
      (boot) => boot === undefined,
    );
    expect((await run("select 1 as one")).body.data).toEqual([{ one: 1 }]);
  });

  it("comes to rest once it is removed: no alarm, no storage, and no engine for who comes late", async () => {
    const other = await newTeam();
    await addPostgres(other);
    const object = stubOf(other.id);
    await object.remove();
    await runInDurableObject(object, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
    await runDurableObjectAlarm(object);
    const kept = await runInDurableObject(object, async (_, { storage }) => [
      await storage.getAlarm(),
      ...(await storage.list()).keys(),
    ]);
    expect(kept).toEqual([null]);
    expect((await object.fetch("http://engine/status")).status).toBe(503);
    expect(await engineBoot(other.id)).toBeUndefined();
  });

  it("starts no engine for who waits for one that was being stopped as its team went", async () => {
    const other = await newTeam();
    await addPostgres(other);
    const object = stubOf(other.id);
    await runInDurableObject(object, (_, { container }) => {
      // It says that it is being stopped, and is not.
      const fetch = async () => new Response(null, { status: 503, headers: { [SUCCESSOR_HEADER]: "true" } });
      Object.assign(container!, { getTcpPort: () => ({ fetch }) });
    });
    const waiting = object.fetch("http://engine/introspect", { method: "POST", body: "{}" });
    await until(
      () => runInDurableObject(object, (engine: EngineObject) => engine["isEnding"]()),
      (isEnding) => isEnding,
    );
    await object.remove();
    expect((await waiting).headers.get("x-fjord-unavailable")).toBe("start");
    expect(await engineBoot(other.id)).toBeUndefined();
  });

  it("starts one engine for calls that come at once", async () => {
    const other = await newTeam();
    const answers = await Promise.all([addPostgres(other), addPostgres(other), addPostgres(other)]);
    expect(new Set(answers).size).toBe(3);
  });

  it("starts nothing for a probe, a renewal, a cancellation or a look at a job", async () => {
    const { id } = await newTeam();
    const engine = openEngine(env, id);
    expect([
      await engine.probe(),
      await engine.renewStatement("x"),
      await engine.cancelStatement("x"),
      await engine.getJob("x"),
    ]).toEqual([true, false, false, undefined]);
    expect(await engineBoot(id)).toBeUndefined();
  });

  it("says a running engine can be had", async () => {
    await run("select 1");
    // A busy machine's engine may be slow to say so.
    await until(
      () => openEngine(env, team.id).probe(),
      (isOpen) => isOpen,
    );
  });

  it("answers that every instance is in use when there is no room, once the wait for room is over", async () => {
    const { id } = await newTeam();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answer = await runInDurableObject(stubOf(id), async (object: EngineObject, state) => {
      const container = new SupervisedContainer({ ...inject("fullSupervisor"), program: "engine" }, id);
      Object.defineProperty(state, "container", { value: container, configurable: true });
      Object.assign(object, { container });
      const response = await object.fetch(new Request("http://engine/statements", { method: "POST", body: "{}" }));
      return { status: response.status, reason: response.headers.get("x-fjord-unavailable") };
    });
    log.mockRestore();
    expect(answer).toEqual({ status: 503, reason: "full" });
  });
});
