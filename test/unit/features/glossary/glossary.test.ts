// The glossary: terms with their versions, who writes them, and links that show nothing a role hides.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { GLOSSARY_LIMITS } from "../../../../src/features/glossary/limits.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { column, createTable, newWriter } from "../../../support/unit/lake.ts";
import { addCube, cubeFile, newCompiler, ownLakeOf } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/glossary";
const NEW = { term: "Net revenue", definition: "What orders were paid, less refunds." };
const nobody = `${PATH}/${crypto.randomUUID()}`;

refusesStrangers("createGlossaryTerm", (key) => call("POST", PATH, { key, body: NEW }), { right: "queries:manage" });
refusesStrangers("updateGlossaryTerm", (key) => call("PATCH", nobody, { key, body: { term: "x" } }), {
  right: "queries:manage",
});
refusesStrangers("deleteGlossaryTerm", (key) => call("DELETE", nobody, { key }), { right: "queries:manage" });
refusesStrangers("listGlossaryTerms", (key) => call("GET", PATH, { key }), { right: "query" });
refusesStrangers("getGlossaryTerm", (key) => call("GET", nobody, { key }), { right: "query" });
refusesStrangers("listGlossaryTermVersions", (key) => call("GET", `${nobody}/versions`, { key }), { right: "query" });
refusesStrangers("getGlossaryTermVersion", (key) => call("GET", `${nobody}/versions/1`, { key }), { right: "query" });

let team: TestTeam;
let lakeId: string;
let model: string;
let writer: Awaited<ReturnType<typeof newWriter>>;
beforeAll(async () => {
  team = await newTeam();
  lakeId = await ownLakeOf(team);
  writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  await writer.commit([
    createTable("shop", "orders", [column(1, "id")]),
    createTable("hr", "salaries", [column(1, "amount")]),
    createTable("shop", "former", [column(1, "id")]),
  ]);
  model = await addCube(team);
  await newCompiler().put(team, model, [cubeFile("orders")]);
});

const add = (body: object, key = team.admin.key) => call("POST", PATH, { key, body });
const added = async (body: object) => {
  const answer = await add(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
};
const get = async (id: string, key = team.member.key) => (await call("GET", `${PATH}/${id}`, { key })).body.data;
const patch = (id: string, body: object, headers = {}) =>
  call("PATCH", `${PATH}/${id}`, { key: team.admin.key, body, headers });
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];
const actionsOf = async (id: string) =>
  (await env.DB.prepare("select action from audit_events where subject_id = ? order by id").bind(id).all()).results.map(
    ({ action }) => action,
  );

describe("createGlossaryTerm", () => {
  it.each([
    ["no definition", { term: "x" }, ["/definition"]],
    ["an empty term", { ...NEW, term: " " }, ["/term"]],
    ["a definition that is too long", { ...NEW, definition: "x".repeat(4_001) }, ["/definition"]],
    ["more synonyms than may be", { ...NEW, synonyms: Array.from({ length: 21 }, (_, i) => `s${i}`) }, ["/synonyms"]],
  ])("refuses %s", async (_, body, flaws) => {
    expect(pointers(await add(body))).toEqual([422, flaws]);
  });

  it("refuses links that lead nowhere, with the likest name", async () => {
    const links = [
      { integration_id: lakeId, name: "shop.order" },
      { integration_id: crypto.randomUUID(), name: "shop.orders" },
      { integration_id: model, name: "orders.count" },
    ];
    const answer = await add({ term: "Nowhere", definition: "x", links });
    expect(pointers(answer)).toEqual([422, ["/links/0/name", "/links/1/integration_id"]]);
    expect(answer.body.error.flaws[0].message).toContain("Did you mean shop.orders");
  });

  it("refuses a term that is there in another case, and records nothing of it", async () => {
    const { id } = await added({ term: "Churn", definition: "Customers who left." });
    expect(await add({ term: "CHURN", definition: "x" })).toMatchObject({ status: 409 });
    const recorded = env.DB.prepare("select id from audit_events where team_id = ? and instr(after, 'CHURN') > 0");
    expect((await recorded.bind(team.id).all()).results).toEqual([]);
    expect(await actionsOf(id)).toEqual(["glossary_term.create"]);
  });

  it("keeps a term that every member reads, at version 1", async () => {
    const links = [{ integration_id: model, name: "orders.count" }];
    const answer = await add({ ...NEW, synonyms: [" turnover ", "turnover"], links });
    expect([answer.status, answer.headers.get("etag")]).toEqual([201, '"1"']);
    expect(await get(answer.body.data.id)).toMatchObject({
      ...{ term: NEW.term, synonyms: ["turnover"], definition: NEW.definition, version: 1 },
      links: [{ integration_id: model, name: "orders.count", missing: false }],
    });
  });

  it("holds a glossary to its bound", async () => {
    const full = await newTeam();
    const rows = Array.from({ length: GLOSSARY_LIMITS.termsPerTeamMax }, (_, i) =>
      env.DB.prepare(
        "insert into glossary_terms values (?1, ?2, ?3, ?3, '[]', 'x', '[]', 1, ?4, '2000', ?4, '2000')",
      ).bind(crypto.randomUUID(), full.id, `term ${i}`, full.admin.id),
    );
    await env.DB.batch(rows);
    expect(await add(NEW, full.admin.key)).toMatchObject({ body: { error: { code: "business_quota_exceeded" } } });
  });
});

describe("updateGlossaryTerm", () => {
  it("refuses a version that was not read, and a name that another has", async () => {
    const { id } = await added({ term: "Basket", definition: "An order before it is paid." });
    await added({ term: "Cart", definition: "x" });
    expect((await patch(id, { definition: "y" }, { "if-match": '"2"' })).status).toBe(412);
    expect((await patch(id, { term: "cart" })).status).toBe(409);
    expect([await actionsOf(id), (await get(id)).version]).toEqual([["glossary_term.create"], 1]);
  });

  it("keeps each version with who wrote it, and one change that changes nothing is none", async () => {
    const { id } = await added({ term: "Cohort", definition: "Customers of one month." });
    const changed = await patch(id, { definition: "Customers of one week." }, { "if-match": '"1"' });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"2"']);
    expect((await patch(id, { definition: "Customers of one week." })).headers.get("etag")).toBe('"2"');
    const versions = (await call("GET", `${PATH}/${id}/versions`, { key: team.member.key })).body.data.items;
    expect(versions).toMatchObject([
      { version: 2, created_by: team.admin.id, created_by_name: expect.any(String) },
      { version: 1 },
    ]);
    const first = await call("GET", `${PATH}/${id}/versions/1`, { key: team.member.key });
    expect(first.body.data).toMatchObject({ term: "Cohort", definition: "Customers of one month.", links: [] });
    expect((await call("GET", `${PATH}/${id}/versions/3`, { key: team.member.key })).status).toBe(404);
    expect(await actionsOf(id)).toEqual(["glossary_term.create", "glossary_term.update"]);
  });

  it("lets one of two changes of the same version win", async () => {
    const { id } = await added({ term: "Race", definition: "x" });
    const answers = await Promise.all(
      ["a", "b", "c"].map((definition) => patch(id, { definition }, { "if-match": '"1"' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await actionsOf(id)).length).toBe(2);
    expect((await call("GET", `${PATH}/${id}/versions`, { key: team.member.key })).body.data.total).toBe(2);
  });
});

describe("deleteGlossaryTerm", () => {
  it("takes the term with its versions, and leaves its word free", async () => {
    const { id } = await added({ term: "Gone", definition: "Soon." });
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(404);
    expect((await call("GET", `${PATH}/${id}/versions`, { key: team.member.key })).status).toBe(404);
    expect(await actionsOf(id)).toEqual(["glossary_term.create", "glossary_term.delete"]);
    await added({ term: "Gone", definition: "Again." });
  });
});

describe("links", () => {
  it("say of a table that is gone that it is, and are left out for whom a role hides it", async () => {
    const names = ["shop.orders", "hr.salaries", "shop.former"];
    const links = names.map((name) => ({ integration_id: lakeId, name }));
    const { id } = await added({ term: "Payroll", definition: "What people are paid.", links });
    await writer.commit([{ kind: "drop_table", schema: "shop", name: "former" }]);
    const shown = async (key: string) =>
      (await get(id, key)).links.map(({ name, missing }: { name: string; missing: boolean }) => [name, missing]);
    expect(await shown(team.admin.key)).toEqual([
      ["shop.orders", false],
      ["hr.salaries", false],
      ["shop.former", true],
    ]);
    const bound = await team.newMember();
    await addRole(team, [{ integration_id: lakeId, schema: "shop", table: "*" }], [bound.id]);
    await expect.poll(() => shown(bound.key)).toEqual([["shop.orders", false]]);
    const { items } = (await call("GET", `${PATH}?limit=250`, { key: bound.key })).body.data;
    const version = (await call("GET", `${PATH}/${id}/versions/1`, { key: bound.key })).body.data;
    expect(JSON.stringify([items, version])).not.toMatch(/salaries|former/);
    // A change of other fields lets be what is gone.
    expect((await patch(id, { definition: "Wages." })).body.data.links).toHaveLength(3);
  });
});
