import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addLake, addRole, setAttributes } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { createTable, newWriter } from "../../../support/unit/lake.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const ME = "/v4/data-access/me";
const preview = (userId: string, key: string | undefined, query = "") =>
  call("GET", `/v4/data-access/users/${userId}/preview${query}`, { key });
refusesStrangers("previewAccess", (key) => preview(newId(), key), { right: "team:manage" });

let team: TestTeam;
let lake: string;
beforeEach(async () => {
  team = await newTeam();
  lake = await addLake(team);
});
const me = async (key = team.member.key) => (await call("GET", ME, { key })).body.data;

const NONE = { exclude_columns: [], masks: {}, filters: [], hides: false };

describe("getMyAccess", () => {
  it("is for whoever has a key, and for nobody else", async () => {
    expect((await call("GET", ME)).status).toBe(401);
    expect((await call("GET", ME, { key: team.member.key })).status).toBe(200);
  });

  it("tells that a team is open, then what roles grant, and that an admin is not bound", async () => {
    expect(await me()).toMatchObject({
      user_id: team.member.id,
      bypass: false,
      open: true,
      roles: [],
      capabilities: { query: true, write_lake: false, manage_roles: false },
    });
    expect((await me()).integrations.map(({ access }: { access: string }) => access)).toEqual(["all", "all"]);

    const filters = [{ member: "region", operator: "equals" as const, values: [{ attribute: "region" }] }];
    const role = await addRole(
      team,
      [{ integration_id: lake, schema: "s", table: "t", filters }],
      [team.member.id],
      "North",
    );
    expect(await me()).toMatchObject({
      open: false,
      roles: [{ id: role, name: "North", description: null }],
      integrations: [
        { type: "lake", access: "none", grants: [] },
        { id: lake, access: "granted", grants: [{ role_id: role, schema: "s", table: "t", ...NONE, filters: null }] },
      ],
      truncated: false,
    });
    await setAttributes(team, team.member.id, { region: "north" });
    expect(await me()).toMatchObject({
      attributes: { region: "north" },
      integrations: [{}, { grants: [{ filters: [{ member: "region", operator: "equals", values: ["north"] }] }] }],
    });
    expect(await me(team.admin.key)).toMatchObject({
      bypass: true,
      integrations: [{ access: "all" }, { access: "all" }],
      capabilities: { query: true, write_lake: true, manage_roles: true },
    });
  });

  it("tells of a semantic model what is granted of the integration that it lies on", async () => {
    const [base] = (await me()).integrations;
    const cube = (id: string, name: string) =>
      env.DB.prepare(
        `insert into integrations (id, team_id, type, name, is_default, details, created_at, updated_at)
         values (?1, ?2, 'cube', ?3, 0, ?4, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
      ).bind(newId(), team.id, name, JSON.stringify({ name, type: "cube", integration_id: id }));
    await env.DB.batch([cube(lake, "granted"), cube(base.id, "closed")]);
    const role = await addRole(team, [{ integration_id: lake, schema: "s", table: "t" }], [team.member.id]);
    const accessOf = async (name: string) =>
      (await me()).integrations.find((integration: { name: string }) => integration.name === name);
    expect(await accessOf("granted")).toMatchObject({
      type: "cube",
      access: "granted",
      grants: [{ role_id: role, schema: "s", table: "t" }],
    });
    expect(await accessOf("closed")).toMatchObject({ access: "none", grants: [] });
    expect(await accessOf("granted")).not.toHaveProperty("baseId");
  });

  it("shows a stranger to a source its name, and not where it is", async () => {
    const details = { name: "Shop", type: "postgres", host: "db.example.com", port: "5432", username: "reader" };
    const id = newId();
    await env.DB.prepare(
      `insert into integrations (id, team_id, type, name, is_default, details, created_at, updated_at)
       values (?1, ?2, 'postgres', 'Shop', 0, ?3, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    )
      .bind(id, team.id, JSON.stringify(details))
      .run();
    const seenBy = async (key: string) => {
      const list = await call("GET", `/v1/api/integrations?id=${id}`, { key });
      const one = await call("GET", `/v1/api/integrations/${id}`, { key });
      return [list.body.data[0].details, one.body.integration.details];
    };
    expect(await seenBy(team.member.key)).toEqual([details, details]);
    await addRole(team, [{ integration_id: lake, schema: "s" }], [team.member.id]);
    const names = { name: "Shop", type: "postgres" };
    expect(await seenBy(team.member.key)).toEqual([names, names]);
    expect(await seenBy(team.admin.key)).toEqual([details, details]);
    await addRole(team, [{ integration_id: id, schema: "public" }], [team.member.id]);
    expect(await seenBy(team.member.key)).toEqual([details, details]);
  });

  it("names no column that a grant leaves out, which admins see", async () => {
    const filters = [
      { or: [{ member: "TENANT", operator: "equals" as const, values: ["a"] }] },
      { member: "region", operator: "set" as const },
    ];
    const grant = { integration_id: lake, schema: "s", table: "t", exclude_columns: ["tenant"], filters };
    await addRole(team, [{ ...grant, masks: { Tenant: null, email: null } }], [team.member.id]);
    const [, mine] = (await me()).integrations;
    expect(mine.grants).toMatchObject([
      { exclude_columns: [], masks: { email: null }, filters: [{ member: "region" }], hides: true },
    ]);
    expect(JSON.stringify(await me())).not.toMatch(/tenant/i);
    const seen = (await preview(team.member.id, team.admin.key)).body.data.integrations[1].grants;
    expect(seen).toMatchObject([{ exclude_columns: ["tenant"], filters: [{ or: [{}] }, {}], hides: false }]);
  });

  it("says when it leaves grants out", async () => {
    const grants = Array.from({ length: 1_000 }, (_, i) => ({ integration_id: "*", schema: "s", table: `t${i}` }));
    for (let i = 0; i < 11; i++) await addRole(team, grants, [team.member.id]);
    await addLake(team);
    const { integrations, truncated } = await me();
    const shown = integrations.map((one: { access: string; grants: unknown[] }) => [one.access, one.grants.length]);
    const granted = [11_000, 9_000, 0].map((grants) => ["granted", grants]);
    expect({ shown, truncated }).toEqual({ shown: granted, truncated: true });
  });
});

describe("previewAccess", () => {
  it("tells what the user is told, and of a lake what they see", async () => {
    const writer = await newWriter({ teamId: team.id, lakeId: lake, catalog: openLake(env, lake) }, newId());
    await writer.commit([createTable("main", "shown"), createTable("main", "hidden")]);
    const grant = { integration_id: lake, schema: "main", table: "shown", masks: { id: null } };
    await addRole(team, [grant], [team.member.id]);
    const seen = await preview(team.member.id.toUpperCase(), team.admin.key, `?integration_id=${lake}`);
    expect(seen.body.data).toMatchObject({
      ...(await me()),
      integrations: [{ id: lake, access: "granted" }],
      tables: [{ schema: "main", name: "shown", columns: ["id"], restricted: true }],
    });
    const all = (await preview(team.admin.id, team.admin.key, `?integration_id=${lake}`)).body.data;
    expect(all.tables.map(({ name }: { name: string }) => name)).toEqual(["hidden", "shown"]);
    expect((await preview(team.member.id, team.admin.key)).body.data).toEqual({ ...(await me()), tables: null });
  });

  it("of another team's user or integration is of a missing one", async () => {
    const strangers = await newTeam();
    const missing = newId();
    const [user, none] = [await preview(strangers.member.id, team.admin.key), await preview(missing, team.admin.key)];
    expect({ status: user.status, message: user.body.message.replace(strangers.member.id, missing) }).toEqual({
      status: 404,
      message: none.body.message,
    });
    const theirs = await addLake(strangers);
    const of = (id: string) => preview(team.member.id, team.admin.key, `?integration_id=${id}`);
    const [foreign, gone] = [await of(theirs), await of(missing)];
    expect({ status: foreign.status, message: foreign.body.message.replace(theirs, missing) }).toEqual({
      status: 404,
      message: gone.body.message,
    });
  });
});
