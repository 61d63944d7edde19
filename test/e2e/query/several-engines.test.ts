// A team with two engines: the second starts when the first is busy, sees what the first has written, and dies alone.

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { copyState, startPlatform, type Platform } from "../../support/node/platform/platform.ts";
import { ENGINE_PROGRAM, isRunning, listFamily } from "../../support/node/programs/processes.ts";
import { call, query, rowsOf, type Answer, type QueryAnswer } from "../client.ts";

const ENDLESS = "SELECT count(*) FROM range(1000000000) AS a (x), range(1000000000) AS b (y) WHERE (x * y) % 7 = 3";
const COUNT = "SELECT count(*) AS n FROM LAKE.busy.events";

let state: string;
let platform: Platform;
beforeAll(async () => {
  state = await copyState(inject("seed"));
  const env = { FJORD_VAR_ENGINES_PER_TEAM: "2", FJORD_VAR_ENGINE_QUERY_PROCESSES: "1" };
  platform = await startPlatform({ state, env });
  await rowsOf("CREATE SCHEMA busy", {}, platform);
  await rowsOf("CREATE TABLE busy.events AS SELECT 1 AS n", {}, platform);
});
afterAll(async () => {
  await platform?.stop();
  await rm(state, { recursive: true, force: true, maxRetries: 5 });
});

const enginePids = async (): Promise<number[]> =>
  (await listFamily(platform.pid)).filter(isRunning(ENGINE_PROGRAM)).map(({ pid }) => pid);

type Running = { id: string; ended: Promise<Answer<QueryAnswer>> };

/** A statement that runs until it is cancelled. No two have the same text. */
function runEndless(): Running {
  const id = randomUUID();
  const options = { ...platform, headers: { "x-request-id": id } };
  return { id, ended: query(`${ENDLESS} -- ${id}`, { timeout_ms: 600_000 }, options) };
}

const cancel = async ({ id }: Running): Promise<number> => (await call("DELETE", `/v1/query/${id}`, platform)).status;

/** Where a statement went, and what it waited for there. */
async function placementOf(sql: string): Promise<string> {
  const { status, headers } = await query(sql, { timeout_ms: 60_000 }, platform);
  expect(status).toBe(200);
  return /placed;desc="([^"]*)"/.exec(headers.get("server-timing") ?? "")?.[1] ?? "";
}

/** The engine that answers a statement, from 1 on. */
const engineFor = async (sql: string): Promise<number> => Number(/^engine (\d) of 2/.exec(await placementOf(sql))?.[1]);

/** Keeps the first engine busy, and the second up, while `work` is done. */
async function whileBusy(work: (busy: Running) => Promise<void>): Promise<void> {
  const busy = runEndless();
  try {
    await expect.poll(() => engineFor(`${COUNT} -- ${randomUUID()}`), { timeout: 60_000, interval: 500 }).toBe(2);
    await work(busy);
  } finally {
    await cancel(busy);
  }
  expect((await busy.ended).status).toBe(499);
}

describe("two engines", () => {
  it("are one as long as the first has room", async () => {
    expect(await engineFor(COUNT)).toBe(1);
    expect(await enginePids()).toHaveLength(1);
  });

  it("are two where the first is busy, and each sees at once what the first has written", async () => {
    const ofSecond = `${COUNT} WHERE n > 0`;
    await whileBusy(async () => {
      expect(await engineFor(ofSecond)).toBe(2);
      expect(await enginePids()).toHaveLength(2);
    });
    for (let rows = 2; rows < 12; rows++) {
      await rowsOf(`INSERT INTO busy.events VALUES (${rows})`, {}, platform);
      const { body, headers } = await query(ofSecond, {}, platform);
      // What the second engine has, it is asked for.
      expect(headers.get("server-timing")).toContain("engine 2 of 2");
      expect(body.data).toEqual([{ n: rows }]);
    }
  });

  it("cancel by its id what runs in either", async () => {
    await whileBusy(async () => {
      const second = runEndless();
      await expect.poll(() => cancel(second), { timeout: 60_000, interval: 500 }).toBe(204);
      expect((await second.ended).body.error.code).toBe("query_cancelled");
    });
  });

  it("do not die together: the statement is worth a repeat, and the other engine's goes on", async () => {
    const [first] = await enginePids();
    await whileBusy(async () => {
      const lost = runEndless();
      // A statement that comes after it has to wait, wherever it goes.
      await expect.poll(() => placementOf(`${COUNT} -- ${randomUUID()}`), { timeout: 60_000 }).toContain("for a slot");
      const [second] = (await enginePids()).filter((pid) => pid !== first);
      process.kill(second!, "SIGKILL");
      const { status, body } = await lost.ended;
      expect([status, body.error.code, body.error.retryable]).toEqual([503, "engine_unavailable", true]);
      expect(await enginePids()).toContain(first);
    });
    expect(await engineFor(COUNT)).toBe(1);
  });
});
