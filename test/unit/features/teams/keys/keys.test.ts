import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../../src/core/limits.ts";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { forgetCallers } from "../../../../../src/features/teams/keys/find-caller.ts";
import { mintKey, parseKey } from "../../../../../src/features/teams/keys/key.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call } from "../../../../support/unit/http.ts";
import { newTeam } from "../../../../support/unit/team.ts";
import { openDb } from "../../../../../src/platform/db/client.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { findCallers } from "../../../../../src/callers.ts";

const RIGHT = "team:manage";
refusesStrangers("listKeys", async (key) => call("GET", `/v4/users/${crypto.randomUUID()}/keys`, { key }), {
  right: RIGHT,
});
refusesStrangers(
  "createKey",
  async (key) => call("POST", `/v4/users/${crypto.randomUUID()}/keys`, { key, body: { name: "k" } }),
  { right: RIGHT },
);
refusesStrangers(
  "deleteKey",
  async (key) => call("DELETE", `/v4/users/${crypto.randomUUID()}/keys/${crypto.randomUUID()}`, { key }),
  { right: RIGHT },
);

/** Database reads a lookup makes, counted at the binding. */
const counted = () => {
  let reads = 0;
  const prepare = (sql: string) => {
    reads++;
    return env.DB.prepare(sql);
  };
  return { deps: { db: openDb({ prepare } as unknown as D1Database) }, reads: () => reads };
};

const later = (ms: number) => new Date(Date.now() + ms);

describe("a key", () => {
  it("is the user's id and a suffix of 32 letters and digits, which is not stored", async () => {
    const { minted, suffixHash } = await mintKey(new Date(), crypto.randomUUID(), { name: "k", expires_at: null });
    const parsed = parseKey(minted.key);
    expect(parsed!.suffix).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(suffixHash).toMatch(/^[0-9a-f]{64}$/);
    expect(parsed!.suffix.endsWith(minted.hint)).toBe(true);
  });

  it("has a suffix whose characters are equally likely", async () => {
    const keys = await Promise.all(
      Array.from({ length: 400 }, () => mintKey(new Date(), crypto.randomUUID(), { name: "k", expires_at: null })),
    );
    const counts = new Map<string, number>();
    for (const { minted } of keys)
      for (const character of parseKey(minted.key)!.suffix) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (400 * 32) / 62;
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    // 61 degrees of freedom: no fair draw is ever above 200 (once in 10^16 runs); bytes modulo 62 are at about 380.
    expect(chiSquared).toBeLessThan(200);
  });

  it.each([
    "",
    "-",
    "x",
    `${crypto.randomUUID()}-short`,
    `${crypto.randomUUID()}-${"!".repeat(32)}`,
    `no-uuid-${"A".repeat(32)}`,
    "A".repeat(100_000),
  ])("of another shape is refused without a read: %.50s", async (key) => {
    const { deps, reads } = counted();
    expect(await findCallers.ofKey(deps, key, new Date())).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it("costs one read, and then none until the cache's time is over", async () => {
    const { admin } = await newTeam();
    const { deps, reads } = counted();
    const start = Date.now();
    const at = (ms: number) => findCallers.ofKey(deps, admin.key, new Date(start + ms));
    for (const ms of [0, 1, LIMITS.keyCacheMs - 1]) expect(await at(ms)).toMatchObject({ userId: admin.id });
    expect(reads()).toBe(1);
    await at(LIMITS.keyCacheMs);
    expect(reads()).toBe(2);
  });

  it("ends at its expiry, cached or not", async () => {
    const { admin } = await newTeam();
    const expires_at = later(3_600_000).toISOString();
    const { body } = await call("POST", `/v4/users/${admin.id}/keys`, {
      key: admin.key,
      body: { name: "short", expires_at },
    });
    expect(body.data.expires_at).toBe(expires_at);
    const atExpiry = (ms: number) => new Date(Date.parse(expires_at) + ms);
    expect(await findCallers.ofKey(openClients(env), body.data.key, atExpiry(-1))).toMatchObject({ userId: admin.id });
    expect(await findCallers.ofKey(openClients(env), body.data.key, atExpiry(1))).toBeUndefined();
  });

  it("works at once though it was asked for before it existed", async () => {
    const { admin } = await newTeam();
    const key = `${admin.id}-${"B".repeat(32)}`;
    expect(await findCallers.ofKey(openClients(env), key, new Date())).toBeUndefined();
    const suffixHash = [
      ...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("B".repeat(32)))),
    ];
    await env.DB.prepare("update api_keys set suffix_hash = ? where user_id = ?")
      .bind(suffixHash.map((byte) => byte.toString(16).padStart(2, "0")).join(""), admin.id)
      .run();
    expect(await findCallers.ofKey(openClients(env), key, new Date())).toMatchObject({ userId: admin.id });
  });

  it("revoked during a lookup is not remembered", async () => {
    const { admin } = await newTeam();
    const { deps, reads } = counted();
    const looking = findCallers.ofKey(deps, admin.key, new Date());
    forgetCallers(() => false);
    await looking;
    await findCallers.ofKey(deps, admin.key, new Date());
    expect(reads()).toBe(2);
  });

  it("is sent under the scheme Bearer, in any case, and under no other", async () => {
    const { admin } = await newTeam();
    const status = async (authorization: string) =>
      (await call("GET", "/v4/me", { headers: { authorization } })).status;
    expect(await status(`bearer ${admin.key}`)).toBe(200);
    expect(await status(admin.key)).toBe(401);
    expect(await status(`Basic ${admin.key}`)).toBe(401);
    expect(await status(`Bearer ${admin.key} extra`)).toBe(401);
    expect(await status("Bearer")).toBe(401);
  });
});

describe("createKey", () => {
  it("shows the key once, and it acts with its user's rights", async () => {
    const { admin, member } = await newTeam();
    const { status, body } = await call("POST", `/v4/users/${member.id}/keys`, {
      key: admin.key,
      body: { name: "laptop" },
    });
    expect(status).toBe(201);
    expect((await call("GET", "/v4/me", { key: body.data.key })).body.data).toMatchObject({
      user: { id: member.id },
      role: "member",
      key_id: body.data.id,
    });
    const { body: listed } = await call("GET", `/v4/users/${member.id}/keys`, { key: admin.key });
    expect(listed.data.items.map(({ name }: { name: string }) => name)).toEqual(["test", "laptop"]);
    expect(JSON.stringify(listed)).not.toContain(body.data.key.split("-").at(-1));
  });

  it("stores the suffix nowhere", async () => {
    const { admin } = await newTeam();
    const { results } = await env.DB.prepare("select * from api_keys where user_id = ?").bind(admin.id).all();
    expect(JSON.stringify(results)).not.toContain(admin.key.split("-").at(-1));
  });

  it("refuses an expiry in the past", async () => {
    const { admin } = await newTeam();
    const { status, body } = await call("POST", `/v4/users/${admin.id}/keys`, {
      key: admin.key,
      body: { name: "k", expires_at: "2020-01-01T00:00:00Z" },
    });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/expires_at"]);
  });

  it("refuses a key beyond the user's quota", async () => {
    const { id, admin } = await newTeam();
    const row =
      "insert into api_keys (id, team_id, user_id, name, suffix_hash, hint, created_at) values (?1, ?2, ?3, 'k', ?1, 'hint', '2026-01-01T00:00:00.000Z')";
    await env.DB.batch(
      Array.from({ length: TEAM_LIMITS.keysPerUserMax }, () =>
        env.DB.prepare(row).bind(crypto.randomUUID(), id, admin.id),
      ),
    );
    const { status, body } = await call("POST", `/v4/users/${admin.id}/keys`, {
      key: admin.key,
      body: { name: "one more" },
    });
    expect([status, body.error.code]).toEqual([426, "business_quota_exceeded"]);
  });
});

describe("deleteKey", () => {
  it("ends the key at once in this isolate, and no other key", async () => {
    const { admin, member } = await newTeam();
    const { key_id: keyId } = (await call("GET", "/v4/me", { key: member.key })).body.data;
    expect((await call("DELETE", `/v4/users/${member.id}/keys/${keyId}`, { key: admin.key })).status).toBe(204);
    expect((await call("GET", "/v4/me", { key: member.key })).status).toBe(401);
    expect((await call("GET", "/v4/me", { key: admin.key })).status).toBe(200);
  });

  it("answers 404 the second time, and records the revocation once", async () => {
    const { admin, member } = await newTeam();
    const { key_id: keyId } = (await call("GET", "/v4/me", { key: member.key })).body.data;
    const revoke = () => call("DELETE", `/v4/users/${member.id}/keys/${keyId}`, { key: admin.key });
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
    const count = await env.DB.prepare(
      "select count(*) as n from audit_events where subject_id = ? and action = 'key.delete'",
    )
      .bind(keyId)
      .first("n");
    expect(count).toBe(1);
  });
});
