import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { boundsOf, monthEndsAt, monthOf, type TeamPlan } from "../../../../src/core/teams/plans.ts";
import { forgetCallers } from "../../../../src/features/teams/keys/find-caller.ts";
import { reserveQuery } from "../../../../src/features/quotas/reserve-query.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { patientEngine, sendAsync } from "../../../support/unit/query/async-queries.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

refusesStrangers("getUsage", (key) => call("GET", "/v4/usage", { key }), { right: "team:manage" });

let team: TestTeam;
beforeEach(async () => void (team = await newTeam()));

async function setPlan(plan: TeamPlan): Promise<void> {
  await env.DB.prepare("update teams set plan = ? where id = ?").bind(plan, team.id).run();
  forgetCallers(({ teamId }) => teamId === team.id);
}
const usage = async () => (await call("GET", "/v4/usage", { key: team.admin.key })).body.data;
const { held, monthly, rates } = boundsOf("free");

const newUser = () => {
  const body = { name: "Eve", email: `${crypto.randomUUID()}@example.com`, role: "member" };
  return call("POST", "/v4/users", { key: team.admin.key, body });
};
const newDoc = () => {
  const datasets = { one: { engine: "python", code: "result = 1" } };
  const body = { version: 1, kind: "pipeline", metadata: { name: "Doc" }, datasets };
  return call("POST", "/v4/docs", { key: team.admin.key, body });
};
const newKey = () => call("POST", `/v4/users/${team.admin.id}/keys`, { key: team.admin.key, body: { name: "k" } });
const newLake = () =>
  call("POST", "/v1/api/integrations", { key: team.admin.key, body: { type: "lake", name: crypto.randomUUID() } });

describe("what a plan lets a team hold", () => {
  it.each([
    ["users", newUser],
    ["docs", newDoc],
    ["keys", newKey],
    ["integrations", newLake],
  ] as const)("is exact for %s, however many are made at once, and says what is full", async (what, make) => {
    await setPlan("free");
    const limit = held[what]!;
    const before = (await usage()).held[what].used;
    const answers = await Promise.all(Array.from({ length: limit - before + 4 }, make));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 426);
    expect([made.length, refused.length]).toEqual([limit - before, 4]);
    for (const { body } of refused)
      expect(body.error).toMatchObject({
        code: "business_quota_exceeded",
        quota: { what, limit, used: limit, resetsAt: null },
      });
    expect((await usage()).held[what]).toEqual({ used: limit, limit });
    // Nothing is audited that did not happen.
    const events = "select count(*) as n from audit_events where team_id = ? and subject_id = ?";
    for (const { body } of made) {
      const id = (body.data ?? body.integration).id;
      expect(await env.DB.prepare(events).bind(team.id, id).first("n")).toBe(1);
    }
    const creations = "select count(*) as n from audit_events where team_id = ? and action like '%.create'";
    const all = await env.DB.prepare(creations).bind(team.id).first<number>("n");
    expect((await make()).status).toBe(426);
    expect(await env.DB.prepare(creations).bind(team.id).first("n")).toBe(all);
    await setPlan("enterprise");
    expect((await make()).status).toBe(201);
  });
});

describe("a key's rotation", () => {
  it("counts both keys while both work, and has room without an overlap", async () => {
    const { id } = (await newKey()).body.data;
    await setPlan("free");
    const { used, limit } = (await usage()).held.keys;
    await Promise.all(Array.from({ length: limit - used }, newKey));
    const rotate = (overlap_seconds: number) =>
      call("POST", `/v4/users/${team.admin.id}/keys/${id}/rotate`, { key: team.admin.key, body: { overlap_seconds } });
    const answers = await Promise.all([rotate(60), rotate(60)]);
    for (const { status, body } of answers)
      expect({ status, error: body.error }).toMatchObject({ status: 426, error: { quota: { what: "keys", limit } } });
    const before = await call("GET", `/v4/users/${team.admin.id}/keys/${id}`, { key: team.admin.key });
    expect(before.body.data).toMatchObject({ successor_id: null, expires_at: null });
    expect((await rotate(0)).status).toBe(201);
    expect((await usage()).held.keys).toEqual({ used: limit, limit });
  });
});

describe("a month's statements", () => {
  const now = new Date();
  const deps = (at = now) => {
    const scope = { ...scopeOf(team.id, team.admin.id, false), plan: "free" as const, now: at };
    return { ...openClients(env), scope };
  };
  const limit = monthly.queries!;
  const use = (amount: number) =>
    env.METER.get(env.METER.idFromName(team.id)).reserve({ what: "queries", month: monthOf(now), amount, limit });

  it("count none that is refused before its engine is asked", async () => {
    await setPlan("free");
    await use(limit - 2);
    const engine = patientEngine();
    const send = async (id: string) => (await sendAsync(engine, team.admin.key, { id, body: {} })).status;
    const id = crypto.randomUUID();
    expect([await send(id), await send(id)]).toEqual([202, 409]);
    expect(engine.sent).toHaveLength(1);
    expect([await send(crypto.randomUUID()), await send(crypto.randomUUID())]).toEqual([202, 426]);
  });

  it("let exactly the rest through of a thousand at once, and say when there are more", async () => {
    await use(limit - 300);
    const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, () => reserveQuery(deps())));
    const refused = outcomes.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(700);
    expect(refused[0]!.reason).toMatchObject({
      code: "monthly_quota_exceeded",
      quota: { what: "queries", limit, used: limit, resetsAt: monthEndsAt(now) },
    });
    await setPlan("free");
    expect((await usage()).month.queries).toEqual({ used: limit, limit });
    const answer = await call("POST", "/v1/query", { key: team.member.key, body: { sql: "select 1" } });
    expect(answer).toMatchObject({ status: 426, body: { error: { quota: { what: "queries" } } } });
    const nextMonth = new Date(Date.parse(monthEndsAt(now)) + 1);
    await expect(reserveQuery(deps(nextMonth))).resolves.toBeUndefined();
  });

  it("are granted in blocks far from the bound, each once", async () => {
    const scope = { ...scopeOf(team.id, team.admin.id, false), now };
    let calls = 0;
    const clients = openClients(env);
    const openObject = (id: string) => {
      calls++;
      return clients.meter.openObject(id);
    };
    const meter = { ...clients.meter, openObject };
    for (let i = 0; i < 301; i++) await reserveQuery({ meter, db: clients.db, scope });
    expect(calls).toBe(4);
  });
});

describe("rates", () => {
  it("are told with each answer, and refused beyond with a time to wait", async () => {
    expect((await call("GET", "/v4/me", { key: team.member.key })).headers.get("ratelimit-policy")).toContain("w=60");
    await setPlan("free");
    const get = () => call("GET", "/v4/me", { key: team.member.key });
    const first = await get();
    expect(first.headers.get("ratelimit-policy")).toBe(`"key";q=${rates!.key};w=60, "team";q=${rates!.team};w=60`);
    const left = (headers: Headers) => /^"key";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit")!)!.slice(1).map(Number);
    const [remaining, seconds] = left(first.headers);
    expect(remaining).toBeLessThan(rates!.key);
    expect(seconds).toBeLessThanOrEqual(60);
    let last = first;
    // Twice as many: a minute may begin in between.
    for (let i = 0; i <= 2 * rates!.key && last.status === 200; i++) last = await get();
    expect(last).toMatchObject({ status: 429, body: { error: { code: "too_many_requests", retryable: true } } });
    expect(Number(last.headers.get("retry-after"))).toBe(left(last.headers)[1]);
    expect((await call("GET", "/v4/me", { key: team.admin.key })).status).toBe(200);
  });

  it("bind no team whose plan has none", async () => {
    await setPlan("enterprise");
    expect((await call("GET", "/v4/me", { key: team.member.key })).headers.get("ratelimit")).toBeNull();
  });
});
