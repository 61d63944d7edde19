import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call } from "../../../../support/unit/http.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const RIGHT = "team:manage";
const GRACE = { name: "Grace", email: "grace@example.com", role: "member" };

refusesStrangers("listUsers", async (key) => call("GET", "/v4/users", { key }), { right: RIGHT });
refusesStrangers("getUser", async (key) => call("GET", `/v4/users/${crypto.randomUUID()}`, { key }), { right: RIGHT });
refusesStrangers("createUser", async (key) => call("POST", "/v4/users", { key, body: GRACE }), { right: RIGHT });
refusesStrangers(
  "updateUser",
  async (key) => call("PATCH", `/v4/users/${crypto.randomUUID()}`, { key, body: { name: "x" } }),
  { right: RIGHT },
);
refusesStrangers("deleteUser", async (key) => call("DELETE", `/v4/users/${crypto.randomUUID()}`, { key }), {
  right: RIGHT,
});

const actions = async (subjectId: string) =>
  (
    await env.DB.prepare("select action from audit_events where subject_id = ? order by id").bind(subjectId).all()
  ).results.map(({ action }) => action);

describe("createUser", () => {
  it("adds a member of this team who holds no key yet, and leaves one audit row", async () => {
    const { admin } = await newTeam();
    const { status, body } = await call("POST", "/v4/users", {
      key: admin.key,
      body: { ...GRACE, email: "Grace@Example.com" },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...GRACE, is_operator: false });
    expect((await call("GET", `/v4/users/${body.data.id}/keys`, { key: admin.key })).body.data.total).toBe(0);
    expect(await actions(body.data.id)).toEqual(["user.create"]);
  });

  it("answers 409 to an address of this team, and takes it in another", async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    const add = (key: string) => call("POST", "/v4/users", { key, body: GRACE });
    expect((await add(ours.admin.key)).status).toBe(201);
    expect((await add(ours.admin.key)).body.error.code).toBe("resource_conflict");
    expect((await add(theirs.admin.key)).status).toBe(201);
  });

  it("lets one of two calls at once with the same address through", async () => {
    const { admin } = await newTeam();
    const both = await Promise.all([1, 2].map(() => call("POST", "/v4/users", { key: admin.key, body: GRACE })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe("listUsers", () => {
  it("pages through the team's own users, oldest first", async () => {
    const { admin, member, newMember } = await newTeam();
    const third = await newMember();
    const page = async (query: string) => (await call("GET", `/v4/users?${query}`, { key: admin.key })).body.data;
    expect((await page("limit=2")).items.map(({ id }: { id: string }) => id)).toEqual([admin.id, member.id]);
    expect(await page("limit=2&offset=2")).toMatchObject({ total: 3, limit: 2, offset: 2, items: [{ id: third.id }] });
  });
});

describe("getUser", () => {
  it("answers one as the list does, and a stranger as nobody", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const get = (id: string) => call("GET", `/v4/users/${id}`, { key: team.admin.key });
    const { items } = (await call("GET", "/v4/users", { key: team.admin.key })).body.data;
    expect([(await get(team.admin.id)).body.data, (await get(team.member.id)).body.data]).toEqual(items);
    for (const id of [other.member.id, crypto.randomUUID(), "x"]) expect((await get(id)).status).toBe(404);
  });
});

describe("updateUser", () => {
  it("takes no change back that is made at the same time: who is renamed while they are demoted stays demoted", async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, newMember } = await newTeam();
      const other = await newMember("admin");
      const change = (body: object) => call("PATCH", `/v4/users/${other.id}`, { key: admin.key, body });
      const answers = await Promise.all([
        change({ role: "member" }),
        change({ name: "Grace" }),
        change({ name: "Eve" }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await call("GET", "/v4/me", { key: other.key })).body.data.role).toBe("member");
    }
  });

  it("changes what it names, and the user's rights with it at once", async () => {
    const { admin, member } = await newTeam();
    expect((await call("GET", "/v4/users", { key: member.key })).status).toBe(403);
    const { status, body } = await call("PATCH", `/v4/users/${member.id}`, { key: admin.key, body: { role: "admin" } });
    expect([status, body.data.role, body.data.name]).toEqual([200, "admin", "Ada"]);
    expect((await call("GET", "/v4/users", { key: member.key })).status).toBe(200);
  });

  it("refuses to change nothing", async () => {
    const { admin, member } = await newTeam();
    expect((await call("PATCH", `/v4/users/${member.id}`, { key: admin.key, body: {} })).status).toBe(422);
  });

  it("keeps the last admin one, and records nothing", async () => {
    const { admin } = await newTeam();
    const { status, body } = await call("PATCH", `/v4/users/${admin.id}`, { key: admin.key, body: { role: "member" } });
    expect([status, body.error.code]).toEqual([409, "resource_conflict"]);
    expect(await actions(admin.id)).not.toContain("user.update");
  });

  it("leaves an admin when two step down at once", async () => {
    const { admin, newMember } = await newTeam();
    const other = await newMember("admin");
    const stepDown = ({ id, key }: { id: string; key: string }) =>
      call("PATCH", `/v4/users/${id}`, { key, body: { role: "member" } });
    const both = await Promise.all([stepDown(admin), stepDown(other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("deleteUser", () => {
  it("removes the user and ends all their keys at once", async () => {
    const { admin, member } = await newTeam();
    expect((await call("GET", "/v4/me", { key: member.key })).status).toBe(200);
    expect((await call("DELETE", `/v4/users/${member.id}`, { key: admin.key })).status).toBe(204);
    expect((await call("GET", "/v4/me", { key: member.key })).status).toBe(401);
    expect(
      await env.DB.prepare("select count(*) as n from api_keys where user_id = ?").bind(member.id).first("n"),
    ).toBe(0);
    expect(await actions(member.id)).toEqual(["user.create", "user.delete"]);
  });

  it("does not remove the caller", async () => {
    const { admin, newMember } = await newTeam();
    await newMember("admin");
    expect((await call("DELETE", `/v4/users/${admin.id}`, { key: admin.key })).status).toBe(409);
  });

  it("leaves an admin, with keys, when two remove each other at once", async () => {
    const { admin, newMember } = await newTeam();
    const other = await newMember("admin");
    const both = await Promise.all([
      call("DELETE", `/v4/users/${other.id}`, { key: admin.key }),
      call("DELETE", `/v4/users/${admin.id}`, { key: other.key }),
    ]);
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
    const [winner] = both[0]!.status === 204 ? [admin] : [other];
    expect((await call("GET", "/v4/users", { key: winner!.key })).status).toBe(200);
  });
});

describe("the last admin's key", () => {
  type Person = { id: string; key: string };
  const keyOf = async ({ key }: Person): Promise<string> => (await call("GET", "/v4/me", { key })).body.data.key_id;
  const revoke = async (by: Person, of: Person, id?: string) =>
    call("DELETE", `/v4/users/${of.id}/keys/${id ?? (await keyOf(of))}`, { key: by.key });
  const expire = ({ id }: Person) =>
    env.DB.prepare("update api_keys set expires_at = '2999-01-01T00:00:00.000Z' where user_id = ?").bind(id).run();
  const dropKeys = ({ id }: Person) =>
    env.DB.prepare("update api_keys set revoked_at = created_at where user_id = ?").bind(id).run();
  const lastingAdminKeys = (teamId: string) =>
    env.DB.prepare(
      "select count(*) as n from api_keys k join users u on u.id = k.user_id where u.team_id = ? and u.role = 'admin' and k.revoked_at is null and k.expires_at is null",
    )
      .bind(teamId)
      .first("n");

  it("is not revoked, whatever other keys the team has, and says what to do", async () => {
    const { admin, member, newMember } = await newTeam();
    const keyless = await newMember("admin");
    await dropKeys(keyless);
    const expiring = await newMember("admin");
    await expire(expiring);
    for (const by of [admin, expiring])
      expect(await revoke(by, admin)).toMatchObject({
        status: 409,
        body: { error: { code: "resource_conflict" }, message: expect.stringContaining("without `expires_at`") },
      });
    expect(await actions(await keyOf(admin))).toEqual([]);
    expect((await revoke(admin, member)).status).toBe(204);
    expect((await revoke(admin, expiring)).status, "one that ends by itself").toBe(204);
    const { body } = await call("POST", `/v4/users/${keyless.id}/keys`, { key: admin.key, body: { name: "lasting" } });
    expect((await revoke(admin, admin)).status).toBe(204);
    expect((await call("GET", "/v4/users", { key: body.data.key })).status).toBe(200);
  });

  it("stays where two admins revoke each other's, or step down, or are removed, at once", async () => {
    for (const leave of [
      (by: Person, of: Person) => revoke(by, of),
      (by: Person) => call("PATCH", `/v4/users/${by.id}`, { key: by.key, body: { role: "member" } }),
      (by: Person, of: Person) => call("DELETE", `/v4/users/${of.id}`, { key: by.key }),
    ]) {
      const { id, admin, newMember } = await newTeam();
      const other = await newMember("admin");
      const both = await Promise.all([leave(admin, other), leave(other, admin)]);
      expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await lastingAdminKeys(id)).toBe(1);
    }
  });

  it("keeps its holder an admin while the others have none that lasts", async () => {
    const { id, admin, newMember } = await newTeam();
    const [keyless, expiring] = [await newMember("admin"), await newMember("admin")];
    await dropKeys(keyless);
    await expire(expiring);
    expect((await call("PATCH", `/v4/users/${admin.id}`, { key: admin.key, body: { role: "member" } })).status).toBe(
      409,
    );
    expect((await call("DELETE", `/v4/users/${admin.id}`, { key: expiring.key })).status).toBe(409);
    expect((await call("DELETE", `/v4/users/${keyless.id}`, { key: admin.key })).status).toBe(204);
    expect(await lastingAdminKeys(id)).toBe(1);
  });

  it("is revoked where it has an end and another admin's works on, or has ended already, though no key of the team lasts", async () => {
    const { id, admin, newMember } = await newTeam();
    const [other, keyless] = [await newMember("admin"), await newMember("admin")];
    await dropKeys(keyless);
    for (const person of [admin, other]) await expire(person);
    const expired = (await call("POST", `/v4/users/${admin.id}/keys`, { key: admin.key, body: { name: "k" } })).body
      .data.id;
    await env.DB.prepare("update api_keys set expires_at = '2020-01-01T00:00:00.000Z' where id = ?")
      .bind(expired)
      .run();
    expect(await lastingAdminKeys(id)).toBe(0);
    expect((await revoke(other, admin, expired)).status).toBe(204);
    expect((await revoke(admin, other)).status, "one that leaked").toBe(204);
    expect((await call("PATCH", `/v4/users/${other.id}`, { key: admin.key, body: { role: "member" } })).status).toBe(
      200,
    );
    expect((await call("DELETE", `/v4/users/${keyless.id}`, { key: admin.key })).status).toBe(204);

    expect((await revoke(admin, admin)).status, "the last that works").toBe(409);
    expect((await call("PATCH", `/v4/users/${admin.id}`, { key: admin.key, body: { role: "member" } })).status).toBe(
      409,
    );
    const { key } = (
      await call("POST", `/v4/users/${admin.id}/keys`, {
        key: admin.key,
        body: { name: "next", expires_at: "2999-01-01T00:00:00Z" },
      })
    ).body.data;
    expect((await revoke({ id: admin.id, key }, admin, await keyOf(admin))).status, "once there is another").toBe(204);
  });

  it("stays where two admins revoke each other's at once, and both have an end", async () => {
    const { admin, newMember } = await newTeam();
    const other = await newMember("admin");
    for (const person of [admin, other]) await expire(person);
    const both = await Promise.all([revoke(admin, other), revoke(other, admin)]);
    expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
  });

  it("is kept for the platform's operators too, though the team has other admins", async () => {
    await env.DB.prepare("update users set is_operator = 0").run();
    const { admin, newMember } = await newTeam();
    const operator = await newMember("admin");
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.id).run();
    expect(await revoke(operator, operator)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("operator") },
    });
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(admin.id).run();
    expect((await revoke(operator, operator)).status).toBe(204);
  });

  it("is revoked where it is an operator's, has an end, and another operator's works on, though none lasts", async () => {
    await env.DB.prepare("update users set is_operator = 0").run();
    const { admin, newMember } = await newTeam();
    const [operator, other] = [await newMember("admin"), await newMember("admin")];
    for (const person of [operator, other]) {
      await expire(person);
      await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(person.id).run();
    }
    expect(await lastingAdminKeys((await call("GET", "/v4/me", { key: admin.key })).body.data.team.id)).toBe(1);
    expect((await revoke(operator, other)).status).toBe(204);
    expect(await revoke(operator, operator)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("operator") },
    });
  });
});

describe("an operator's account", () => {
  it("is out of reach for an admin of the same team, who would gain the platform by its key", async () => {
    const { admin, newMember } = await newTeam();
    const operator = await newMember("admin");
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.id).run();
    const attempts = [
      call("POST", `/v4/users/${operator.id}/keys`, { key: admin.key, body: { name: "k" } }),
      call("PATCH", `/v4/users/${operator.id}`, { key: admin.key, body: { name: "x" } }),
      call("DELETE", `/v4/users/${operator.id}`, { key: admin.key }),
    ];
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});
