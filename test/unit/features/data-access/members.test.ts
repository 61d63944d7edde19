import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole, setAttributes } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const ROLES = "/v4/data-access/roles";
const USERS = "/v4/data-access/users";
const ROWS = "select count(*) as n from user_attributes where team_id = ?";
const ID = newId();
const right = { right: "team:manage" } as const;
refusesStrangers("listRoleMembers", (key) => call("GET", `${ROLES}/${ID}/members`, { key }), right);
refusesStrangers("addRoleMember", (key) => call("PUT", `${ROLES}/${ID}/members/${ID}`, { key }), right);
refusesStrangers("removeRoleMember", (key) => call("DELETE", `${ROLES}/${ID}/members/${ID}`, { key }), right);
refusesStrangers("getUserAttributes", (key) => call("GET", `${USERS}/${ID}/attributes`, { key }), right);
const NONE = { attributes: {} };
refusesStrangers("setUserAttributes", (key) => call("PUT", `${USERS}/${ID}/attributes`, { key, body: NONE }), right);

let team: TestTeam;
let strangers: TestTeam;
let role: string;
beforeEach(async () => {
  [team, strangers] = [await newTeam(), await newTeam()];
  role = await addRole(team, [], []);
});

const ask = (method: string, path: string, body?: object) =>
  call(method, path, { key: team.admin.key, ...(body && { body }) });
const member = (method: string, userId: string, roleId = role) => ask(method, `${ROLES}/${roleId}/members/${userId}`);
const listed = async () => (await ask("GET", `${ROLES}/${role}/members`)).body.data;
const audited = async (kind: string) =>
  (
    await env.DB.prepare(
      "select action, subject_id, before, after from audit_events where team_id = ? and kind = ? order by id",
    )
      .bind(team.id, kind)
      .all()
  ).results;

describe("who has a role", () => {
  it("is added once however often, listed, and removed; each change audited once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => member("PUT", team.member.id.toUpperCase())));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await listed()).toMatchObject({ total: 1, items: [{ user_id: team.member.id, name: "Ada" }] });
    expect((await member("DELETE", team.member.id)).status).toBe(204);
    expect((await member("DELETE", team.member.id)).status).toBe(404);
    expect(await listed()).toMatchObject({ total: 0, items: [] });
    expect((await audited("role_member")).map(({ action }) => action)).toEqual([
      "role_member.add",
      "role_member.remove",
    ]);
  });

  it("is no user of another team, nor has anybody another team's role", async () => {
    const theirs = await addRole(strangers, [], []);
    for (const [userId, roleId, what] of [
      [strangers.member.id, role, "user"],
      [team.member.id, theirs, "role"],
    ] as const) {
      const missing = what === "user" ? await member("PUT", ID) : await member("PUT", userId, ID);
      const foreign = await member("PUT", userId, roleId);
      expect(foreign.status).toBe(404);
      const own = what === "user" ? userId : roleId;
      expect(foreign.body.message.replace(own, "")).toBe(missing.body.message.replace(ID, ""));
    }
    expect((await member("DELETE", strangers.member.id)).status).toBe(404);
    expect((await ask("GET", `${ROLES}/${theirs}/members`)).status).toBe(404);
    const rows = "select count(*) as n from access_members where team_id in (?, ?)";
    expect(await env.DB.prepare(rows).bind(team.id, strangers.id).first("n")).toBe(0);
  });

  it("is nobody who has been removed from the team", async () => {
    const gone = await team.newMember();
    await member("PUT", gone.id);
    await setAttributes(team, gone.id, { region: "north" });
    expect((await ask("DELETE", `/v4/users/${gone.id}`)).status).toBe(204);
    expect(await listed()).toMatchObject({ total: 0, items: [] });
    expect(await env.DB.prepare(ROWS).bind(team.id).first("n")).toBe(0);
    expect((await member("PUT", gone.id)).status).toBe(404);
  });
});

describe("a user's attributes", () => {
  const path = (id = team.member.id) => `${USERS}/${id}/attributes`;
  const set = (attributes: object, id?: string) => ask("PUT", path(id), { attributes });

  it("are none at first, set as a whole, and audited before and after", async () => {
    expect((await ask("GET", path())).body.data).toEqual({ user_id: team.member.id, attributes: {}, updated_at: null });
    expect((await set({ region: ["b", "a"], level: "1" })).status).toBe(200);
    expect((await set({ level: "2" })).body.data.attributes).toEqual({ level: "2" });
    expect((await ask("GET", path(team.member.id.toUpperCase()))).body.data.attributes).toEqual({ level: "2" });
    const [, last] = await audited("user_attributes");
    expect(last).toMatchObject({
      before: JSON.stringify({ level: "1", region: ["b", "a"] }),
      after: JSON.stringify({ level: "2" }),
    });
  });

  it("of another team's user are missing", async () => {
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? NONE : undefined;
      const [foreign, missing] = [
        await ask(method, path(strangers.member.id), body),
        await ask(method, path(ID), body),
      ];
      expect(foreign.status).toBe(404);
      expect(foreign.body.message.replace(strangers.member.id, "")).toBe(missing.body.message.replace(ID, ""));
    }
    expect(await env.DB.prepare(ROWS).bind(strangers.id).first("n")).toBe(0);
  });

  it.each([
    ["a number", { a: 1 }],
    ["a name that starts with a digit", { "1a": "x" }],
    ["too many values", { a: Array.from({ length: 1_001 }, () => "x") }],
    ["too many bytes", Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, "x".repeat(4_000)]))],
    ["too many names", Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, "x"]))],
  ])("are refused with %s", async (_, attributes) => {
    expect((await set(attributes)).status).toBe(422);
  });
});
