import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { PROBLEMS, type Problem } from "../../../../src/core/problem.ts";
import { unavailable } from "../../../../src/platform/container/unavailable.ts";
import { openEngine } from "../../../../src/platform/engine/engine.ts";
import { enginesOf } from "../../../../src/platform/engine/engine-count.ts";
import { engineName } from "../../../../src/platform/engine/engine-names.ts";
import type { EngineObject } from "../../../../src/platform/engine/engine-object.ts";
import { openStatementEngine } from "../../../../src/platform/engine/statement-engine.ts";
import { addPostgres, engineBoot, postgresCredentials, signalEngine } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const TWO = { ...env, ENGINES_PER_TEAM: "2" };
const never = new AbortController().signal;
let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
  await addPostgres(team);
});

const stubOf = (ordinal: number, teamId = team.id) => env.ENGINE.getByName(engineName(teamId, ordinal));
const open = () => openStatementEngine(TWO, team.id, "standard");
const statementOf = (sql: string): StatementRequest => ({
  id: crypto.randomUUID(),
  sender: team.member.id,
  sql,
  target: { kind: "source", source: { type: "postgres", credentials: postgresCredentials() }, access: "everything" },
  ...{ format: "json", numbers: "exact", rowsMax: 100, bytesMax: 10_000, deadlineMs: 120_000, leaseMs: 120_000 },
});
const isOver = (running: Promise<unknown>): Promise<Problem> =>
  running.then(
    () => expect.unreachable(),
    (error: Problem) => error,
  );
const cancel = (id: string, key = team.member.key) => call("DELETE", `/v1/query/${id}`, { key });
const countAt = async (ordinal: number) => {
  const status = await stubOf(ordinal).look();
  return typeof status === "string" ? 0 : status.statements;
};
const until = (condition: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 60_000, interval: 50 });

function full(): Response {
  const failure = { code: "queue_full", message: "64 statements run or wait.", retryAfterSeconds: 7 };
  return Response.json(failure, { status: 429, headers: { [ENGINE_HEADER]: String(PROTOCOL) } });
}

/**
 * Has an engine refuse every statement, as if it had taken on as many as it can, until the test is over or what it
 * answers is called.
 */
const fill = (ordinal: number, refuse = full) =>
  runInDurableObject(stubOf(ordinal), (object: EngineObject) => {
    const spy = vi.spyOn(object, "fetch").mockImplementation(async () => refuse());
    const stop = () => spy.mockRestore();
    onTestFinished(stop);
    return stop;
  });

/** A statement that runs in the second engine, and how it ends. */
async function runInSecond(sql: string) {
  const statement = statementOf(sql);
  const engine = open();
  const ended = engine.runStatement(statement, never);
  ended.catch(() => undefined);
  await until(async () => (await countAt(1)) === 1);
  return { statement, engine, ended };
}

describe("how many engines a team has", () => {
  it("is what the installation says, as far as the plan allows it", () => {
    const plans = ["free", "standard", "enterprise"] as const;
    const counts = (setting?: string) => plans.map((plan) => enginesOf({ ENGINES_PER_TEAM: setting! }, plan));
    expect([counts(), counts(""), counts("1"), counts("2"), counts("8")]).toEqual([
      ...[
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
      ],
      ...[
        [1, 2, 2],
        [1, 2, 8],
      ],
    ]);
    expect(() => counts("9")).toThrow("ENGINES_PER_TEAM");
  });
});

describe("a team with one engine", () => {
  it("has its statements in the first, and nothing is asked about their place", async () => {
    const engine = openStatementEngine(env, team.id, "enterprise");
    const answer = await engine.runStatement(statementOf("select 1 as one"), never);
    expect(await answer.json()).toMatchObject({ data: [{ one: 1 }] });
    expect([engine.placement, await engineBoot(team.id, 1)]).toEqual([undefined, undefined]);
  });
});

describe("a team with two engines", () => {
  it("has its statements in the first as long as that has room", async () => {
    const engine = open();
    const answer = await engine.runStatement(statementOf("select 1 as one"), never);
    expect(await answer.json()).toMatchObject({ data: [{ one: 1 }] });
    await engine.end();
    expect([engine.placement, await engineBoot(team.id, 1)]).toEqual(["engine 1 of 2", undefined]);
    const objects = (await listDurableObjectIds(env.ENGINE)).map(String);
    const ids = [0, 1].map((ordinal) => String(env.ENGINE.idFromName(engineName(team.id, ordinal))));
    expect(ids.map((id) => objects.includes(id))).toEqual([true, false]);
  });

  it("has the second answer what the first refuses, and the refusal of both where neither takes it", async () => {
    await fill(0);
    const engine = open();
    const answer = await engine.runStatement(statementOf("select 2 as two"), never);
    expect(await answer.json()).toMatchObject({ data: [{ two: 2 }] });
    expect(engine.placement).toMatch(/^engine 2 of 2/);
    expect(await engineBoot(team.id, 1)).toBeDefined();

    await fill(1);
    const refused = await isOver(open().runStatement(statementOf("select 3"), never));
    expect(refused).toMatchObject({ code: "too_many_requests", retryAfterSeconds: 7 });
    expect(refused.message).toBe(
      "Each of the team's 2 engines has taken on as many statements as it can. 64 statements run or wait.",
    );
  });

  it("has a full engine's refusal told rather than that of one that can't be started", async () => {
    await fill(0);
    await fill(1, () => unavailable("full", "no container instance"));
    const refused = await isOver(open().runStatement(statementOf("select 1"), never));
    expect(refused).toMatchObject({ code: "too_many_requests", retryAfterSeconds: 7 });
    expect(refused.message).toBe("64 statements run or wait.");
  });

  it("keeps to the engine of a statement that runs whoever sends its id again", async () => {
    const empty = await fill(0);
    const { statement, ended } = await runInSecond("select pg_sleep(60)");
    empty();
    for (let again = 0; again < 2; again++) {
      const engine = open();
      const { code } = await isOver(engine.runStatement({ ...statement, sql: "select 1" }, never));
      await engine.end();
      expect([code, engine.placement]).toEqual(["work_in_progress", "engine 2 of 2"]);
    }
    await cancel(statement.id);
    await isOver(ended);
  });

  it("cancels by the statement's id wherever it runs: known, forgotten, and where one engine is allowed only", async () => {
    await fill(0);
    for (const isKnown of [true, false]) {
      const { statement, ended } = await runInSecond("select pg_sleep(60)");
      if (!isKnown) await stubOf(0).endStatement(statement.id, { isLost: false });
      expect(await stubOf(0).askOfStatement("unknown", "POST", "/statements/unknown/lease")).toBeUndefined();
      expect(await openEngine(env, team.id).renewStatement(statement.id)).toBe(true);
      for (const other of [await team.newMember(), (await newTeam()).admin])
        expect((await cancel(statement.id, other.key)).status).toBe(404);
      expect((await cancel(statement.id)).status).toBe(204);
      expect((await isOver(ended)).code).toBe("query_cancelled");
    }
  });

  it("loses only the statements of the engine that dies, as a failure that is worth a repeat", async () => {
    const first = openEngine(env, team.id).runStatement(statementOf("select pg_sleep(15), 4 as four"), never);
    await until(async () => (await countAt(0)) === 1);
    const boot = await engineBoot(team.id);
    await fill(0);
    const { engine, ended } = await runInSecond("select pg_sleep(60)");
    await signalEngine(team.id, 9, 1);
    const { code } = await isOver(ended);
    expect([code, PROBLEMS[code].retryable]).toEqual(["engine_unavailable", true]);
    await engine.end();
    expect(await (await first).json()).toMatchObject({ data: [{ four: 4 }] });
    expect(await engineBoot(team.id)).toBe(boot);
    expect((await open().runStatement(statementOf("select 5"), never)).status).toBe(200);
  });

  it("keeps what writes, and what is not sure to read, at the first", async () => {
    const grant = { teamId: team.id, lakeId: crypto.randomUUID(), snapshotId: 1, token: "none" };
    const target: StatementRequest["target"] = { kind: "lake", lake: grant };
    const place = vi.fn();
    const fetch = () => Promise.reject(new Error("There is no engine."));
    const objects = { getByName: () => ({ placeStatement: place, fetch }) } as unknown as typeof env.ENGINE;
    for (const sql of ["drop table t", "with a as (select 1) insert into t from a"]) {
      const engine = openStatementEngine({ ENGINE: objects, ENGINES_PER_TEAM: "2" }, team.id, "standard");
      await isOver(engine.runStatement({ ...statementOf(sql), target }, never));
    }
    expect(place).not.toHaveBeenCalled();
  });

  it("has the first take what could not be placed in time, or at all", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const placeStatement = () => Promise.reject(new Error("There is no placer."));
    const fetch: Fetcher["fetch"] = (...sent) => stubOf(0).fetch(...sent);
    const objects = { getByName: () => ({ placeStatement, fetch }) } as unknown as typeof env.ENGINE;
    const engine = openStatementEngine({ ENGINE: objects, ENGINES_PER_TEAM: "2" }, team.id, "standard");
    expect((await engine.runStatement(statementOf("select 1"), never)).status).toBe(200);
    expect(engine.placement).toBeUndefined();
  });
});

describe("an engine that a deployment allows no more", () => {
  it("goes to sleep a minute after its last statement, and no sooner than that has ended", async () => {
    await fill(0);
    const { statement, ended } = await runInSecond("select pg_sleep(60)");
    // The objects' own variables allow one engine.
    const expire = (ordinal: number) =>
      runInDurableObject(stubOf(ordinal), async (object: EngineObject) => {
        await object.onActivityExpired();
        return object.sleepAfter;
      });
    expect(await expire(1)).toBe("1m");
    expect(await openEngine(env, team.id).renewStatement(statement.id)).toBe(true);
    await cancel(statement.id);
    await isOver(ended);
    await until(async () => (await countAt(1)) === 0);
    await expire(1);
    await until(async () => (await engineBoot(team.id, 1)) === undefined);
    expect(await expire(0)).toBe("10m");
  });
});

describe("a team that is removed", () => {
  it("leaves none of its engines, and nothing of them", async () => {
    const other = await newTeam();
    const keys = { text: "t", work: "w", tables: [] };
    const refusals = [{ ordinal: 0, reason: "full" as const }];
    const request = { id: crypto.randomUUID(), keys, takesSlot: true, engines: 2, refusals };
    expect(await stubOf(0, other.id).placeStatement(other.id, request)).toMatchObject({ ordinal: 1 });
    for (const ordinal of [0, 1]) await openEngine(env, other.id, ordinal).wake();
    for (const ordinal of [0, 1]) expect(await engineBoot(other.id, ordinal)).toBeDefined();
    await openEngine(env, other.id).remove();
    for (const ordinal of [0, 1]) {
      expect(await engineBoot(other.id, ordinal)).toBeUndefined();
      await runDurableObjectAlarm(stubOf(ordinal, other.id));
      const kept = await runInDurableObject(stubOf(ordinal, other.id), async (_, { storage }) => [
        ...(await storage.list()).keys(),
      ]);
      expect(kept).toEqual([]);
      expect((await stubOf(ordinal, other.id).fetch("http://engine/status")).status).toBe(503);
    }
  });

  it("leaves none where the runtime knows no name of the first one's object, as after an alarm", async () => {
    const other = await newTeam();
    const first = env.ENGINE.get(env.ENGINE.idFromString(String(env.ENGINE.idFromName(other.id))));
    await runInDurableObject(first, async (_, { id, storage }) => {
      expect(id.name).toBeUndefined();
      await storage.put("further-engines", { teamId: other.id, highest: 1 });
    });
    await openEngine(env, other.id, 1).wake();
    await openEngine(env, other.id).remove();
    expect(await engineBoot(other.id, 1)).toBeUndefined();
  });
});
