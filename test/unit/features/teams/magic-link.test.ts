// A link that signs in: who can make one, and ask for one by mail, and that it signs in once.

import { env as bindings } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { TEAM_LIMITS } from "../../../../src/features/teams/limits.ts";
import { createMagicLink } from "../../../../src/features/teams/magic-links/create.ts";
import { createSession } from "../../../../src/features/teams/sign-in/create.ts";
import { sweepMagicLinks } from "../../../../src/features/teams/magic-links/sweep.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { emailOf, lastMailTo, mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { callIn, OWN_PAGE, postSession, signIn } from "../../../support/unit/sign-in/session.ts";
import { addTeamRow, newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

const env = bindings as Env;
const clients = openClients(env);
const MESSAGE = "This does not sign anybody in, or no longer. Ask for a new link, or use another way.";

let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});

const ask = (teamId: string, key = operator.admin.key) => call("POST", `/v4/admin/teams/${teamId}/magic-link`, { key });
const tokenOf = (url: string): string => new URL(url).hash.slice(1);
const newLink = async (team: TestTeam): Promise<string> => tokenOf((await ask(team.id)).body.data.url);
/** The team's own rows: the end of another team, which an earlier test asked for, goes on meanwhile. */
const rowsOf = (team: TestTeam) =>
  Promise.all(
    [
      "select * from magic_links where team_id = ? order by id",
      "select id, user_id from sessions where team_id = ? order by id",
      "select id, action from audit_events where team_id = ? order by id",
    ].map(async (sql) => (await env.DB.prepare(sql).bind(team.id).all()).results),
  );
const expectDead = async (token: string) =>
  expect(await postSession({ link: token })).toMatchObject({
    status: 401,
    body: { message: MESSAGE, error: { code: "auth_invalid_token" } },
  });
/** Signs in without HTTP, at a time and on a database of the test's. */
const use = (token: string, { deps = clients, afterMs = 0 } = {}) =>
  createSession(deps, {
    proof: { link: token },
    request: new Request("https://fjord.test/v4/session", { headers: OWN_PAGE }),
    requestId: newId(),
    now: new Date(Date.now() + afterMs),
  });

refusesStrangers("createMagicLink", (key) => call("POST", `/v4/admin/teams/${newId()}/magic-link`, { key }), {
  right: "platform:operate",
});

describe("createMagicLink", () => {
  it("names the team's first admin, where the page is, and when it ends; only a hash of it is stored", async () => {
    const team = await newTeam();
    await team.newMember("admin");
    const { status, body } = await ask(team.id);
    expect([status, body.data.user.id]).toEqual([200, team.admin.id]);
    expect(body.data.url).toMatch(/^https:\/\/fjord\.test\/app\/sign-in#[A-Za-z0-9]{32}$/);
    expect(Date.parse(body.data.expires_at) - Date.now()).toBeLessThanOrEqual(TEAM_LIMITS.magicLinkMs);
    const token = tokenOf(body.data.url);
    for (const table of ["magic_links", "audit_events"])
      expect(JSON.stringify((await env.DB.prepare(`select * from ${table}`).all()).results)).not.toContain(token);
    const event = await env.DB.prepare(
      "select actor_id, is_by_operator from audit_events where team_id = ? and action = 'magic_link.create'",
    )
      .bind(team.id)
      .first();
    expect(event).toEqual({ actor_id: operator.admin.id, is_by_operator: 1 });
  });

  it("mails the link to the admin who is named, and keeps it nowhere else", async () => {
    const team = await newTeam();
    const { body } = await ask(team.id);
    expect(body.data.mailed).toBe(true);
    const mail = await lastMailTo(body.data.user.email);
    expect(mail.text).toContain(`${body.data.url}\n`);
    expect(mail.headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
    expect((await postSession({ link: tokenOf(body.data.url) })).status).toBe(200);
  });

  it("mails nothing where it is not wanted, mail is not set up, or the team's mails of the day are used up", async () => {
    const team = await newTeam();
    const scope = scopeOf(operator.id, operator.admin.id, true);
    const make = (deps: object, mail = true) =>
      createMagicLink({ ...clients, scope, ...deps }, team.id, { origin: "https://fjord.test", mail });
    const before = (await clients.mail.outbox!.list()).length;
    const none = { kind: "none", outbox: undefined, send: () => expect.unreachable() };
    expect(await make({ mail: none })).toMatchObject({ mailed: false });
    const unwanted = await call("POST", `/v4/admin/teams/${team.id}/magic-link`, {
      key: operator.admin.key,
      body: { mail: false },
    });
    expect(unwanted.body.data.mailed).toBe(false);
    await useUpMails(team.id);
    expect(await make({})).toMatchObject({ mailed: false, url: expect.stringContaining("/app/sign-in#") as string });
    expect((await clients.mail.outbox!.list()).length).toBe(before);
  });

  it("answers 404 where there is no such team, it was deleted, or it has no admin", async () => {
    const [bare, gone] = [newId(), await newTeam()];
    await addTeamRow(bare);
    await call("DELETE", `/v4/admin/teams/${gone.id}`, { key: operator.admin.key });
    for (const id of [newId(), "no-uuid", bare, gone.id]) expect((await ask(id)).status).toBe(404);
  });

  it("ends the link before it, so that one works at a time, and none of another team", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const [first, theirs, second] = [await newLink(team), await newLink(other), await newLink(team)];
    await expectDead(first);
    expect((await postSession({ link: second })).status).toBe(200);
    expect((await postSession({ link: theirs })).status).toBe(200);
  });

  it("opens no operator's account to a key that has some of an operator's rights only", async () => {
    const narrow = (
      await call("POST", `/v4/users/${operator.admin.id}/keys`, {
        key: operator.admin.key,
        body: { name: "narrow", scopes: ["platform:operate"] },
      })
    ).body.data.key;
    expect((await ask(operator.id, narrow)).status).toBe(403);
    expect((await ask(operator.id)).status).toBe(200);
    expect((await ask((await newTeam()).id, narrow)).status).toBe(200);
  });
});

describe("signing in by a link", () => {
  it("makes a session of the admin, as an audited sign-in that names the link", async () => {
    const team = await newTeam();
    const { status, body } = await postSession({ link: await newLink(team) });
    expect(status).toBe(200);
    const { session, ...me } = body.data;
    expect(me).toMatchObject({ user: { id: team.admin.id }, role: "admin", scopes: null, key_id: session.id });
    expect(session).toMatchObject({ method: "link", key_id: null });
    const { results } = await env.DB.prepare(
      "select actor_id, key_id, action, after from audit_events where team_id = ? and action in ('magic_link.use', 'session.create') order by action",
    )
      .bind(team.id)
      .all<{ after: string }>();
    const by = { actor_id: team.admin.id, key_id: session.id };
    expect(results).toMatchObject([by, by]);
    expect(JSON.parse(results[0]!.after)).toEqual({ user_id: team.admin.id, session_id: session.id });
  });

  it("works once, however many confirm at once", async () => {
    const team = await newTeam();
    const token = await newLink(team);
    let arrived = 0;
    const meeting = openClients({
      ...env,
      DB: {
        prepare: (text: string) => env.DB.prepare(text),
        // Each has seen a link that works before the first of them uses it.
        batch: async (statements: D1PreparedStatement[]) => {
          arrived++;
          await vi.waitUntil(() => arrived >= 5, { timeout: 60_000, interval: 5 });
          return env.DB.batch(statements);
        },
      } as unknown as D1Database,
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => use(token, { deps: meeting })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [, sessions, events] = await rowsOf(team);
    expect(sessions).toHaveLength(1);
    expect(events!.filter(({ action }) => action === "magic_link.use" || action === "session.create")).toHaveLength(2);
  });

  it("is refused in the same words, to the byte, for what was used, never was, is late, or whose user is gone", async () => {
    for (const token of ["A".repeat(32), "x", " ".repeat(150)]) await expectDead(token);

    const used = await newTeam();
    const token = await newLink(used);
    await postSession({ link: token });
    await expectDead(token);

    const other = await newTeam();
    const removed = await newLink(other);
    await env.DB.prepare("delete from api_keys where user_id = ?").bind(other.admin.id).run();
    await env.DB.prepare("delete from users where id = ?").bind(other.admin.id).run();
    await expectDead(removed);

    const gone = await newTeam();
    const last = await newLink(gone);
    await call("DELETE", `/v4/admin/teams/${gone.id}`, { key: operator.admin.key });
    await expectDead(last);

    const late = await newLink(await newTeam());
    await expect(use(late, { afterMs: TEAM_LIMITS.magicLinkMs + 1_000 })).rejects.toMatchObject({ message: MESSAGE });
    const signedIn = await use(late, { afterMs: TEAM_LIMITS.magicLinkMs - 60_000 });
    expect(signedIn.value).toMatchObject({ kind: "signed_in", session: { method: "link" } });
  });

  it("works for nobody once it was exchanged for a key, as links were before there were sessions", async () => {
    const team = await newTeam();
    const token = await newLink(team);
    await env.DB.prepare("update magic_links set key_id = ? where team_id = ?").bind(newId(), team.id).run();
    await expectDead(token);
  });

  it("gives what its user may by then: one who was demoted meanwhile is a member", async () => {
    const team = await newTeam();
    const token = await newLink(team);
    await env.DB.prepare("update users set role = 'member' where id = ?").bind(team.admin.id).run();
    expect((await postSession({ link: token })).body.data.role).toBe("member");
  });

  it("makes no session for a user who goes between the look and the commit, and leaves the link as it was", async () => {
    const team = await newTeam();
    const token = await newLink(team);
    const racing = openClients({
      ...env,
      DB: {
        prepare: (text: string) => env.DB.prepare(text),
        batch: async (statements: D1PreparedStatement[]) => {
          await env.DB.prepare("update teams set deleted_at = '2000' where id = ?").bind(team.id).run();
          return env.DB.batch(statements);
        },
      } as unknown as D1Database,
    });
    const before = await rowsOf(team);
    await expect(use(token, { deps: racing })).rejects.toMatchObject({ message: MESSAGE });
    expect(await rowsOf(team)).toEqual(before);
  });
});

const askByMail = (email: string, headers: Record<string, string> = OWN_PAGE) =>
  call("POST", "/v4/session/links", { body: { email }, headers });

describe("requestSignInLink", () => {
  it("mails one link into each team of the address, in one mail, and each signs in there", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const email = await emailOf(team.member.id);
    const second = { name: "Ada", email, role: "member" };
    await call("POST", "/v4/users", { key: other.admin.key, body: second });
    const { status, body } = await askByMail(email.toUpperCase());
    expect([status, body.data]).toEqual([202, { expires_in_seconds: 900 }]);
    await vi.waitUntil(async () => (await mailsTo(email)).length > 0, { timeout: 60_000 });
    const [mail, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    const urls = mail!.text!.match(/https:\/\/fjord\.test\/app\/sign-in#\w+/g)!;
    expect(urls).toHaveLength(2);
    const teams = await Promise.all(
      urls.map(async (url) => (await callIn(await signIn({ link: tokenOf(url) }), "GET", "/v4/me")).body.data.team.id),
    );
    expect(teams.sort()).toEqual([team.id, other.id].sort());
  });

  it("answers alike for an address that nobody has, and mails nothing there", async () => {
    const team = await newTeam();
    const [known, unknown] = [await emailOf(team.member.id), `nobody-${crypto.randomUUID()}@example.com`];
    const [one, two] = [await askByMail(known), await askByMail(unknown)];
    expect([two.status, two.body.data]).toEqual([one.status, one.body.data]);
    await vi.waitUntil(async () => (await mailsTo(known)).length > 0, { timeout: 60_000 });
    expect(await mailsTo(unknown)).toEqual([]);
  });

  it("does not end links that were asked for before, so that a stranger can't", async () => {
    const team = await newTeam();
    const email = await emailOf(team.admin.id);
    const first = await newLink(team);
    const sent = (await mailsTo(email)).length;
    await askByMail(email);
    await vi.waitUntil(async () => (await mailsTo(email)).length > sent, { timeout: 60_000 });
    expect((await postSession({ link: first })).status).toBe(200);
  });

  it("is bounded for an address, known or not, and for a caller", async () => {
    for (const email of [await emailOf((await newTeam()).member.id), `x-${crypto.randomUUID()}@example.com`]) {
      for (let asked = 0; asked < TEAM_LIMITS.linkAsksPerMailAddressMax; asked++)
        expect((await askByMail(email)).status).toBe(202);
      const { status, headers } = await askByMail(email);
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    }
    const from = { ...OWN_PAGE, "cf-connecting-ip": "198.51.100.9" };
    expect((await askByMail("one@example.com", from)).status).toBe(202);
    await env.DB.prepare("update sign_in_tries set tries = ? where subject like 'link from %'")
      .bind(TEAM_LIMITS.linkAsksPerCallerMax)
      .run();
    expect((await askByMail("two@example.com", from)).status).toBe(429);
    await env.DB.prepare("delete from sign_in_tries").run();
  });

  it("uses up none of the team's mails, and works where they are used up", async () => {
    const team = await newTeam();
    const email = await emailOf(team.member.id);
    await useUpMails(team.id);
    await askByMail(email);
    await vi.waitUntil(async () => (await mailsTo(email)).length > 0, { timeout: 60_000 });
  });

  it("is refused to other sites, and where no mail is set up", async () => {
    expect((await askByMail("a@example.com", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const { callWith } = await import("../../../support/unit/call-with.ts");
    const without = { MAIL_FROM: "" };
    const answer = await callWith(without, "POST", "/v4/session/links", {
      body: { email: "a@example.com" },
      headers: OWN_PAGE,
    });
    expect([answer.status, (answer.body as { error: { code: string } }).error.code]).toEqual([503, "mail_unavailable"]);
  });
});

describe("sweepMagicLinks", () => {
  it("forgets links a day after their end, and no sooner", async () => {
    const team = await newTeam();
    const scope = scopeOf(operator.id, operator.admin.id, true);
    await createMagicLink({ ...clients, scope }, team.id, { origin: "https://fjord.test", mail: false });
    const at = (ms: number) => new Date(Date.now() + TEAM_LIMITS.magicLinkMs + TEAM_LIMITS.magicLinkKeptMs + ms);
    const count = () =>
      env.DB.prepare("select count(*) as n from magic_links where team_id = ?").bind(team.id).first("n");
    await sweepMagicLinks(clients, at(-60_000));
    expect(await count()).toBe(1);
    await sweepMagicLinks(clients, at(60_000));
    expect(await count()).toBe(0);
  });
});
