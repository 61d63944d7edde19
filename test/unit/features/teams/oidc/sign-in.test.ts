// Signing in at a team's identity provider: whom it signs in, and what is no answer of it.

import { env as bindings } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../../../../src/core/ids.ts";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { call } from "../../../../support/unit/http.ts";
import { emailOf } from "../../../../support/unit/mail/outbox.ts";
import {
  beginOidc,
  bindIn,
  endOidc,
  newIssuer,
  setProvider,
  signInAt,
  travel,
  type TestIssuer,
} from "../../../../support/unit/sign-in/issuer.ts";
import {
  callIn,
  cookieOf,
  OWN_PAGE,
  postSession,
  signIn,
  somewhere,
} from "../../../../support/unit/sign-in/session.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;

let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});

type Acme = { team: TestTeam; issuer: TestIssuer; providerId: string };

/** A team with a provider. Its people have their addresses at `example.com`. */
async function newAcme({ isProven = true, secret = undefined as string | undefined } = {}): Promise<Acme> {
  const [team, issuer] = [await newTeam(), await newIssuer(secret === undefined ? {} : { secret })];
  const set = await setProvider(team, issuer.url, secret === undefined ? {} : { client_secret: secret });
  expect(set.status).toBe(200);
  if (isProven)
    await call("PUT", `/v4/admin/teams/${team.id}/domains`, {
      key: operator.admin.key,
      body: { domain: "example.com" },
    });
  return { team, issuer, providerId: set.body.data.id };
}

/** The provider signs in this account from now on. */
const asAccount = async ({ issuer }: Acme, subject: string, email?: string, isVerified: unknown = true) =>
  issuer.set({ claims: { sub: subject, ...(email !== undefined && { email, email_verified: isVerified }) } });

const identitiesOf = async (userId: string) =>
  (await env.DB.prepare("select * from identities where user_id = ?").bind(userId).all()).results;
const unbound = { status: 403, body: { error: { code: "forbidden_insufficient_permissions" } } };
const refused = { status: 401, body: { error: { code: "auth_invalid_token" } } };

describe("signing in at an identity provider", () => {
  it("binds a member by a verified address of a proven domain, once, and then goes by the account alone", async () => {
    const acme = await newAcme({ secret: "s3cret" });
    const { team, providerId } = acme;
    await asAccount(acme, "grace", (await emailOf(team.member.id)).toUpperCase());
    const first = await signInAt(providerId);
    expect(first.body.data).toMatchObject({ user: { id: team.member.id }, session: { method: "oidc", key_id: null } });
    await asAccount(acme, "grace", "somebody-else@example.com");
    expect((await signInAt(providerId)).body.data.user.id).toBe(team.member.id);
    expect(await identitiesOf(team.member.id)).toMatchObject([{ subject: "grace", consented_at: null }]);
    const { items } = (await call("GET", "/v4/audit?action=identity.create", { key: team.admin.key })).body.data;
    expect(items).toMatchObject([
      { actor: { id: team.member.id }, after: { subject: "grace", user_id: team.member.id } },
    ]);
  });

  it.each<[string, { isVerified?: unknown; email?(address: string): string | undefined }]>([
    ["an address that the provider has not verified", { isVerified: false }],
    ["an address whose verification is a text", { isVerified: "true" }],
    ["an address of another domain", { email: (address: string) => address.replace("example.com", "other.example") }],
    ["a domain below the proven one", { email: (address: string) => address.replace("@", "@sub.") }],
    ["no address", { email: () => undefined }],
  ])("binds nobody by %s", async (_, { isVerified = true, email = (address) => address }) => {
    const acme = await newAcme();
    const { member } = acme.team;
    const address = email(await emailOf(member.id));
    if (address !== undefined)
      await env.DB.prepare("update users set email = ? where id = ?").bind(address, member.id).run();
    await asAccount(acme, "grace", address, isVerified);
    expect(await signInAt(acme.providerId)).toMatchObject(unbound);
    expect(await identitiesOf(member.id)).toEqual([]);
  });

  it("binds nobody by an address of a domain that is not proven, or no more", async () => {
    const acme = await newAcme({ isProven: false });
    const { team, providerId } = acme;
    await asAccount(acme, "grace", await emailOf(team.member.id));
    await call("POST", "/v4/team/domains", { key: team.admin.key, body: { domain: "example.com" } });
    expect(await signInAt(providerId)).toMatchObject(unbound);
  });

  it("binds no admin and no operator by an address, but by their own doing", async () => {
    const acme = await newAcme();
    const { team, providerId } = acme;
    await asAccount(acme, "ada", await emailOf(team.admin.id));
    expect(await signInAt(providerId)).toMatchObject(unbound);
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.member.id).run();
    await asAccount(acme, "grace", await emailOf(team.member.id));
    expect(await signInAt(providerId)).toMatchObject(unbound);
    expect((await bindIn(await signIn({ api_key: team.member.key }))).status).toBe(201);
    expect((await signInAt(providerId)).body.data).toMatchObject({ user: { id: team.member.id }, is_operator: true });
  });

  it("signs in nobody who became an admin after an address had bound them, until they bind it themselves", async () => {
    const acme = await newAcme();
    const { team, providerId } = acme;
    await asAccount(acme, "grace", await emailOf(team.member.id));
    expect((await signInAt(providerId)).status).toBe(200);
    await call("PATCH", `/v4/users/${team.member.id}`, { key: team.admin.key, body: { role: "admin" } });
    expect(await signInAt(providerId)).toMatchObject(unbound);
    expect((await bindIn(await signIn({ api_key: team.member.key }))).status).toBe(201);
    expect((await signInAt(providerId)).body.data.role).toBe("admin");
  });

  it("ends at once what is signed in at the provider when its user becomes an admin, and nothing else", async () => {
    const acme = await newAcme();
    const { team, providerId } = acme;
    await asAccount(acme, "grace", await emailOf(team.member.id));
    const inIt = { ...OWN_PAGE, cookie: cookieOf(await signInAt(providerId)) };
    const byKey = await signIn({ api_key: team.member.key });
    const statusOf = async (session: Record<string, string>) => (await callIn(session, "GET", "/v4/me")).status;
    const patch = (body: object) => call("PATCH", `/v4/users/${team.member.id}`, { key: team.admin.key, body });
    await patch({ name: "Grace" });
    expect(await statusOf(inIt)).toBe(200);
    await patch({ role: "admin" });
    expect([await statusOf(inIt), await statusOf(byKey)]).toEqual([401, 200]);
    await bindIn(byKey);
    const consented = { ...OWN_PAGE, cookie: cookieOf(await signInAt(providerId)) };
    await patch({ role: "member" });
    await patch({ role: "admin" });
    // Which account has made a session is not known any more, and another may have been bound by an address.
    expect([await statusOf(consented), await statusOf(byKey)]).toEqual([401, 200]);
    const asAdmin = { ...OWN_PAGE, cookie: cookieOf(await signInAt(providerId)) };
    await patch({ name: "Grace H." });
    await patch({ role: "admin" });
    expect(await statusOf(asAdmin)).toBe(200);
  });

  it("signs in users of its own team alone, whoever has the address elsewhere", async () => {
    const [acme, other] = [await newAcme(), await newAcme()];
    await asAccount(acme, "grace", await emailOf(other.team.member.id));
    expect(await signInAt(acme.providerId)).toMatchObject(unbound);
    await asAccount(other, "grace", await emailOf(other.team.member.id));
    expect((await signInAt(other.providerId)).body.data.team.id).toBe(other.team.id);
    // An issuer that two teams have binds anew in the second, and finds nobody of the first.
    const third = await newTeam();
    const provider = (await setProvider(third, other.issuer.url)).body.data.id;
    expect(await signInAt(provider)).toMatchObject(unbound);
  });

  it("gives no right that the user has not, whatever groups and roles the provider names", async () => {
    const acme = await newAcme();
    const email = await emailOf(acme.team.member.id);
    const groups = { groups: ["admins", "operators"], roles: ["admin"], is_operator: true };
    await acme.issuer.set({ claims: { sub: "grace", email, email_verified: true, ...groups } });
    expect((await signInAt(acme.providerId)).body.data).toMatchObject({ role: "member", is_operator: false });
  });

  it.each([
    ["signed by another's key", { fault: "foreign_key" }],
    ["not signed", { fault: "no_signature" }],
    ["signed by a secret instead of a key", { fault: "hmac" }],
    ["for another client", { claims: { sub: "grace", aud: "other" } }],
    ["of another issuer", { claims: { sub: "grace", iss: "https://evil.example" } }],
    ["that has ended", { claims: { sub: "grace", exp: 1 } }],
    ["of another sign-in", { claims: { sub: "grace", nonce: "other" } }],
    ["of nobody", { claims: { sub: "" } }],
  ])("refuses a token %s, and makes no session", async (_, behaviour) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acme = await newAcme();
    await asAccount(acme, "grace", await emailOf(acme.team.member.id));
    expect((await signInAt(acme.providerId)).status).toBe(200);
    await acme.issuer.set(behaviour);
    const answer = await signInAt(acme.providerId);
    expect(answer).toMatchObject(refused);
    expect(answer.headers.has("set-cookie")).toBe(false);
    log.mockRestore();
  });

  it("takes what the provider sends back once, from the browser that began, within ten minutes", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acme = await newAcme();
    await asAccount(acme, "grace", await emailOf(acme.team.member.id));
    const back = await travel(await beginOidc(acme.providerId));
    const other = await travel(await beginOidc(acme.providerId));
    expect(await postSession({ oidc: { parameters: back.parameters } })).toMatchObject(refused);
    expect(await endOidc({ ...back, cookie: other.cookie })).toMatchObject(refused);
    expect(await endOidc({ ...back, cookie: `${back.cookie.slice(0, -3)}xxx` })).toMatchObject(refused);
    expect((await endOidc(back)).status).toBe(200);
    expect(await endOidc(back)).toMatchObject(refused);
    for (const change of [
      (parameters: URLSearchParams) => parameters.set("state", "x"),
      (parameters: URLSearchParams) => parameters.set("iss", "https://evil.example"),
      (parameters: URLSearchParams) => parameters.delete("iss"),
      (parameters: URLSearchParams) => parameters.set("code", "x"),
      (parameters: URLSearchParams) => parameters.set("error", "access_denied"),
    ]) {
      const { parameters, cookie } = await travel(await beginOidc(acme.providerId));
      const changed = new URLSearchParams(parameters);
      change(changed);
      expect(await endOidc({ parameters: changed.toString(), cookie })).toMatchObject(refused);
    }
    log.mockRestore();
  });

  it("sends the browser away with state, nonce and PKCE, and a cookie that scripts can't read", async () => {
    const acme = await newAcme();
    const begun = await beginOidc(acme.providerId);
    const url = new URL(begun.body.data.url);
    expect(url.href.startsWith(`${acme.issuer.url}/authorize?`)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ client_id: "fjord", redirect_uri: "https://fjord.test/app/sign-in/callback", response_type: "code" },
      ...{ scope: "openid email profile", code_challenge_method: "S256" },
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(begun.headers.get("set-cookie")).toMatch(
      /^__Host-fjord-oidc=[\w.-]+; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=600$/,
    );
  });

  it("ends with the provider: one that was given up, or is another, signs nobody in", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acme = await newAcme();
    await asAccount(acme, "grace", await emailOf(acme.team.member.id));
    const back = await travel(await beginOidc(acme.providerId));
    expect((await call("DELETE", "/v4/team/identity-provider", { key: acme.team.admin.key })).status).toBe(204);
    expect(await endOidc(back)).toMatchObject(refused);
    expect((await beginOidc(acme.providerId)).status).toBe(404);
    expect((await beginOidc(newId())).status).toBe(404);
    log.mockRestore();
  });

  it("hands no code and no verifier of one provider to another that took its place meanwhile", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [acme, other] = [await newAcme(), await newIssuer()];
    await asAccount(acme, "grace", await emailOf(acme.team.member.id));
    const back = await travel(await beginOidc(acme.providerId));
    expect((await setProvider(acme.team, other.url)).body.data.id).toBe(acme.providerId);
    expect(await endOidc(back)).toMatchObject(refused);
    expect((await other.requests()).filter((path) => path.includes("token"))).toEqual([]);
    log.mockRestore();
  });

  it("answers 503 where the provider is away, and begins for pages of ours alone", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acme = await newAcme();
    await acme.issuer.set({ fault: "redirected" });
    expect((await beginOidc(acme.providerId)).status).toBe(503);
    const body = { provider_id: acme.providerId };
    expect((await call("POST", "/v4/session/oidc", { body, headers: { "sec-fetch-site": "none" } })).status).toBe(403);
    log.mockRestore();
  });
});

describe("findProviders", () => {
  const find = async (email: string) =>
    (await call("POST", "/v4/session/ways", { body: { email }, headers: { ...OWN_PAGE, ...somewhere() } })).body.data
      .providers;

  it("names those of the address's proven domain alike, whether somebody has the address or not", async () => {
    const acme = await newAcme({ isProven: false });
    const domain = `d${crypto.randomUUID().slice(0, 8)}.example`;
    expect(await find(`x@${domain}`)).toEqual([]);
    await call("PUT", `/v4/admin/teams/${acme.team.id}/domains`, { key: operator.admin.key, body: { domain } });
    for (const email of [`x@${domain}`, `Y@${domain.toUpperCase()}`])
      expect(await find(email)).toEqual([{ id: acme.providerId, name: "Acme" }]);
    expect(await find(`x@sub.${domain}`)).toEqual([]);
  });

  it("is asked so often of one place", async () => {
    const headers = { ...OWN_PAGE, ...somewhere() };
    const ask = async () =>
      (await call("POST", "/v4/session/ways", { body: { email: "x@y.example" }, headers })).status;
    expect(await ask()).toBe(200);
    await env.DB.prepare("update sign_in_tries set tries = ?").bind(TEAM_LIMITS.signInTriesMax).run();
    expect(await ask()).toBe(429);
  });
});

describe("an account that a person binds", () => {
  it("is bound in a session of theirs, signs in from then on, and is unbound by them", async () => {
    const acme = await newAcme({ isProven: false });
    const { team, providerId } = acme;
    await asAccount(acme, "ada");
    const session = await signIn({ api_key: team.admin.key });
    const bound = await bindIn(session);
    expect(bound.body.data).toMatchObject({ issuer: acme.issuer.url, subject: "ada", used_at: null });
    expect((await signInAt(providerId)).body.data).toMatchObject({ user: { id: team.admin.id }, role: "admin" });
    expect((await callIn(session, "GET", "/v4/identities")).body.data.items).toMatchObject([
      { id: bound.body.data.id },
    ]);
    expect((await callIn(session, "DELETE", `/v4/identities/${bound.body.data.id}`)).status).toBe(204);
    expect(await signInAt(providerId)).toMatchObject(unbound);
  });

  it("is nobody else's: neither of two users, nor beside another of the same user", async () => {
    const acme = await newAcme({ isProven: false });
    const { team } = acme;
    const [admin, member] = [await signIn({ api_key: team.admin.key }), await signIn({ api_key: team.member.key })];
    await asAccount(acme, "one");
    expect((await bindIn(admin)).status).toBe(201);
    expect((await bindIn(member)).status).toBe(409);
    await asAccount(acme, "two");
    expect((await bindIn(admin)).status).toBe(409);
    expect(await identitiesOf(team.admin.id)).toMatchObject([{ subject: "one" }]);
  });

  it("needs what was begun by the same user for this: no sign-in of another binds onto them", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acme = await newAcme({ isProven: false });
    const { team, providerId } = acme;
    await asAccount(acme, "mallory");
    const [admin, member] = [await signIn({ api_key: team.admin.key }), await signIn({ api_key: team.member.key })];
    const bind = (session: Record<string, string>, { parameters, cookie }: { parameters: string; cookie: string }) =>
      callIn({ ...session, cookie: `${session["cookie"]}; ${cookie}` }, "POST", "/v4/identities", {
        body: { parameters },
      });
    const forSignIn = await travel(await beginOidc(providerId));
    const byMember = await travel(await callIn(member, "POST", "/v4/identities/oidc"));
    expect((await bind(admin, forSignIn)).status).toBe(422);
    expect((await bind(admin, byMember)).status).toBe(422);
    expect(await endOidc(byMember)).toMatchObject(refused);
    expect(await identitiesOf(team.admin.id)).toEqual([]);
    log.mockRestore();
  });

  it("is not bound by whom the provider has signed in itself, who adds no passkey either", async () => {
    const acme = await newAcme();
    const { team, providerId } = acme;
    await asAccount(acme, "grace", await emailOf(team.member.id));
    const session = { ...OWN_PAGE, cookie: cookieOf(await signInAt(providerId)) };
    for (const path of ["/v4/identities/oidc", "/v4/passkeys/challenge"])
      expect((await callIn(session, "POST", path)).status).toBe(403);
    const { parameters, cookie } = await travel(
      await callIn(await signIn({ api_key: team.member.key }), "POST", "/v4/identities/oidc"),
    );
    const both = { ...session, cookie: `${session.cookie}; ${cookie}` };
    expect((await callIn(both, "POST", "/v4/identities", { body: { parameters } })).status).toBe(403);
    // Ended elsewhere, it is known here for a while yet.
    await env.DB.prepare("update sessions set ended_at = ? where method = 'oidc' and user_id = ?")
      .bind(new Date().toISOString(), team.member.id)
      .run();
    for (const path of ["/v4/identities/oidc", "/v4/passkeys/challenge"])
      expect((await callIn(session, "POST", path)).status).toBe(401);
    expect((await callIn(both, "POST", "/v4/identities", { body: { parameters } })).status).toBe(401);
    expect(await identitiesOf(team.member.id)).toMatchObject([{ consented_at: null }]);
  });

  it("is bound by people in a browser alone, and not by a key that ends", async () => {
    const { team } = await newAcme();
    expect((await call("POST", "/v4/identities/oidc", { key: team.member.key })).status).toBe(409);
    const body = { name: "k", expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const { key } = (await call("POST", `/v4/users/${team.member.id}/keys`, { key: team.admin.key, body })).body.data;
    expect((await callIn(await signIn({ api_key: key }), "POST", "/v4/identities/oidc")).status).toBe(403);
  });
});
