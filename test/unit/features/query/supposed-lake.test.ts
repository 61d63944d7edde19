// A lake is opened ahead for a statement by what was asked last; what that was decides nothing.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import type { LakeGrant, StatementRequest } from "../../../../kernel/wire/engine.ts";
import { INTEGRATION_LIMITS } from "../../../../src/features/integrations/limits.ts";
import { boundsOf, monthOf } from "../../../../src/core/teams/plans.ts";
import { app } from "../../../../src/app.ts";
import { forgetCallers } from "../../../../src/features/teams/keys/find-caller.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { readToken } from "../../../../src/platform/crypto/token.ts";
import { addLake, addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { createTable, inside, newWriter, type TestLake } from "../../../support/unit/lake.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let lakeId: string;
/** What reached the engine, what of the catalogs was called, and what the database was asked. */
let granted: LakeGrant[];
let calls: string[];
let statements: string[];
/** What the engine reports of its own time. */
let reported = "";
beforeEach(async () => {
  team = await newTeam();
  reported = "gate;dur=1.5, run;dur=2";
  lakeId = await addLake(team);
});

const engine = {
  fetch: async (...request: ConstructorParameters<typeof Request>) => {
    const { target } = await new Request(...request).json<StatementRequest>();
    if (target.kind === "lake") granted.push(target.lake);
    const headers = { [ENGINE_HEADER]: String(PROTOCOL), "content-type": "text/csv", "server-timing": reported };
    return new Response("a\r\n", { headers });
  },
  askOfStatement: async () => undefined,
};

/** Says which methods are called. */
const listening = <Stub extends object>(stub: Stub): Stub =>
  new Proxy(stub, {
    get(target, name) {
      calls.push(String(name));
      return Reflect.get(target, name);
    },
  });

const database = new Proxy(env.DB, {
  get(target, name) {
    if (name !== "prepare") return Reflect.get(target, name).bind(target);
    return (sql: string) => {
      statements.push(sql);
      return target.prepare(sql);
    };
  },
});

const bindings = {
  DB: database,
  ENGINE: { getByName: () => engine },
  CATALOG: {
    idFromName: (name: string) => env.CATALOG.idFromName(name),
    get: (id: DurableObjectId) => listening(env.CATALOG.get(id)),
  },
} as unknown as Partial<Env>;

/** Its status and timing, and what the engine was granted. A lake of null: the team's own. */
async function ask({ key = team.admin.key, lake = lakeId as string | null, sql = "select 1" } = {}) {
  [calls, granted, statements] = [[], [], []];
  const body = JSON.stringify({ sql, ...(lake !== null && { integration_id: lake }) });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "text/csv" };
  const request = new Request("https://fjord.test/v1/query", { method: "POST", headers, body });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...bindings } as Env, context);
  // The end of what streams is waited for.
  await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, timing: response.headers.get("server-timing"), grant: granted[0] };
}
const lakeOf = (id: string): TestLake => ({ teamId: team.id, lakeId: id, catalog: openLake(env, id) });

describe("a lake that is opened ahead", () => {
  it("is asked once, and is at its newest snapshot each time", async () => {
    const writer = await newWriter(lakeOf(lakeId));
    expect((await ask()).grant).toMatchObject({ lakeId, snapshotId: 0 });
    for (let snapshotId = 1; snapshotId < 4; snapshotId++) {
      await writer.commit([createTable("main", `t${snapshotId}`)]);
      expect((await ask()).grant).toMatchObject({ lakeId, snapshotId });
      expect(calls).toEqual(["peekReader"]);
    }
  });

  it("is not found once it is deleted, and nothing of it comes back", async () => {
    await ask();
    const deleted = await call("DELETE", `/v1/api/integrations/${lakeId}`, { key: team.admin.key });
    expect(deleted.status).toBeLessThan(300);
    await lakeOf(lakeId).catalog.destroy();
    expect(await ask()).toMatchObject({ status: 404, grant: undefined });
    expect(calls).toContain("peekReader");
    const tables = "select count(*) as n from sqlite_master where name like 'ducklake%'";
    expect(await inside(lakeOf(lakeId), ({ storage }) => storage.sql.exec(tables).one().n)).toBe(0);
  });

  it("is no other team's, whatever they name", async () => {
    await ask();
    const strangers = await newTeam();
    expect(await ask({ key: strangers.admin.key })).toMatchObject({ status: 404, grant: undefined });
    expect(calls).toEqual([]);
  });

  it("is read by the roles that its reader has then", async () => {
    const { key, id } = team.member;
    expect((await ask({ key })).grant).toMatchObject({ reader: "everything" });
    await addRole(team, [{ integration_id: lakeId, schema: "main" }], [id]);
    const bound = (await ask({ key })).grant!;
    expect(bound.reader).toMatch(/^[0-9a-f]{64}$/);
    expect(calls).toContain("keepAccess");
    expect((await ask({ key })).grant!.reader).toBe(bound.reader);
    expect(calls).toEqual(["peekReader"]);
    await addRole(team, [{ integration_id: lakeId, schema: "*" }], [id]);
    expect((await ask({ key })).grant!.reader).not.toBe(bound.reader);
    expect((await ask()).grant).toMatchObject({ reader: "everything" });
  });
});

describe("a team's own lake", () => {
  afterEach(() => void vi.useRealTimers());
  const ofIntegrations = () => statements.filter((sql) => sql.includes("integrations"));

  it("is not asked for again while it is known, and is at its newest snapshot each time", async () => {
    const own = (await ask({ lake: null })).grant!.lakeId;
    const writer = await newWriter(lakeOf(own));
    for (let snapshotId = 1; snapshotId < 3; snapshotId++) {
      await writer.commit([createTable("main", `t${snapshotId}`)]);
      expect((await ask({ lake: null })).grant).toMatchObject({ lakeId: own, snapshotId });
      expect(ofIntegrations()).toEqual([]);
      expect(calls).toEqual(["peekReader"]);
    }
  });

  it("is asked for again in a while, also where it was asked for all the time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const own = (await ask({ lake: null })).grant!.lakeId;
    expect(own).not.toBe(lakeId);
    const setDefault = (id: string, isDefault: number) =>
      env.DB.prepare("update integrations set is_default = ? where id = ?").bind(isDefault, id);
    await env.DB.batch([setDefault(own, 0), setDefault(lakeId, 1)]);
    vi.setSystemTime(Date.now() + INTEGRATION_LIMITS.ownLakeCacheMs - 1_000);
    expect((await ask({ lake: null })).grant).toMatchObject({ lakeId: own });
    vi.setSystemTime(Date.now() + 1_000);
    expect((await ask({ lake: null })).grant).toMatchObject({ lakeId });
  });

  it("is not found once it is gone, and nothing of it comes back", async () => {
    const own = (await ask({ lake: null })).grant!.lakeId;
    await env.DB.prepare("delete from integrations where id = ?").bind(own).run();
    await lakeOf(own).catalog.destroy();
    expect(await ask({ lake: null })).toMatchObject({ status: 404, grant: undefined });
    const tables = "select count(*) as n from sqlite_master where name like 'ducklake%'";
    expect(await inside(lakeOf(own), ({ storage }) => storage.sql.exec(tables).one().n)).toBe(0);
  });

  it("is no other team's", async () => {
    const own = (await ask({ lake: null })).grant!.lakeId;
    const strangers = await newTeam();
    for (let times = 0; times < 2; times++)
      expect((await ask({ key: strangers.admin.key, lake: null })).grant!.lakeId).not.toBe(own);
  });

  it("is read by the roles that its reader has then", async () => {
    const { key, id } = team.member;
    const own = (await ask({ key, lake: null })).grant!;
    expect(own).toMatchObject({ reader: "everything" });
    await addRole(team, [{ integration_id: own.lakeId, schema: "main" }], [id]);
    expect((await ask({ key, lake: null })).grant).toMatchObject({ reader: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

describe("permission to write", () => {
  const writesOf = async (asked: Parameters<typeof ask>[0]) => {
    const { token } = (await ask(asked)).grant!;
    return (await readToken(env, "lake", token, new Date())).writes;
  };

  it.each(["select 1", "insert into t values (1)", "-- why\ndrop table t"])(
    "is given to who may write, in that name and whatever is sent, and to nobody else: %s",
    async (sql) => {
      const writes = await writesOf({ sql });
      expect(writes).toEqual({ statementId: expect.any(String), jobId: expect.any(String), author: "Ada" });
      expect(await writesOf({ sql, key: team.member.key })).toBeUndefined();
    },
  );
});

describe("a month's last statement", () => {
  it("is not taken by one that was not sent, and is the last", async () => {
    await env.DB.prepare("update teams set plan = 'free' where id = ?").bind(team.id).run();
    forgetCallers(({ teamId }) => teamId === team.id);
    const limit = boundsOf("free").monthly.queries!;
    const reservation = { what: "queries", month: monthOf(new Date()), amount: limit - 1, limit };
    await env.METER.get(env.METER.idFromName(team.id)).reserve(reservation);
    const nobodys = crypto.randomUUID();
    expect((await ask({ lake: nobodys })).status).toBe(404);
    expect((await ask({ lake: nobodys })).status).toBe(404);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(426);
    // What is wrong with a statement goes before.
    expect((await ask({ lake: nobodys })).status).toBe(404);
  });
});

describe("a statement's Server-Timing", () => {
  it("tells our phases, the engine's, and the whole", async () => {
    expect((await ask()).timing).toMatch(
      /^authenticate;dur=[\d.]+, prepare;dur=[\d.]+, engine;dur=[\d.]+, gate;dur=1.5, run;dur=2, total;dur=[\d.]+$/,
    );
  });

  it("passes nothing on that is no timing", async () => {
    reported = 'gate;dur=1, x;desc="<b>"';
    expect((await ask()).timing).toMatch(
      /^authenticate;dur=[\d.]+, prepare;dur=[\d.]+, engine;dur=[\d.]+, total;dur=[\d.]+$/,
    );
  });
});
