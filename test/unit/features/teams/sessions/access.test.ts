// Signing in by Cloudflare Access: whom an assertion signs in, and what is none.

import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { newId } from "../../../../../src/core/ids.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { forgetSigningKeys } from "../../../../../src/features/teams/cloudflare-access/signing-keys.ts";
import { createSession } from "../../../../../src/features/teams/sign-in/create.ts";
import { openSettings } from "../../../../../src/platform/settings.ts";
import { call } from "../../../../support/unit/http.ts";
import { emailOf } from "../../../../support/unit/mail/outbox.ts";
import { OWN_PAGE, postSession } from "../../../../support/unit/sign-in/session.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
const refused = { status: 401, body: { error: { code: "auth_invalid_token" } } };

/** What Access says of a request: its claims besides its own, the key's name, and what is wrong with it. */
type Said = { claims: Record<string, unknown>; keyId?: string; fault?: string };
const assertion = async (said: Said) =>
  (await fetch(`${inject("issuerUrl")}/assertion`, { method: "POST", body: JSON.stringify(said) })).json<{
    text: string;
    certsAsked: number;
  }>();
const certsAsked = async () => (await assertion({ claims: {} })).certsAsked;

const signInAs = async (said: Said, body: object = {}) =>
  postSession({ access: true, ...body }, { ...OWN_PAGE, "cf-access-jwt-assertion": (await assertion(said)).text });

const setEmail = (userId: string, email: string) =>
  env.DB.prepare("update users set email = ? where id = ?").bind(email, userId).run();

/** Signs in without HTTP, on a platform that is set up otherwise, or at another time. */
const signInOn = async (changed: Partial<Env>, text: string, now = new Date()) =>
  createSession(openClients({ ...env, ...changed }), {
    proof: { access: true },
    request: new Request("https://fjord.test/v4/session", {
      headers: { ...OWN_PAGE, "cf-access-jwt-assertion": text },
    }),
    requestId: newId(),
    now,
  });

beforeEach(forgetSigningKeys);

describe("signing in by Cloudflare Access", () => {
  it("signs in the user of the address, whatever its letters' case, with a session of its own kind", async () => {
    const team = await newTeam();
    const answer = await signInAs({ claims: { email: (await emailOf(team.member.id)).toUpperCase() } });
    expect(answer.body.data).toMatchObject({
      ...{ kind: "signed_in", user: { id: team.member.id }, role: "member" },
      session: { method: "access", key_id: null },
    });
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-fjord=[\w-]{43}; HttpOnly; Secure; SameSite=Lax;/);
  });

  it("asks which team is meant where several have the address, and signs in to none other", async () => {
    const [one, two, other] = [await newTeam(), await newTeam(), await newTeam()];
    const email = `${crypto.randomUUID()}@example.com`;
    for (const { id } of [one.member, two.admin]) await setEmail(id, email);
    const asked = await signInAs({ claims: { email } });
    expect([asked.status, asked.headers.has("set-cookie")]).toEqual([200, false]);
    expect(asked.body.data).toEqual({ kind: "choose_team", teams: [one, two].map(({ id, name }) => ({ id, name })) });
    const chosen = await signInAs({ claims: { email } }, { team_id: two.id });
    expect(chosen.body.data).toMatchObject({ kind: "signed_in", team: { id: two.id }, role: "admin" });
    expect((await signInAs({ claims: { email } }, { team_id: other.id })).status).toBe(403);
    expect((await signInAs({ claims: { email } }, { team_id: "x" })).status).toBe(422);
  });

  it("says so where the address is nobody's, or of a team that is gone", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const answer = await signInAs({ claims: { email } });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden_insufficient_permissions" } } });
    expect(answer.body.message).toContain(email);
    const gone = await newTeam();
    await setEmail(gone.member.id, email);
    await env.DB.prepare("update teams set deleted_at = '2026' where id = ?").bind(gone.id).run();
    expect((await signInAs({ claims: { email } })).status).toBe(403);
  });

  it.each<[string, Omit<Said, "claims"> & { claims?: object }]>([
    ["signed by another's key", { fault: "foreign_key" }],
    ["not signed", { fault: "no_signature" }],
    ["signed by a secret instead of a key", { fault: "hmac" }],
    ["signed by a key that Access has not", { keyId: "two" }],
    ["of another application", { claims: { aud: ["other"] } }],
    ["of no application", { claims: { aud: null } }],
    ["of another issuer", { claims: { iss: "https://evil.cloudflareaccess.com" } }],
    ["that is over", { claims: { exp: Math.floor(Date.now() / 1_000) - 1 } }],
    ["without an end", { claims: { exp: null } }],
    ["that has not begun", { claims: { nbf: Math.floor(Date.now() / 1_000) + 600 } }],
    ["of a program, by a service token", { claims: { email: undefined, common_name: "robot" } }],
    ["whose address is no text", { claims: { email: ["x@example.com"] } }],
    ["whose address has a letter that folds to another", { claims: { email: "\u212Aate@example.com" } }],
  ])("refuses an assertion %s, and makes no session", async (_, { claims, ...said }) => {
    const email = await emailOf((await newTeam()).member.id);
    expect((await signInAs({ claims: { email } })).status).toBe(200);
    const answer = await signInAs({ ...said, claims: { email, ...claims } });
    expect(answer).toMatchObject(refused);
    expect(answer.headers.has("set-cookie")).toBe(false);
  });

  it("refuses one that was changed, cut, or is none, and a request without one", async () => {
    const { text } = await assertion({ claims: { email: await emailOf((await newTeam()).member.id) } });
    const [head, , signature] = text.split(".");
    const other = btoa(JSON.stringify({ email: "x@example.com" })).replaceAll("=", "");
    for (const sent of [`${head}.${other}.${signature}`, text.slice(0, -4), `${text}.x`, "x", "x".repeat(10_000)])
      expect(await postSession({ access: true }, { ...OWN_PAGE, "cf-access-jwt-assertion": sent })).toMatchObject(
        refused,
      );
    expect(await postSession({ access: true })).toMatchObject(refused);
    expect((await postSession({ access: false })).status).toBe(422);
  });

  it("is for pages of the platform's own, on a platform that is behind Access", async () => {
    const { text } = await assertion({ claims: { email: await emailOf((await newTeam()).member.id) } });
    const headers = { "cf-access-jwt-assertion": text };
    expect((await postSession({ access: true }, { ...headers, "sec-fetch-site": "cross-site" })).status).toBe(403);
    await expect(signInOn({ ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "" }, text)).rejects.toMatchObject({
      code: "invalid_request",
    });
    await expect(signInOn({ ACCESS_AUD: "other" }, text)).rejects.toMatchObject({ code: "auth_invalid_token" });
  });
});

describe("the keys of Access", () => {
  it("are asked for once while they are known, and no oftener than each minute for one that is not", async () => {
    const email = await emailOf((await newTeam()).member.id);
    const { text } = await assertion({ claims: { email, exp: Math.floor(Date.now() / 1_000) + 86_400 } });
    const unknown = (await assertion({ claims: { email }, keyId: "two" })).text;
    const before = await certsAsked();
    const now = new Date();
    await signInOn({}, text, now);
    await signInOn({}, text, now);
    for (let tries = 0; tries < 3; tries++)
      await expect(signInOn({}, unknown, now)).rejects.toMatchObject({ code: "auth_invalid_token" });
    expect((await certsAsked()) - before).toBe(1);
    await expect(signInOn({}, unknown, new Date(now.getTime() + 61_000))).rejects.toThrow();
    expect((await certsAsked()) - before).toBe(2);
    await signInOn({}, text, new Date(now.getTime() + 3_700_000));
    expect((await certsAsked()) - before).toBe(3);
  });

  it("are asked for by no assertion that is not of this application", async () => {
    const before = await certsAsked();
    for (const claims of [{ aud: "other" }, { iss: "https://evil.example" }, { exp: 1 }]) await signInAs({ claims });
    expect(await certsAsked()).toBe(before);
  });

  it("answers 503 where they are away", async () => {
    const { text } = await assertion({ claims: { email: "x@example.com", iss: "http://127.0.0.1:9" } });
    await expect(signInOn({ ACCESS_TEAM_DOMAIN: "http://127.0.0.1:9" }, text)).rejects.toMatchObject({
      code: "source_unavailable",
    });
  });
});

describe("the ways to sign in", () => {
  it("name Access where a request came through it, on a platform that is behind it", async () => {
    const waysOf = async (headers: Record<string, string>) =>
      (await call("GET", "/v4/session/ways", { headers })).body.data.access;
    expect(await waysOf({})).toBe(false);
    expect(await waysOf({ "cf-access-jwt-assertion": "x" })).toBe(true);
  });
});

describe("the settings of Access", () => {
  it("are a host and a tag, both or neither", () => {
    const settings = (domain: string, audience: string) =>
      openSettings({ ...env, ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: audience }).access;
    expect(settings("", "")).toBeUndefined();
    expect(settings("acme.cloudflareaccess.com", "tag")).toEqual({
      ...{ issuer: "https://acme.cloudflareaccess.com", audience: "tag" },
    });
    for (const [domain, audience] of [
      ["acme.cloudflareaccess.com", ""],
      ["", "tag"],
      ["acme.cloudflareaccess.com/path", "tag"],
      ["https://acme.cloudflareaccess.com/path", "tag"],
    ] as const)
      expect(() => settings(domain, audience)).toThrow("go together");
  });
});
