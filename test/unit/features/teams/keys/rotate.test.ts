import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { sweepKeys } from "../../../../../src/features/teams/keys/sweep.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call } from "../../../../support/unit/http.ts";
import { newTeam, type Person, type TestTeam } from "../../../../support/unit/team.ts";
import { findCallers } from "../../../../../src/callers.ts";

const RIGHT = "team:manage";
const keyPath = (userId: string, keyId: string) => `/v4/users/${userId}/keys/${keyId}`;
refusesStrangers("getKey", (key) => call("GET", keyPath(crypto.randomUUID(), crypto.randomUUID()), { key }), {
  right: RIGHT,
});
refusesStrangers(
  "rotateKey",
  (key) =>
    call("POST", `${keyPath(crypto.randomUUID(), crypto.randomUUID())}/rotate`, { key, body: { overlap_seconds: 0 } }),
  { right: RIGHT },
);

const HOUR_S = 3_600;
const at = (ms: number) => new Date(Date.now() + ms);

/** A team with a key of the member's, made with these fields, and what may be done to it. */
async function withKey(fields: object = {}) {
  const team = await newTeam();
  const { admin, member } = team;
  const made = await call("POST", `/v4/users/${member.id}/keys`, { key: admin.key, body: { name: "CI", ...fields } });
  const key: { id: string; key: string; expires_at: string | null } = made.body.data;
  const rotate = (body: object, id = key.id) =>
    call("POST", `${keyPath(member.id, id)}/rotate`, { key: admin.key, body });
  const get = (id = key.id) => call("GET", keyPath(member.id, id), { key: admin.key });
  return { ...team, key, rotate, get };
}

const holds = async (key: string, now = new Date()): Promise<boolean> =>
  (await findCallers.ofKey(openClients(env), key, now)) !== undefined;

const keyIdOf = async ({ key }: Person): Promise<string> => (await call("GET", "/v4/me", { key })).body.data.key_id;
const keysOf = async ({ id }: Person): Promise<number> =>
  (await env.DB.prepare("select count(*) as n from api_keys where user_id = ?").bind(id).first<number>("n"))!;
const audited = async ({ id }: TestTeam): Promise<number> =>
  (await env.DB.prepare("select count(*) as n from audit_events where team_id = ? and action = 'key.rotate'")
    .bind(id)
    .first<number>("n"))!;

describe("rotateKey", () => {
  it("makes a key with the same name and scopes, beside which the one before works for the overlap", async () => {
    const { key, rotate, get } = await withKey({ scopes: ["query"] });
    expect(await holds(key.key)).toBe(true);
    const { status, body } = await rotate({ overlap_seconds: HOUR_S });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: "CI", scopes: ["query"], expires_at: null, successor_id: null });
    expect(body.data.replaces).toMatchObject({ id: key.id, successor_id: body.data.id });
    expect((await get()).body.data).toEqual(body.data.replaces);
    for (const ms of [0, HOUR_S * 1000 - 5_000]) {
      expect(await holds(key.key, at(ms))).toBe(true);
      expect(await holds(body.data.key, at(ms))).toBe(true);
    }
    // Looked up long before its end, it is not remembered beyond it.
    expect(await holds(key.key, at(HOUR_S * 1000 + 1))).toBe(false);
    expect(await holds(body.data.key, at(HOUR_S * 1000 + 1))).toBe(true);
  });

  it("ends the one before at once where there is no overlap, cached as it is", async () => {
    const { key, rotate } = await withKey();
    expect((await call("GET", "/v4/me", { key: key.key })).status).toBe(200);
    const { body } = await rotate({ overlap_seconds: 0 });
    expect((await call("GET", "/v4/me", { key: key.key })).status).toBe(401);
    expect((await call("GET", "/v4/me", { key: body.data.key })).status).toBe(200);
  });

  it("lets no key live longer than it would have, and keeps its end unless another is asked for", async () => {
    const expires_at = at(HOUR_S * 1000).toISOString();
    const { rotate } = await withKey({ expires_at });
    const { body } = await rotate({ overlap_seconds: 2 * HOUR_S });
    expect([body.data.expires_at, body.data.replaces.expires_at]).toEqual([expires_at, expires_at]);
    const later = at(5 * HOUR_S * 1000).toISOString();
    const again = await rotate({ overlap_seconds: 0, expires_at: later }, body.data.id);
    expect(again.body.data.expires_at).toBe(later);
  });

  it("rotates a key once, though it is asked for many times at once", async () => {
    const { key, rotate, member, ...team } = await withKey();
    const before = await keysOf(member);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate({ overlap_seconds: 60 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await keysOf(member)).toBe(before + 1);
    expect(await audited({ ...team, member })).toBe(1);
    const winner = answers.find(({ status }) => status === 201)!.body.data;
    expect((await rotate({ overlap_seconds: 0 })).body.message).toContain(winner.id);
    expect(await holds(key.key)).toBe(true);
  });

  it("makes none of a key that is revoked at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { key, rotate, admin, member } = await withKey();
      const before = await keysOf(member);
      const revoke = () => call("DELETE", keyPath(member.id, key.id), { key: admin.key });
      const [rotated, revoked] = await Promise.all([rotate({ overlap_seconds: 60 }), revoke()]);
      expect(revoked.status).toBe(204);
      expect([201, 404]).toContain(rotated.status);
      expect(await keysOf(member)).toBe(before + (rotated.status === 201 ? 1 : 0));
      expect(await holds(key.key)).toBe(false);
    }
  });

  it("refuses a key that has expired, was revoked, is another team's, and an end in the past", async () => {
    const { key, rotate, admin, member } = await withKey();
    await env.DB.prepare("update api_keys set expires_at = '2026-01-01T00:00:00.000Z' where id = ?").bind(key.id).run();
    expect((await rotate({ overlap_seconds: 0 })).status).toBe(409);
    await call("DELETE", keyPath(member.id, key.id), { key: admin.key });
    expect((await rotate({ overlap_seconds: 0 })).status).toBe(404);
    const foreign = await withKey();
    expect((await rotate({ overlap_seconds: 0 }, foreign.key.id)).status).toBe(404);
    const past = await foreign.rotate({ overlap_seconds: 0, expires_at: "2020-01-01T00:00:00Z" });
    expect([past.status, past.body.error.flaws[0].pointer]).toEqual([422, "/expires_at"]);
    expect((await foreign.rotate({ overlap_seconds: TEAM_LIMITS.keyOverlapSecondsMax + 1 })).status).toBe(422);
    expect((await foreign.rotate({})).status).toBe(422);
  });

  it("rotates the last key of the team's admins, but not to one that ends", async () => {
    const { admin } = await newTeam();
    const rotate = async (key: string, body: object) =>
      call("POST", `${keyPath(admin.id, await keyIdOf({ id: admin.id, key }))}/rotate`, { key, body });
    const before = await keysOf(admin);
    const ending = await rotate(admin.key, { overlap_seconds: 60, expires_at: at(60_000).toISOString() });
    expect([ending.status, await keysOf(admin)]).toEqual([409, before]);
    const { status, body } = await rotate(admin.key, { overlap_seconds: 0 });
    expect(status).toBe(201);
    expect((await call("GET", "/v4/users", { key: body.data.key })).status).toBe(200);
  });

  it("keeps the keys that work side by side bounded", async () => {
    const { id, member, rotate } = await withKey();
    const row =
      "insert into api_keys (id, team_id, user_id, name, suffix_hash, hint, created_at) values (?1, ?2, ?3, 'k', ?1, 'hint', '2026-01-01T00:00:00.000Z')";
    await env.DB.batch(
      Array.from({ length: 2 * TEAM_LIMITS.keysPerUserMax - 2 }, () =>
        env.DB.prepare(row).bind(crypto.randomUUID(), id, member.id),
      ),
    );
    expect((await rotate({ overlap_seconds: 60 })).status).toBe(426);
  });

  it("is audited with what changed, and without the key", async () => {
    const { id, key, rotate, member } = await withKey();
    const { body } = await rotate({ overlap_seconds: 60 });
    const event = await env.DB.prepare("select * from audit_events where team_id = ? and action = 'key.rotate'")
      .bind(id)
      .first<Record<string, string>>();
    expect(event).toMatchObject({ subject_id: key.id, kind: "key" });
    expect(JSON.parse(event!["before"]!)).toEqual({ expires_at: null, successor_id: null });
    expect(JSON.parse(event!["after"]!)).toEqual({
      expires_at: body.data.replaces.expires_at,
      successor_id: body.data.id,
    });
    const { results } = await env.DB.prepare("select * from audit_events where team_id = ?").bind(id).all();
    for (const suffix of [body.data.key, key.key, member.key].map((each) => each.split("-").at(-1)!))
      expect(JSON.stringify(results)).not.toContain(suffix);
  });
});

describe("getKey", () => {
  it("tells when the key was last used, in a list too, which no other key's use changes", async () => {
    const { id, key, get, admin, member } = await withKey();
    expect((await get()).body.data.last_used_at).toBeNull();
    const begun = Date.now();
    expect((await call("GET", "/v4/me", { key: key.key })).status).toBe(200);
    const used = await vi.waitUntil(
      async () => {
        await runDurableObjectAlarm(env.METER.getByName(id));
        return (await get()).body.data.last_used_at as string | null;
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(Date.parse(used!)).toBeGreaterThanOrEqual(begun);
    const { items } = (await call("GET", `/v4/users/${member.id}/keys`, { key: admin.key })).body.data;
    expect(items.map((each: { last_used_at: string | null }) => each.last_used_at)).toEqual([null, used]);
  });
});

describe("sweepKeys", () => {
  it("forgets keys that ended long ago, and no other", async () => {
    const { key, member } = await withKey();
    const rotated = await withKey();
    const before = await keysOf(member);
    await env.DB.prepare("update api_keys set revoked_at = ? where id = ?")
      .bind(at(-TEAM_LIMITS.keyKeptMs - 1_000).toISOString(), key.id)
      .run();
    await rotated.rotate({ overlap_seconds: 0 });
    const others = await keysOf(rotated.member);
    expect((await sweepKeys(openClients(env), new Date())).forgotten).toBeGreaterThan(0);
    expect(await keysOf(member)).toBe(before - 1);
    expect(await keysOf(rotated.member)).toBe(others);
    await sweepKeys(openClients(env), at(TEAM_LIMITS.keyKeptMs + 1_000));
    expect(await keysOf(rotated.member)).toBe(others - 1);
  });
});
