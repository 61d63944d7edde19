// The sessions that there are: who sees and ends whose, and when they are forgotten.

import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openClients } from "../../../../../src/clients/clients.ts";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { newId } from "../../../../../src/core/ids.ts";
import { sweepSessions } from "../../../../../src/features/teams/sessions/sweep.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call } from "../../../../support/unit/http.ts";
import { callIn, postSession, signIn } from "../../../../support/unit/sign-in/session.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
const clients = openClients(env);
const idOf = async (session: Record<string, string>): Promise<string> =>
  (await callIn(session, "GET", "/v4/me")).body.data.session_id;
const listed = async (key: string, path = "/v4/sessions") =>
  ((await call("GET", path, { key })).body.data.items as { id: string }[]).map(({ id }) => id);
const makeOperator = (team: TestTeam) =>
  env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.admin.id).run();

refusesStrangers("listUserSessions", (key) => call("GET", `/v4/users/${newId()}/sessions`, { key }), {
  right: "team:manage",
});

describe("listSessions", () => {
  it("lists one's own that work, the newest first, and says which one asks", async () => {
    const { member, admin } = await newTeam();
    const [first, second] = [await signIn({ api_key: member.key }), await signIn({ api_key: member.key })];
    await signIn({ api_key: admin.key });
    const ended = await signIn({ api_key: member.key });
    await callIn(ended, "DELETE", "/v4/session");
    const { items, total } = (await callIn(second, "GET", "/v4/sessions")).body.data;
    expect([items.map(({ id }: { id: string }) => id), total]).toEqual([[await idOf(second), await idOf(first)], 2]);
    expect(items.map((item: { is_current: boolean }) => item.is_current)).toEqual([true, false]);
  });

  it("shows a key with scopes the sessions that it has made", async () => {
    const team = await newTeam();
    await signIn({ api_key: team.member.key });
    const body = { name: "narrow", scopes: ["query"] };
    const { key } = (await call("POST", `/v4/users/${team.member.id}/keys`, { key: team.admin.key, body })).body.data;
    const own = await signIn({ api_key: key });
    expect(await listed(key)).toEqual([await idOf(own)]);
    expect(await listed(team.member.key)).toHaveLength(2);
  });

  it("lists a user's for whoever manages the team", async () => {
    const { member, admin } = await newTeam();
    const session = await signIn({ api_key: member.key });
    expect(await listed(admin.key, `/v4/users/${member.id}/sessions`)).toEqual([await idOf(session)]);
  });
});

describe("deleteSession", () => {
  it("ends one's own: from then on it is nobody's, and is not listed", async () => {
    const { member } = await newTeam();
    const session = await signIn({ api_key: member.key });
    const id = await idOf(session);
    expect((await call("DELETE", `/v4/sessions/${id}`, { key: member.key })).status).toBe(204);
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(401);
    expect(await listed(member.key)).toEqual([]);
    expect((await call("DELETE", `/v4/sessions/${id}`, { key: member.key })).status).toBe(404);
  });

  it("ends nobody else's but for who manages the team, and says so in the audit log", async () => {
    const team = await newTeam();
    const [other, session] = [await team.newMember(), await signIn({ api_key: team.member.key })];
    const id = await idOf(session);
    expect((await call("DELETE", `/v4/sessions/${id}`, { key: other.key })).status).toBe(404);
    expect((await call("DELETE", `/v4/sessions/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await callIn(session, "GET", "/v4/me")).status).toBe(401);
    const { items } = (await call("GET", "/v4/audit?action=session.delete", { key: team.admin.key })).body.data;
    expect(items).toMatchObject([
      { actor: { id: team.admin.id }, subject_id: id, before: { user_id: team.member.id } },
    ]);
  });

  it("is kept from a key with scopes for sessions that it has not made", async () => {
    const team = await newTeam();
    const session = await signIn({ api_key: team.member.key });
    const body = { name: "narrow", scopes: ["query"] };
    const { key } = (await call("POST", `/v4/users/${team.member.id}/keys`, { key: team.admin.key, body })).body.data;
    expect((await call("DELETE", `/v4/sessions/${await idOf(session)}`, { key })).status).toBe(404);
  });

  it("ends an operator's for operators alone", async () => {
    const team = await newTeam();
    await makeOperator(team);
    const admin = await team.newMember("admin");
    const session = await signIn({ api_key: team.admin.key });
    const id = await idOf(session);
    expect((await call("DELETE", `/v4/sessions/${id}`, { key: admin.key })).status).toBe(403);
    expect((await callIn(session, "DELETE", `/v4/sessions/${id}`)).status).toBe(204);
  });
});

describe("sweepSessions", () => {
  it("forgets sessions a day after their end, and no sooner", async () => {
    const { member, id: teamId } = await newTeam();
    const [, ended] = [await postSession({ api_key: member.key }), await signIn({ api_key: member.key })];
    await callIn(ended, "DELETE", "/v4/session");
    const count = () => env.DB.prepare("select count(*) as n from sessions where team_id = ?").bind(teamId).first("n");
    const at = (ms: number) => new Date(Date.now() + ms);
    const { sessionKeptMs, sessionIdleMs } = TEAM_LIMITS;
    await sweepSessions(clients, at(sessionKeptMs - 60_000));
    expect(await count()).toBe(2);
    await sweepSessions(clients, at(sessionKeptMs + 60_000));
    expect(await count()).toBe(1);
    await sweepSessions(clients, at(sessionIdleMs + sessionKeptMs - 60_000));
    expect(await count()).toBe(1);
    await sweepSessions(clients, at(sessionIdleMs + sessionKeptMs + 60_000));
    expect(await count()).toBe(0);
    expect(await env.DB.prepare("select count(*) as n from sign_in_tries").first("n")).toBe(0);
  });
});
