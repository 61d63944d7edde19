// A link that signs in: who can make one, what opening it does (nothing), and that it gives a key once.

import { env as bindings } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { TEAM_LIMITS } from "../../../../src/core/teams/limits.ts";
import { createMagicLink } from "../../../../src/features/teams/magic-links/create.ts";
import { exchangeMagicLink } from "../../../../src/features/teams/magic-links/exchange.ts";
import { sweepMagicLinks } from "../../../../src/features/teams/magic-links/sweep.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call, send } from "../../../support/unit/http.ts";
import { lastMailTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { addTeamRow, newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

const env = bindings as Env;
const clients = openClients(env);
const MESSAGE = "This link does not work, or no longer. Ask for a new one.";

let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});

const ask = (teamId: string, key = operator.admin.key) => call("POST", `/v4/admin/teams/${teamId}/magic-link`, { key });
const newLink = async (team: TestTeam): Promise<string> => new URL((await ask(team.id)).body.data.url).pathname;
/** The team's own rows: the end of another team, which an earlier test asked for, goes on meanwhile. */
const rowsOf = (team: TestTeam) =>
  Promise.all(
    [
      "select * from magic_links where team_id = ? order by id",
      "select id, expires_at, revoked_at from api_keys where team_id = ? order by id",
      "select id, action from audit_events where team_id = ? order by id",
    ].map(async (sql) => (await env.DB.prepare(sql).bind(team.id).all()).results),
  );
const HTML = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
const expectDead = async (path: string) =>
  expect(await call("POST", path)).toMatchObject({
    status: 404,
    body: { message: MESSAGE, error: { code: "resource_not_found" } },
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
    expect(body.data.url).toMatch(/^https:\/\/fjord\.test\/sign-in\/[A-Za-z0-9]{32}$/);
    expect(Date.parse(body.data.expires_at) - Date.now()).toBeLessThanOrEqual(TEAM_LIMITS.magicLinkMs);
    const token = body.data.url.split("/").at(-1);
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
    expect((await call("POST", new URL(body.data.url).pathname)).status).toBe(200);
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
    expect(await make({})).toMatchObject({ mailed: false, url: expect.stringContaining("/sign-in/") as string });
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
    expect((await call("POST", second)).status).toBe(200);
    expect((await call("POST", theirs)).status).toBe(200);
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

describe("the page", () => {
  it("does nothing, however often a scanner opens it, and says at once where a link does not work", async () => {
    const team = await newTeam();
    const path = await newLink(team);
    const before = await rowsOf(team);
    const texts = await Promise.all(
      [path, path, `${path}?utm_source=mail`].map(async (at) => {
        const answer = await send("GET", at);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
        return (await answer.text()).replace(/nonce="\w+"/, "");
      }),
    );
    expect((await send("HEAD", path)).status).toBe(200);
    expect(new Set(texts).size).toBe(1);
    expect(await rowsOf(team)).toEqual(before);
    const dead = async (at: string) => {
      const answer = await send("GET", at);
      const text = await answer.text();
      return [answer.status, text.includes("<form"), text.includes("This link does not work, or no longer.")];
    };
    for (const at of ["/sign-in/nonsense", `/sign-in/${"A".repeat(32)}`])
      expect(await dead(at)).toEqual([404, false, true]);
    expect((await call("POST", path)).status).toBe(200);
    expect(await dead(path)).toEqual([404, false, true]);
  });

  it.each(["GET", "POST"])("answers %s with headers that keep it to itself", async (method) => {
    const path = await newLink(await newTeam());
    const { headers } = await send(method, path, { headers: HTML });
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy")!;
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  it("shows the key to a browser, with names as text and never as markup", async () => {
    const team = await newTeam();
    await call("PATCH", `/v4/admin/teams/${team.id}`, {
      key: operator.admin.key,
      body: { name: `<img src=x onerror="x">&'` },
    });
    const path = await newLink(team);
    const answer = await send("POST", path, { headers: HTML });
    const text = await answer.text();
    const key = /<code>([^<]+)<\/code>/.exec(text)?.[1];
    expect(text).not.toContain("<img");
    expect((await call("GET", "/v4/me", { key: key! })).body.data.user.id).toBe(team.admin.id);
    const again = await send("POST", path, { headers: HTML });
    expect([again.status, await again.text()]).toEqual([404, expect.stringContaining(MESSAGE)]);
  });
});

describe("exchangeMagicLink", () => {
  it("gives a key of the admin, named after it, for eight hours, as an audited sign-in", async () => {
    const team = await newTeam();
    const { status, body } = await call("POST", await newLink(team));
    expect(status).toBe(200);
    const { user, api_key: key } = body.data;
    expect([user.id, key.name]).toEqual([team.admin.id, "Sign-in by link"]);
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(8 * 3_600_000);
    expect((await call("GET", "/v4/me", { key: key.key })).body.data).toMatchObject({
      role: "admin",
      team: { id: team.id },
    });
    const event = await env.DB.prepare(
      "select actor_id, key_id, after from audit_events where team_id = ? and action = 'magic_link.use'",
    )
      .bind(team.id)
      .first();
    expect(event).toMatchObject({ actor_id: team.admin.id, key_id: key.id });
    expect(event!.after).not.toContain(key.key.split("-").at(-1));
  });

  it("works once, however many confirm at once", async () => {
    const team = await newTeam();
    const token = (await newLink(team)).split("/").at(-1)!;
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
    const before = await env.DB.prepare("select count(*) as n from api_keys where team_id = ?")
      .bind(team.id)
      .first<number>("n");
    const use = () => exchangeMagicLink(meeting, { token, requestId: newId(), now: new Date() });
    const outcomes = await Promise.allSettled([use(), use(), use(), use(), use()]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const after = await env.DB.prepare("select count(*) as n from api_keys where team_id = ?")
      .bind(team.id)
      .first<number>("n");
    expect(after! - before!).toBe(1);
    const audited = await env.DB.prepare(
      "select count(*) as n from audit_events where team_id = ? and action = 'magic_link.use'",
    )
      .bind(team.id)
      .first("n");
    expect(audited).toBe(1);
  });

  it("refuses in the same words, to the byte, what was used, never was, is late, or whose admin is none any more", async () => {
    const strange = `/sign-in/${"A".repeat(32)}`;
    await expectDead(strange);
    await expectDead("/sign-in/x");
    await expectDead(`/sign-in/${"%20".repeat(500)}`);

    const used = await newTeam();
    const path = await newLink(used);
    await call("POST", path);
    await expectDead(path);

    const demoted = await newTeam();
    await demoted.newMember("admin");
    const theirs = await newLink(demoted);
    const other = await newTeam();
    const removed = await newLink(other);
    await env.DB.prepare("update users set role = 'member' where id = ?").bind(demoted.admin.id).run();
    await env.DB.prepare("delete from api_keys where user_id = ?").bind(other.admin.id).run();
    await env.DB.prepare("delete from users where id = ?").bind(other.admin.id).run();
    await expectDead(theirs);
    await expectDead(removed);

    const gone = await newTeam();
    const last = await newLink(gone);
    await call("DELETE", `/v4/admin/teams/${gone.id}`, { key: operator.admin.key });
    await expectDead(last);

    const late = await newTeam();
    const token = (await newLink(late)).split("/").at(-1)!;
    const use = (afterMs: number) =>
      exchangeMagicLink(clients, { token, requestId: newId(), now: new Date(Date.now() + afterMs) });
    await expect(use(TEAM_LIMITS.magicLinkMs + 1_000)).rejects.toMatchObject({
      code: "resource_not_found",
      message: MESSAGE,
    });
    expect((await use(TEAM_LIMITS.magicLinkMs - 60_000)).user.id).toBe(late.admin.id);
  });

  it("gives nothing to an admin who is demoted between the look and the commit", async () => {
    const team = await newTeam();
    const token = (await newLink(team)).split("/").at(-1)!;
    const racing = openClients({
      ...env,
      DB: {
        prepare: (text: string) => env.DB.prepare(text),
        batch: async (statements: D1PreparedStatement[]) => {
          await env.DB.prepare("update users set role = 'member' where id = ?").bind(team.admin.id).run();
          return env.DB.batch(statements);
        },
      } as unknown as D1Database,
    });
    const before = await rowsOf(team);
    await expect(exchangeMagicLink(racing, { token, requestId: newId(), now: new Date() })).rejects.toMatchObject({
      message: MESSAGE,
    });
    expect(await rowsOf(team)).toEqual(before);
  });

  it("keeps the link out of the log where the platform breaks", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { callWith } = await import("../../../support/unit/call-with.ts");
    const token = "S".repeat(32);
    const broken = {
      DB: {
        prepare: () => {
          throw new Error("no database");
        },
      } as unknown as D1Database,
    };
    expect((await callWith(broken, "POST", `/sign-in/${token}`)).status).toBe(500);
    expect(log.mock.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(log.mock.calls)).not.toContain(token);
    log.mockRestore();
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
