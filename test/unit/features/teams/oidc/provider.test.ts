// A team's identity provider and its mail domains: what is asked of whom before they count.

import { env as bindings } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../../src/core/ids.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { resealIdentityProviders } from "../../../../../src/features/teams/identity-provider/reseal.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call } from "../../../../support/unit/http.ts";
import { newIssuer, setProvider, setTexts } from "../../../../support/unit/sign-in/issuer.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
const NEW = { name: "Acme", issuer: "https://id.acme.example", client_id: "fjord" };

refusesStrangers("setIdentityProvider", (key) => call("PUT", "/v4/team/identity-provider", { key, body: NEW }), {
  right: "team:manage",
});
refusesStrangers(
  "createTeamDomain",
  (key) => call("POST", "/v4/team/domains", { key, body: { domain: "a.example" } }),
  { right: "team:manage" },
);
refusesStrangers(
  "setTeamDomain",
  (key) => call("PUT", `/v4/admin/teams/${newId()}/domains`, { key, body: { domain: "a.example" } }),
  { right: "platform:operate" },
);

describe("setIdentityProvider", () => {
  it("keeps the secret sealed and to itself, keeps it when it is not sent, and forgets it for null", async () => {
    const [team, issuer] = [await newTeam(), await newIssuer()];
    const secret = `secret-${crypto.randomUUID()}`;
    const first = await setProvider(team, issuer.url, { client_secret: secret });
    expect(first.body.data).toMatchObject({
      ...{ issuer: issuer.url, has_secret: true, callback_url: "https://fjord.test/app/sign-in/callback" },
    });
    const kept = await setProvider(team, issuer.url, { name: "Other" });
    expect(kept.body.data).toMatchObject({ id: first.body.data.id, name: "Other", has_secret: true });
    for (const table of ["identity_providers", "audit_events"])
      expect(JSON.stringify((await env.DB.prepare(`select * from ${table}`).all()).results)).not.toContain(secret);
    expect((await setProvider(team, issuer.url, { client_secret: null })).body.data.has_secret).toBe(false);
    const got = await call("GET", "/v4/team/identity-provider", { key: team.admin.key });
    expect(got.body.data.provider).toMatchObject({ name: "Acme", has_secret: false });
  });

  it("sends the secret of one issuer's client to no other issuer", async () => {
    const [team, issuer, evil] = [await newTeam(), await newIssuer(), await newIssuer()];
    await setProvider(team, issuer.url, { client_secret: "s3cret" });
    const { status, body } = await setProvider(team, evil.url);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/client_secret"]);
    expect(await evil.requests()).toEqual([]);
    expect((await setProvider(team, evil.url, { client_secret: null })).body.data.has_secret).toBe(false);
    expect((await setProvider(team, issuer.url)).body.data.has_secret).toBe(false);
  });

  it("re-seals the secret under the vault's newest key", async () => {
    const [team, issuer] = [await newTeam(), await newIssuer()];
    await setProvider(team, issuer.url, { client_secret: "s3cret" });
    const newest = `newest:${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
    const rotated = openClients({ ...env, VAULT_KEYS: `${newest},${env.VAULT_KEYS}` });
    expect((await resealIdentityProviders(rotated)).identityProvidersResealed).toBeGreaterThan(0);
    const row = await env.DB.prepare("select id, sealed_secret, vault_key_id from identity_providers where team_id = ?")
      .bind(team.id)
      .first<{ id: string; sealed_secret: string; vault_key_id: string }>();
    expect(row!.vault_key_id).toBe("newest");
    const owner = { teamId: team.id, identityProviderId: row!.id };
    expect(await rotated.vault.unseal(owner, row!.sealed_secret)).toBe("s3cret");
  });

  it.each([
    ["plain http elsewhere", "http://id.acme.example"],
    ["an address of the inner network", "https://10.0.0.1"],
    ["an inner name", "https://id.internal"],
    ["a name with a password", "https://a:b@id.acme.com"],
  ])("asks nothing of %s", async (_, issuer) => {
    const team = await newTeam();
    const { status, body } = await setProvider(team, issuer);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/issuer"]);
    expect((await call("GET", "/v4/team/identity-provider", { key: team.member.key })).body.data.provider).toBeNull();
  });

  it("takes an issuer as its own document spells it alone, since accounts are bound by that", async () => {
    const [team, issuer] = [await newTeam(), await newIssuer()];
    const { status, body } = await setProvider(team, issuer.url.replace("http:", "HTTP:"));
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/issuer"]);
    expect((await setProvider(team, issuer.url)).status).toBe(200);
  });

  it.each([
    ["that redirects", { fault: "redirected" }],
    ["that never ends", { fault: "endless" }],
    ["that names another issuer", { document: { issuer: "https://id.acme.example" } }],
    ["whose page is a script", { document: { authorization_endpoint: "javascript:alert(1)" } }],
    ["whose page is by plain http", { document: { authorization_endpoint: "http://id.acme.example/authorize" } }],
    ["that names no keys", { document: { jwks_uri: undefined } }],
  ])("refuses a document %s", async (_, behaviour) => {
    const [team, issuer] = [
      await newTeam(),
      await newIssuer(JSON.parse(JSON.stringify(behaviour, (__, value) => value ?? null))),
    ];
    expect((await setProvider(team, issuer.url)).status).toBe(422);
  });

  it("is kept from a key with scopes, which would say who the members are", async () => {
    const [team, issuer] = [await newTeam(), await newIssuer()];
    const body = { name: "narrow", scopes: ["team:manage"] };
    const { key } = (await call("POST", `/v4/users/${team.admin.id}/keys`, { key: team.admin.key, body })).body.data;
    const answer = await call("PUT", "/v4/team/identity-provider", { key, body: { ...NEW, issuer: issuer.url } });
    expect(answer.status).toBe(403);
  });
});

describe("a mail domain", () => {
  const create = async (team: TestTeam, domain: string) =>
    (await call("POST", "/v4/team/domains", { key: team.admin.key, body: { domain } })).body.data;
  const verify = (team: TestTeam, id: string) => call("POST", `/v4/team/domains/${id}/verify`, { key: team.admin.key });
  const newName = () => `d${crypto.randomUUID().slice(0, 8)}.example`;

  it("is proven by its DNS record, and by no other text, and is audited", async () => {
    const [team, other, name] = [await newTeam(), await newTeam(), newName()];
    const domain = await create(team, name.toUpperCase());
    expect(domain).toMatchObject({ domain: name, proven_at: null, record: { name: `_fjord.${name}`, type: "TXT" } });
    expect((await verify(team, domain.id)).status).toBe(409);
    const theirs = await create(other, name);
    await setTexts(domain.record.name, ['"v=spf1 -all"', `"${theirs.record.value}"`]);
    expect((await verify(team, domain.id)).status).toBe(409);
    const [start, end] = [domain.record.value.slice(0, 10), domain.record.value.slice(10)];
    await setTexts(domain.record.name, [`"${theirs.record.value}"`, `"${start}" "${end}"`]);
    expect((await verify(team, domain.id)).body.data).toMatchObject({ proven_by: "dns" });
    const { items } = (await call("GET", "/v4/audit?kind=team_domain", { key: team.admin.key })).body.data;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(["team_domain.verify", "team_domain.create"]);
  });

  it("is named once by a team, and given up", async () => {
    const [team, name] = [await newTeam(), newName()];
    const { id } = await create(team, name);
    const again = await call("POST", "/v4/team/domains", { key: team.admin.key, body: { domain: name } });
    expect(again.status).toBe(409);
    expect((await call("DELETE", `/v4/team/domains/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await verify(team, id)).status).toBe(404);
    expect((await call("GET", "/v4/team/domains", { key: team.admin.key })).body.data.total).toBe(0);
  });

  it("may be vouched for by an operator, in the audit log of the team", async () => {
    const [team, operator, name] = [await newTeam(), await newTeam(), newName()];
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
    const path = `/v4/admin/teams/${team.id}/domains`;
    const set = await call("PUT", path, { key: operator.admin.key, body: { domain: name } });
    expect(set.body.data).toMatchObject({ domain: name, proven_by: "operator" });
    const { items } = (await call("GET", "/v4/audit?action=team_domain.set", { key: team.admin.key })).body.data;
    expect(items).toMatchObject([{ actor: { id: operator.admin.id }, by_operator: true }]);
    const missing = `/v4/admin/teams/${newId()}/domains`;
    expect((await call("PUT", missing, { key: operator.admin.key, body: { domain: name } })).status).toBe(404);
  });

  it("says that DNS is away where no resolver answers", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { callWith } = await import("../../../../support/unit/call-with.ts");
    const team = await newTeam();
    const { id } = await create(team, newName());
    const away = { DNS_URL: "http://127.0.0.1:9/dns-query" };
    const { status, body } = await callWith(away, "POST", `/v4/team/domains/${id}/verify`, { key: team.admin.key });
    expect([status, (body as { error: { retryable: boolean } }).error.retryable]).toEqual([503, true]);
    log.mockRestore();
  });
});
