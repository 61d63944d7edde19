// A key with scopes may what they name of its user's rights, and gives nobody more than that.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Right } from "../../../../../src/core/scope.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { call, type Answer } from "../../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";
import { findCallers } from "../../../../../src/callers.ts";

type Minted = { id: string; key: string };

async function mint(by: string, userId: string, scopes: Right[] | null): Promise<Minted> {
  const { status, body } = await call("POST", `/v4/users/${userId}/keys`, { key: by, body: { name: "k", scopes } });
  expect(status).toBe(201);
  return body.data;
}

const ask = (by: string, userId: string, scopes: unknown): Promise<Answer> =>
  call("POST", `/v4/users/${userId}/keys`, { key: by, body: { name: "k", scopes } });

const refused = (right: string) => ({
  status: 403,
  body: { message: expect.stringContaining(right), error: { code: "forbidden_insufficient_permissions" } },
});

async function managed(scopes: Right[] = ["team:manage", "query"]): Promise<TestTeam & { scoped: Minted }> {
  const team = await newTeam();
  return { ...team, scoped: await mint(team.admin.key, team.admin.id, scopes) };
}

describe("a key with scopes", () => {
  it("may what they name, and outside them gets 403 that names the right", async () => {
    const { admin } = await newTeam();
    const { id, key } = await mint(admin.key, admin.id, ["docs:read", "query"]);
    expect((await call("GET", "/v4/docs", { key })).status).toBe(200);
    expect(await call("GET", "/v4/users", { key })).toMatchObject(refused("team:manage"));
    expect(await call("GET", "/v1/api/integrations", { key })).toMatchObject(refused("integrations:read"));
    expect((await call("GET", "/v4/me", { key })).body.data).toMatchObject({
      key_id: id,
      scopes: ["query", "docs:read"],
      rights: ["query", "docs:read"],
    });
  });

  it("is judged by itself beside its user's other keys, cached or not", async () => {
    const { admin } = await newTeam();
    const { key } = await mint(admin.key, admin.id, ["query"]);
    for (let round = 0; round < 2; round++) {
      expect((await call("GET", "/v4/users", { key })).status).toBe(403);
      expect((await call("GET", "/v4/users", { key: admin.key })).status).toBe(200);
    }
    expect(await findCallers.ofKey(openClients(env), key, new Date())).toMatchObject({ scopes: ["query"] });
    expect(await findCallers.ofKey(openClients(env), admin.key, new Date())).not.toHaveProperty("scopes");
  });

  it("loses what its user loses", async () => {
    const { admin, newMember } = await newTeam();
    const other = await newMember("admin");
    const { key } = await mint(admin.key, other.id, ["team:manage", "query"]);
    await call("PATCH", `/v4/users/${other.id}`, { key: admin.key, body: { role: "member" } });
    expect((await call("GET", "/v4/me", { key })).body.data.rights).toEqual(["query"]);
    expect(await call("GET", "/v4/users", { key })).toMatchObject(refused("team:manage"));
  });

  it("takes no scope that its user has no right to, none twice, and not none at all", async () => {
    const { admin, member } = await newTeam();
    const flaw = async (userId: string, scopes: unknown) => {
      const { status, body } = await ask(admin.key, userId, scopes);
      return [status, body.error.flaws[0].pointer];
    };
    expect(await flaw(member.id, ["query", "team:manage"])).toEqual([422, "/scopes/1"]);
    expect(await flaw(admin.id, ["platform:operate"])).toEqual([422, "/scopes/0"]);
    expect(await flaw(admin.id, ["query", "query"])).toEqual([422, "/scopes"]);
    expect(await flaw(admin.id, [])).toEqual([422, "/scopes"]);
    expect(await flaw(admin.id, ["everything"])).toEqual([422, "/scopes/0"]);
  });
});

describe("a key with scopes gives nobody more than it has:", () => {
  it("it makes no key without scopes, and none with others, for its own user or another", async () => {
    const { admin, newMember, scoped } = await managed();
    const other = await newMember("admin");
    for (const userId of [admin.id, other.id]) {
      for (const scopes of [null, undefined, ["docs:read"], ["query", "lake:write"]])
        expect(await ask(scoped.key, userId, scopes)).toMatchObject(refused("query, team:manage"));
      expect((await ask(scoped.key, userId, ["query"])).status).toBe(201);
    }
  });

  it("it rotates no key that may more", async () => {
    const { admin, scoped } = await managed();
    const { body: me } = await call("GET", "/v4/me", { key: admin.key });
    const rotate = (keyId: string) =>
      call("POST", `/v4/users/${admin.id}/keys/${keyId}/rotate`, { key: scoped.key, body: { overlap_seconds: 60 } });
    expect(await rotate(me.data.key_id)).toMatchObject(refused("query, team:manage"));
    const own = await rotate(scoped.id);
    expect([own.status, own.body.data.scopes]).toEqual([201, ["query", "team:manage"]]);
  });

  it("it makes nobody an admin", async () => {
    const { admin, member, scoped } = await managed();
    const promote = (body: object) => call("PATCH", `/v4/users/${member.id}`, { key: scoped.key, body });
    expect(await promote({ role: "admin" })).toMatchObject(refused("lake:write"));
    expect((await promote({ name: "Grace" })).status).toBe(200);
    const rename = await call("PATCH", `/v4/users/${admin.id}`, { key: scoped.key, body: { name: "Ada L." } });
    expect(rename.status).toBe(200);
    const add = (role: string) =>
      call("POST", "/v4/users", {
        key: scoped.key,
        body: { name: "New", email: `new-${crypto.randomUUID()}@example.com`, role },
      });
    expect(await add("admin")).toMatchObject(refused("lake:write"));
    expect((await add("member")).status).toBe(201);
  });

  it("an operator's without platform:operate manages no operator's account", async () => {
    const { admin: operator } = await newTeam();
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.id).run();
    const { key } = await mint(operator.key, operator.id, ["team:manage"]);
    expect(await ask(key, operator.id, ["team:manage"])).toMatchObject({ status: 403 });
    expect(await call("PATCH", `/v4/users/${operator.id}`, { key, body: { name: "x" } })).toMatchObject({
      status: 403,
    });
    expect(await call("GET", "/v4/admin/teams", { key })).toMatchObject(refused("platform:operate"));
  });
});

describe("the last key of a team's admins", () => {
  it("stays, whatever keys with scopes there are", async () => {
    const { admin } = await managed();
    const { body: me } = await call("GET", "/v4/me", { key: admin.key });
    await mint(admin.key, admin.id, ["team:manage"]);
    const revoke = () => call("DELETE", `/v4/users/${admin.id}/keys/${me.data.key_id}`, { key: admin.key });
    expect((await revoke()).status).toBe(409);
    await mint(admin.key, admin.id, null);
    expect((await revoke()).status).toBe(204);
  });
});
