// One's own keys: made in a browser alone, ending, and no wider than their person.

import { describe, expect, it } from "vitest";
import { call } from "../../../../support/unit/http.ts";
import { callIn, signIn } from "../../../../support/unit/sign-in/session.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const body = { name: "fjord on a laptop", expires_at: inDays(90), scopes: ["query", "drive"] };

describe("createOwnKey", () => {
  it("makes a member a key that works, is listed for them and for admins, and ends itself", async () => {
    const team = await newTeam();
    const session = await signIn({ api_key: team.member.key });
    const made = await callIn(session, "POST", "/v4/keys", { body });
    expect(made).toMatchObject({ status: 201, body: { data: { name: body.name, scopes: body.scopes } } });
    const { id, key } = made.body.data as { id: string; key: string };
    const me = (await call("GET", "/v4/me", { key })).body.data;
    expect(me).toMatchObject({ user: { id: team.member.id }, rights: body.scopes, key_id: id });
    const listed = (await callIn(session, "GET", "/v4/keys")).body.data.items;
    expect(listed).toContainEqual(expect.objectContaining({ id, hint: key.slice(-4) }));
    expect(JSON.stringify(listed)).not.toContain(key);
    const ofAdmin = await call("GET", `/v4/users/${team.member.id}/keys`, { key: team.admin.key });
    expect(ofAdmin.body.data.items).toContainEqual(expect.objectContaining({ id }));
    const audit = await call("GET", "/v4/audit?action=key.create", { key: team.admin.key });
    expect(JSON.stringify(audit.body)).toContain(id);

    const { items } = ofAdmin.body.data as { items: { id: string }[] };
    const other = items.find((each) => each.id !== id)!;
    expect((await call("DELETE", `/v4/keys/${other.id}`, { key })).status).toBe(404);
    expect((await call("DELETE", `/v4/keys/${id}`, { key })).status).toBe(204);
    expect((await call("GET", "/v4/me", { key })).status).toBe(401);
  });

  it("is for people in a browser, and for no session that the key would outlast", async () => {
    const team = await newTeam();
    expect((await call("POST", "/v4/keys", { key: team.admin.key, body })).status).toBe(409);
    expect((await call("GET", "/v4/keys", { key: team.admin.key })).status).toBe(409);
    for (const terms of [{ scopes: ["query"] }, { expires_at: inDays(1) }]) {
      const path = `/v4/users/${team.member.id}/keys`;
      const { key } = (await call("POST", path, { key: team.admin.key, body: { name: "k", ...terms } })).body.data;
      const session = await signIn({ api_key: key });
      expect((await callIn(session, "POST", "/v4/keys", { body })).status).toBe(403);
      // Nor does such a session see the person's other keys, or revoke them.
      expect((await callIn(session, "GET", "/v4/keys")).status).toBe(403);
      const { items } = (await call("GET", path, { key: team.admin.key })).body.data as { items: { id: string }[] };
      const own = (await call("GET", "/v4/me", { key })).body.data.key_id as string;
      for (const { id } of items.filter((each) => each.id !== own))
        expect((await callIn(session, "DELETE", `/v4/keys/${id}`)).status).toBe(404);
      expect((await callIn(session, "DELETE", `/v4/keys/${own}`)).status).toBe(204);
    }
  });

  it("leaves others room in the plan: five keys a person", async () => {
    const session = await signIn({ api_key: (await newTeam()).member.key });
    const make = () => callIn(session, "POST", "/v4/keys", { body });
    for (let n = 1; n < 5; n++) expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(426);
  });

  it.each([
    ["one without an end", { ...body, expires_at: null }, "/expires_at"],
    ["one that ends later than in 100 days", { ...body, expires_at: inDays(101) }, "/expires_at"],
    ["one that has ended", { ...body, expires_at: inDays(-1) }, "/expires_at"],
    ["a right that the person has not", { ...body, scopes: ["team:manage"] }, "/scopes/0"],
  ])("refuses %s", async (_, refused, pointer) => {
    const { member } = await newTeam();
    const answer = await callIn(await signIn({ api_key: member.key }), "POST", "/v4/keys", { body: refused });
    expect(answer).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer }] } } });
  });

  it("lets a person revoke their own keys, and nobody else's", async () => {
    const team = await newTeam();
    const session = await signIn({ api_key: team.member.key });
    const { id } = (await callIn(session, "POST", "/v4/keys", { body })).body.data;
    const others = await signIn({ api_key: team.admin.key });
    expect((await callIn(others, "DELETE", `/v4/keys/${id}`)).status).toBe(404);
    expect((await callIn(session, "DELETE", `/v4/keys/${id}`)).status).toBe(204);
    expect((await callIn(session, "DELETE", `/v4/keys/${id}`)).status).toBe(404);
  });
});
