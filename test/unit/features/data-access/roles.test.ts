import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { ACCESS_LIMITS } from "../../../../src/features/access/limits.ts";
import { DATA_ACCESS_LIMITS } from "../../../../src/features/data-access/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { createTable, newWriter } from "../../../support/unit/lake.ts";
import { addLake, addMember, addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/data-access/roles";
const ID = newId();
const right = { right: "team:manage" } as const;
refusesStrangers("listRoles", (key) => call("GET", PATH, { key }), right);
refusesStrangers("createRole", (key) => call("POST", PATH, { key, body: { name: "r" } }), right);
refusesStrangers("getRole", (key) => call("GET", `${PATH}/${ID}`, { key }), right);
refusesStrangers("updateRole", (key) => call("PATCH", `${PATH}/${ID}`, { key, body: { name: "r" } }), right);
refusesStrangers("deleteRole", (key) => call("DELETE", `${PATH}/${ID}`, { key }), right);

let team: TestTeam;
beforeEach(async () => void (team = await newTeam()));

type Sent = { name?: string; description?: string | null; grants?: unknown[] };
const create = (body: Sent, key = team.admin.key) => call("POST", PATH, { key, body });
const change = (id: string, body: Sent, key = team.admin.key) => call("PATCH", `${PATH}/${id}`, { key, body });
const get = (id: string, key = team.admin.key) => call("GET", `${PATH}/${id}`, { key });
const pointers = (answer: { body: { error: { flaws: { pointer: string }[] } } }) =>
  answer.body.error.flaws.map(({ pointer }) => pointer);
const audited = async () =>
  (
    await env.DB.prepare("select action from audit_events where team_id = ? and kind = 'role' order by id")
      .bind(team.id)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

const GRANT = {
  integration_id: "*",
  schema: "sales",
  table: "orders",
  exclude_columns: ["email"],
  masks: { phone: null, rank: 0, note: "hidden", paid: false },
  filters: [
    { member: "region", operator: "equals", values: [{ attribute: "region" }, "all", 7, true, null] },
    {
      or: [
        { member: "at", operator: "inDateRange", values: ["2026-01-31"] },
        { member: "at", operator: "notSet" },
      ],
    },
  ],
};

describe("the warnings of a role", () => {
  it("say that the first one closes the team, and name tables that a lake has not", async () => {
    const lake = (await env.DB.prepare("select id from integrations where team_id = ?")
      .bind(team.id)
      .first<string>("id"))!;
    const writer = await newWriter({ teamId: team.id, lakeId: lake, catalog: openLake(env, lake) });
    valueOf(await writer.commit([createTable("main", "orders")]));
    const grants = [
      { integration_id: lake, schema: "MAIN", table: "Orders" },
      { integration_id: lake, schema: "main", table: "ordres" },
      { integration_id: lake, schema: "sales" },
      { integration_id: "*", schema: "main", table: "nothing" },
    ];
    const missing = "The lake Lake has no table main.ordres now.";
    const first = (await create({ name: "First", grants })).body.data;
    expect(first.warnings).toEqual([expect.stringMatching(/first role.*no role read nothing/), missing]);
    expect((await create({ name: "Second", grants: [grants[0]!] })).body.data.warnings).toEqual([]);
    expect((await change(first.id, { grants })).body.data.warnings).toEqual([missing]);
    expect((await change(first.id, { name: "Other" })).body.data.warnings).toEqual([]);
    expect((await get(first.id)).body.data).not.toHaveProperty("warnings");
  });
});

describe("a role", () => {
  it("is made, found, listed by name, changed and deleted, each audited once", async () => {
    const made = await create({ name: " Sales ", grants: [GRANT, { integration_id: "*", schema: "*" }] });
    expect(made).toMatchObject({ status: 201, body: { data: { name: "Sales", description: null, members: 0 } } });
    const { id } = made.body.data;
    const whole = { table: "*", exclude_columns: [], masks: {}, filters: [] };
    const grants = [
      { ...GRANT, filters: [GRANT.filters[0], GRANT.filters[1]] },
      { integration_id: "*", schema: "*", ...whole },
    ];
    const { warnings: _, ...role } = made.body.data;
    expect((await get(id.toUpperCase())).body.data).toEqual({ ...role, grants });
    await addMember(team, id, team.member.id);
    await create({ name: "a role before it" });
    const list = (await call("GET", PATH, { key: team.admin.key })).body.data;
    expect(list).toMatchObject({ total: 2, items: [{ name: "a role before it" }, { id, members: 1, grants }] });

    const changed = await change(id, { description: "Who sells" });
    expect(changed.body.data).toMatchObject({ name: "Sales", description: "Who sells", grants, members: 1 });
    expect((await change(id, { grants: [] })).body.data).toMatchObject({ description: "Who sells", grants: [] });
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await get(id)).status).toBe(404);
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(404);
    expect(await audited()).toEqual(["role.create", "role.create", "role.update", "role.update", "role.delete"]);
    const members = "select count(*) as n from access_members where role_id = ?";
    expect(await env.DB.prepare(members).bind(id).first("n")).toBe(0);
  });

  it.each([
    ["SALES", "sales"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδοσ"],
    ["É", "e\u0301"],
    ["ＡＢＣ", "abc"],
    ["Ǆungla", "ǆUNGLA"],
  ])("has a name of its own, in any case of any script: %s and %s", async (first, second) => {
    const { id } = (await create({ name: first })).body.data;
    const other = (await create({ name: "other" })).body.data.id;
    expect((await create({ name: second })).status).toBe(409);
    expect(pointers(await change(other, { name: second }))).toEqual(["/name"]);
    expect((await change(id, { name: second })).body.data.name).toBe(second);
    expect((await change(id, { name: second })).status).toBe(200);
    const elsewhere = await newTeam();
    expect((await create({ name: first }, elsewhere.admin.key)).status).toBe(201);
  });

  it("is made once by many calls at once with one name", async () => {
    const answers = await Promise.all(["a", "A", "a", "A", "a"].map((name) => create({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await audited()).toEqual(["role.create"]);
  });

  it("of another team answers as a missing one, and stays as it is", async () => {
    const strangers = await newTeam();
    const id = await addRole(strangers, [{ integration_id: "*", schema: "s" }], []);
    for (const [method, body] of [["GET"], ["PATCH", { name: "mine" }], ["DELETE"]] as const) {
      const [foreign, missing] = await Promise.all(
        [id, newId()].map((one) => call(method, `${PATH}/${one}`, { key: team.admin.key, ...(body && { body }) })),
      );
      expect(foreign!.status).toBe(404);
      expect(foreign!.body.message.replace(id, "")).toBe(missing!.body.message.replace(/Role \S+/, "Role "));
    }
    expect((await get(id, strangers.admin.key)).body.data.grants).toHaveLength(1);
    expect((await get("no-id")).status).toBe(404);
  });
});

describe("a role's grants are refused", () => {
  const filter = (operator: string, values?: unknown[]) => [{ member: "c", operator, ...(values && { values }) }];
  const deep = (levels: number): unknown => (levels === 0 ? filter("set")[0] : { and: [deep(levels - 1)] });
  it.each<[string, Record<string, unknown>, string]>([
    ["a relative date", { filters: filter("inDateRange", ["last 7 days"]) }, "/grants/0/filters/0"],
    ["a day that is none", { filters: filter("onTheDate", ["2026-02-30"]) }, "/grants/0/filters/0"],
    ["a date as a number", { filters: filter("afterDate", [20260131]) }, "/grants/0/filters/0"],
    [
      "three dates",
      { filters: filter("notInDateRange", ["2026-01-01", "2026-01-02", "2026-01-03"]) },
      "/grants/0/filters/0",
    ],
    ["no values", { filters: filter("equals", []) }, "/grants/0/filters/0"],
    ["missing values", { filters: filter("notEquals") }, "/grants/0/filters/0"],
    ["values of set", { filters: filter("set", ["x"]) }, "/grants/0/filters/0"],
    ["two bounds", { filters: filter("gt", [1, 2]) }, "/grants/0/filters/0"],
    ["an unknown operator", { filters: filter("measureFilter", [1]) }, "/grants/0/filters/0"],
    ["a number that JSON rounds", { filters: filter("equals", [2 ** 53]) }, "/grants/0/filters/0"],
    ["an attribute's name with a dot", { filters: filter("equals", [{ attribute: "a.b" }]) }, "/grants/0/filters/0"],
    ["an empty group", { filters: [{ and: [] }] }, "/grants/0/filters/0"],
    ["a filter with two meanings", { filters: [{ and: [deep(0)], or: [deep(0)] }] }, "/grants/0/filters/0"],
    ["a filter too deep", { filters: [deep(9)] }, "/grants/0/filters/0"],
    ["too many conditions", { filters: [{ or: Array.from({ length: 101 }, () => deep(0)) }] }, "/grants/0/filters"],
    ["a zero in a name", { schema: "a\0b" }, "/grants/0/schema"],
    ["half a character in a value", { filters: filter("equals", ["\ud800"]) }, "/grants/0/filters/0"],
    ["a mask that is a list", { masks: { c: [] } }, "/grants/0/masks/c"],
    ["what is no integration", { integration_id: "lake" }, "/grants/0/integration_id"],
    ["an unknown field", { mask: {} }, "/grants/0/mask"],
  ])("for %s", async (_, part, pointer) => {
    const answer = await create({ name: "r", grants: [{ integration_id: "*", schema: "s", ...part }] });
    expect({ status: answer.status, at: pointers(answer)[0] }).toMatchObject({
      status: 422,
      at: expect.stringContaining(pointer),
    });
  });

  it("for a filter as deep as a body may be", async () => {
    const deepest = `${'{"and":['.repeat(30_000)}{"member":"c","operator":"set"}${"]}".repeat(30_000)}`;
    const raw = `{"name": "r", "grants": [{"integration_id": "*", "schema": "s", "filters": [${deepest}]}]}`;
    const headers = { "content-type": "application/json" };
    expect((await call("POST", PATH, { key: team.admin.key, raw, headers })).status).toBe(422);
  });

  it("for a mask whose column's name a record would lose", async () => {
    const raw = '{"name": "r", "grants": [{"integration_id": "*", "schema": "s", "masks": {"__proto__": null}}]}';
    const headers = { "content-type": "application/json" };
    const answer = await call("POST", PATH, { key: team.admin.key, raw, headers });
    expect({ status: answer.status, at: pointers(answer) }).toEqual({ status: 422, at: ["/grants/0/masks"] });
  });

  it("for one target twice, in whatever case", async () => {
    const grants = [
      { integration_id: "*", schema: "s", table: "Users" },
      { integration_id: "*", schema: "S", table: "uSERS" },
    ];
    expect(pointers(await create({ name: "r", grants }))).toEqual(["/grants/1"]);
    const id = await addRole(team, [], []);
    expect(pointers(await change(id, { grants }))).toEqual(["/grants/1"]);
  });

  it("for another team's integration exactly as for a missing one, and one that is gone stays", async () => {
    const strangers = await newTeam();
    const [foreign, missing, own] = [await addLake(strangers), newId(), await addLake(team)];
    const naming = (id: string) => create({ name: "r", grants: [{ integration_id: id, schema: "s" }] });
    const [one, other] = [await naming(foreign), await naming(missing)];
    expect(one.status).toBe(422);
    expect(JSON.stringify(one.body.error).replaceAll(foreign, "")).toBe(
      JSON.stringify(other.body.error).replaceAll(missing, ""),
    );
    const { id } = (await naming(own)).body.data;
    await call("DELETE", `/v1/api/integrations/${own}`, { key: team.admin.key });
    const grants = (await get(id)).body.data.grants;
    expect((await change(id, { grants: [...grants, { integration_id: "*", schema: "t" }] })).status).toBe(200);
    expect((await naming(own)).status).toBe(422);
  });

  it("past their bytes in a role, and past the team's in all, with nothing changed", async () => {
    const values = Array.from({ length: 30 }, () => "v".repeat(ACCESS_LIMITS.valueCharactersMax));
    const large = Array.from({ length: 9 }, (_, i) => ({
      integration_id: "*",
      schema: `s${i}`,
      filters: [{ member: "c", operator: "equals", values }],
    }));
    expect(pointers(await create({ name: "r", grants: large }))).toEqual(["/grants"]);
    const id = await addRole(team, [], []);
    await env.DB.prepare("update access_roles set grants_bytes = ? where id = ?")
      .bind(DATA_ACCESS_LIMITS.grantBytesPerTeamMax - 100, id)
      .run();
    const small = large.slice(0, 1);
    expect((await create({ name: "r", grants: small })).status).toBe(426);
    const other = await addRole(team, [], []);
    expect((await change(other, { grants: small })).status).toBe(426);
    expect((await get(other)).body.data.grants).toEqual([]);
    expect((await change(id, { grants: small })).status).toBe(200);
    expect(await audited()).toEqual(["role.create", "role.create", "role.update"]);
  });
});

describe("the version of a role", () => {
  const changeAt = (id: string, version: string, body: Sent) =>
    call("PATCH", `${PATH}/${id}`, { key: team.admin.key, body, headers: { "if-match": version } });
  const deleteAt = (id: string, version: string) =>
    call("DELETE", `${PATH}/${id}`, { key: team.admin.key, headers: { "if-match": version } });

  it("is its ETag, and rises with each change", async () => {
    const made = await create({ name: "Sales" });
    const { id } = made.body.data;
    expect([made.headers.get("etag"), made.body.data.version]).toEqual(['"1"', 1]);
    const changed = await change(id, { description: "All of it" });
    expect([changed.headers.get("etag"), changed.body.data.version]).toEqual(['"2"', 2]);
    expect((await get(id)).headers.get("etag")).toBe('"2"');
  });

  it("keeps a change and a deletion from what their sender has not read, and nothing of them is audited", async () => {
    const { id } = (await create({ name: "Sales" })).body.data;
    expect((await changeAt(id, '"1"', { name: "Sales, north" })).status).toBe(200);
    const late = await changeAt(id, '"1"', { name: "Mine" });
    expect([late.status, late.body.error.code]).toEqual([412, "precondition_failed"]);
    expect((await changeAt(id, "sales", { name: "Mine" })).status).toBe(412);
    expect((await deleteAt(id, '"1"')).status).toBe(412);
    expect((await get(id)).body.data).toMatchObject({ name: "Sales, north", version: 2 });
    expect(await audited()).toEqual(["role.create", "role.update"]);
    expect((await deleteAt(id, '"2"')).status).toBe(204);
  });

  it("lets one of two changes at a time through that have read the same", async () => {
    const { id } = (await create({ name: "Sales" })).body.data;
    const both = await Promise.all(["a", "b"].map((description) => changeAt(id, '"1"', { description })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await get(id)).body.data.version).toBe(2);
  });
});
