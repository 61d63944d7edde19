// Signing in by an API key, and out: what the cookie is, who may ask, and that a session is no more than its key.

import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { createSession } from "../../../../../src/features/teams/sign-in/create.ts";
import { newId } from "../../../../../src/core/ids.ts";
import { call } from "../../../../support/unit/http.ts";
import { callIn, cookieOf, OWN_PAGE, postSession, signIn } from "../../../../support/unit/sign-in/session.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
const clients = openClients(env);
const newKey = async (team: Awaited<ReturnType<typeof newTeam>>, body: object) =>
  (await call("POST", `/v4/users/${team.member.id}/keys`, { key: team.admin.key, body: { name: "k", ...body } })).body
    .data as { id: string; key: string };

/** Signs in by whatever address the platform is asked at. */
const signInAt = (url: string, apiKey: string) =>
  createSession(clients, {
    proof: { api_key: apiKey },
    request: new Request(url, { headers: OWN_PAGE }),
    requestId: newId(),
    now: new Date(),
  });

describe("createSession", () => {
  it("answers who signed in, as /v4/me does, and that same session then asks", async () => {
    const team = await newTeam();
    const answer = await postSession({ api_key: team.member.key });
    expect(answer.status).toBe(200);
    const { kind, session, ...me } = answer.body.data;
    expect([kind, session.method, session.is_current]).toEqual(["signed_in", "key", true]);
    const asked = await callIn({ ...OWN_PAGE, cookie: cookieOf(answer) }, "GET", "/v4/me");
    expect(asked.body.data).toEqual(me);
    expect(me).toMatchObject({ user: { id: team.member.id }, session_id: session.id, key_id: session.key_id });
  });

  it("sets a cookie that scripts can't read, of this host and https alone", async () => {
    const { admin } = await newTeam();
    const cookie = (await postSession({ api_key: admin.key })).headers.get("set-cookie")!;
    expect(cookie).toMatch(/^__Host-fjord=[\w-]{43}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=2592000$/);
  });

  it("sets one without prefix and Secure on this machine by plain http, and none by other plain http", async () => {
    const { admin } = await newTeam();
    for (const host of ["127.0.0.1:8787", "localhost", "[::1]:80"]) {
      const { cookie } = await signInAt(`http://${host}/v4/session`, admin.key);
      expect(cookie).toMatch(/^fjord=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/);
    }
    for (const host of ["fjord.test", "127.0.0.1.fjord.test", "10.0.0.1"])
      await expect(signInAt(`http://${host}/v4/session`, admin.key)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("keeps of the cookie nothing but a hash", async () => {
    const { admin } = await newTeam();
    const token = cookieOf(await postSession({ api_key: admin.key })).split("=")[1]!;
    for (const table of ["sessions", "audit_events"])
      expect(JSON.stringify((await env.DB.prepare(`select * from ${table}`).all()).results)).not.toContain(token);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the site", { "sec-fetch-site": "same-site" }],
    ["nobody's page", { "sec-fetch-site": "none" }],
    ["no browser", {}],
    ["another origin", { origin: "https://evil.test" }],
    ["a sandboxed frame", { origin: "null" }],
    ["an origin of another port", { origin: "https://fjord.test:8443" }],
    ["another site that claims our origin", { "sec-fetch-site": "cross-site", origin: "https://fjord.test" }],
  ])("is refused to %s, and sets no cookie", async (_, headers) => {
    const { admin } = await newTeam();
    const answer = await postSession({ api_key: admin.key }, headers as Record<string, string>);
    expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden_insufficient_permissions"]);
    expect(answer.headers.has("set-cookie")).toBe(false);
  });

  it("is open to a page of ours in a browser that names the origin alone", async () => {
    const { admin } = await newTeam();
    expect((await postSession({ api_key: admin.key }, { origin: "https://fjord.test" })).status).toBe(200);
  });

  it("refuses in the same words what is no key, nobody's, revoked, expired, or a run's", async () => {
    const team = await newTeam();
    const revoked = await newKey(team, {});
    await call("DELETE", `/v4/users/${team.member.id}/keys/${revoked.id}`, { key: team.admin.key });
    const expired = await newKey(team, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    await env.DB.prepare("update api_keys set expires_at = '2000' where id = ?").bind(expired.id).run();
    const { suffix, hash } = await runKey(team.id, team.admin.id);
    expect(hash).toHaveLength(64);
    const answers = await Promise.all(
      ["x", `${team.member.id}-${"A".repeat(32)}`, revoked.key, expired.key, `${team.admin.id}-${suffix}`].map((key) =>
        postSession({ api_key: key }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.code} ${body.message}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(401);
    expect(answers.filter(({ headers }) => headers.has("set-cookie"))).toEqual([]);
  });

  it("refuses a body of no way, of two, and of what it does not know", async () => {
    const { admin } = await newTeam();
    for (const body of [{}, { api_key: admin.key, link: "x" }, { password: "x" }, { api_key: "" }])
      expect((await postSession(body)).status).toBe(422);
  });

  it("takes so many attempts of a network address within a minute, whatever comes of them, and others' after that", async () => {
    const from = (address: string) => ({ ...OWN_PAGE, "cf-connecting-ip": address });
    const tries = async (address: string) => (await postSession({ api_key: "x" }, from(address))).status;
    await env.DB.prepare("delete from sign_in_tries").run();
    expect(await tries("2001:db8:1:2:3::9")).toBe(401);
    await env.DB.prepare("update sign_in_tries set tries = ?").bind(TEAM_LIMITS.signInTriesMax).run();
    const { status, headers } = await postSession({ api_key: "x" }, from("2001:db8:1:2:ffff::1"));
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await tries("2001:db8:1:3::1")).toBe(401);
    expect(await tries("198.51.100.7")).toBe(401);
  });

  it("is audited as its user's, with how they signed in", async () => {
    const team = await newTeam();
    const { body } = await postSession({ api_key: team.member.key }, { ...OWN_PAGE, "user-agent": "Browser/1" });
    const { session, key_id } = body.data;
    const event = await env.DB.prepare("select * from audit_events where team_id = ? and action = 'session.create'")
      .bind(team.id)
      .first<{ after: string }>();
    expect(event).toMatchObject({ actor_id: team.member.id, subject_id: session.id, key_id });
    expect(JSON.parse(event!.after)).toMatchObject({ method: "key", user_agent: "Browser/1", key_id });
  });

  it("ends the session that it came in, whosoever's that was, and no other of theirs", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const [former, elsewhere] = [
      await signIn({ api_key: team.member.key }),
      await signIn({ api_key: team.member.key }),
    ];
    const refused = await postSession({ api_key: "x" }, former);
    expect([refused.status, (await callIn(former, "GET", "/v4/me")).status]).toEqual([401, 200]);
    const answer = await postSession({ api_key: other.admin.key }, former);
    const statuses = [former, elsewhere, { ...OWN_PAGE, cookie: cookieOf(answer) }].map(
      async (session) => (await callIn(session, "GET", "/v4/me")).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
    const event = await env.DB.prepare(
      "select actor_id from audit_events where team_id = ? and action = 'session.delete'",
    )
      .bind(team.id)
      .all();
    expect(event.results).toEqual([{ actor_id: team.member.id }]);
  });

  it("ends a user's oldest sessions beyond the bound", async () => {
    const { member } = await newTeam();
    const [first, second] = [await signIn({ api_key: member.key }), await signIn({ api_key: member.key })];
    await env.DB.prepare(
      `insert into sessions (id, team_id, user_id, token_hash, method, created_at, used_at, expires_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       select 'f' || printf('%07d', i) || '-0000-7000-8000-000000000000', team_id, user_id, i || token_hash, method,
         created_at, used_at, expires_at from n, (select * from sessions where user_id = ?2 limit 1)`,
    )
      .bind(TEAM_LIMITS.sessionsPerUserMax - 2, member.id)
      .run();
    expect((await callIn(first, "GET", "/v4/me")).status).toBe(200);
    await env.DB.prepare("update sessions set id = '0' || substr(id, 2) where user_id = ? and id not like 'f%'")
      .bind(member.id)
      .run();
    await signIn({ api_key: member.key });
    const count = await env.DB.prepare("select count(*) as n from sessions where user_id = ? and ended_at is null")
      .bind(member.id)
      .first("n");
    expect(count).toBe(TEAM_LIMITS.sessionsPerUserMax);
    expect(second).toBeDefined();
  });
});

async function runKey(teamId: string, userId: string) {
  const { mintSuffix } = await import("../../../../../src/features/teams/keys/key.ts");
  const { suffix, suffixHash } = await mintSuffix();
  await env.DB.prepare(
    `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until, deadline_at, created_at)
     values (?1, ?2, ?1, 'Doc', 1, 'manual', ?3, ?4, 'running', '2999', '2999', '2000-01-01T00:00:00.000Z')`,
  )
    .bind(crypto.randomUUID(), teamId, userId, suffixHash)
    .run();
  return { suffix, hash: suffixHash };
}

describe("a session made by a key", () => {
  it("may what its key may, and no more", async () => {
    const team = await newTeam();
    const narrow = await newKey(team, { scopes: ["query"] });
    const session = await signIn({ api_key: narrow.key });
    expect((await callIn(session, "GET", "/v4/me")).body.data).toMatchObject({ rights: ["query"], scopes: ["query"] });
    expect((await callIn(session, "GET", "/v4/docs")).status).toBe(403);
  });

  it("ends with its key: at its end, and when it is revoked", async () => {
    const team = await newTeam();
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const [short, gone] = [await newKey(team, { expires_at: end }), await newKey(team, {})];
    expect((await postSession({ api_key: short.key })).body.data.session.expires_at).toBe(end);
    const session = await signIn({ api_key: gone.key });
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(200);
    await call("DELETE", `/v4/users/${team.member.id}/keys/${gone.id}`, { key: team.admin.key });
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(401);
  });

  it("ends with its user, and with its team", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const [theirs, ours] = [await signIn({ api_key: other.admin.key }), await signIn({ api_key: team.member.key })];
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.admin.id).run();
    expect((await call("DELETE", `/v4/users/${team.member.id}`, { key: team.admin.key })).status).toBe(204);
    expect((await call("DELETE", `/v4/admin/teams/${other.id}`, { key: team.admin.key })).status).toBe(204);
    for (const session of [ours, theirs]) expect((await callIn(session, "GET", "/v4/me")).status).toBe(401);
    const left = await env.DB.prepare("select count(*) as n from sessions where user_id in (?, ?)")
      .bind(team.member.id, other.admin.id)
      .first("n");
    expect(left).toBe(0);
  });
});

describe("signOut", () => {
  it("ends the session and its cookie, is audited once, and may be repeated", async () => {
    const team = await newTeam();
    const session = await signIn({ api_key: team.member.key });
    for (const _ of [1, 2]) {
      const { status, headers } = await callIn(session, "DELETE", "/v4/session");
      expect([status, headers.get("set-cookie")]).toEqual([
        204,
        "__Host-fjord=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0",
      ]);
    }
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(401);
    const events = await env.DB.prepare(
      "select actor_id from audit_events where team_id = ? and action = 'session.delete'",
    )
      .bind(team.id)
      .all();
    expect(events.results).toEqual([{ actor_id: team.member.id }]);
  });

  it("does nothing without a cookie, and is refused to other sites", async () => {
    const { member } = await newTeam();
    const session = await signIn({ api_key: member.key });
    const bare = await call("DELETE", "/v4/session", { headers: OWN_PAGE });
    expect([bare.status, bare.headers.has("set-cookie")]).toEqual([204, false]);
    const foreign = await callIn({ ...session, "sec-fetch-site": "cross-site" }, "DELETE", "/v4/session");
    expect(foreign.status).toBe(403);
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(200);
  });
});
