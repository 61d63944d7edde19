// Agents are given terms and verified queries before they ask: in which order, and what is hidden from whom.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { column, createTable, newWriter } from "../../../support/unit/lake.ts";
import { addCube, newCompiler, ownLakeOf } from "../../../support/unit/semantic/models.ts";
import { newTeam, type Person, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/knowledge";
refusesStrangers("getKnowledge", (key) => call("GET", PATH, { key }), { right: "query" });

const MODEL = `cubes:
  - name: orders
    sql_table: shop.orders
    measures:
      - {name: count, type: count}
    dimensions:
      - {name: status, sql: status, type: string}
      - {name: email, sql: email, type: string}
`;

let team: TestTeam;
let bound: Person;
let lakeId: string;
let model: string;
let postgres: string;
beforeAll(async () => {
  team = await newTeam();
  lakeId = await ownLakeOf(team);
  const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  await writer.commit([
    createTable("shop", "orders", [column(1, "id"), column(2, "status", "varchar"), column(3, "email", "varchar")]),
    createTable("hr", "salaries", [column(1, "amount")]),
  ]);
  model = await addCube(team);
  await newCompiler().put(team, model, [{ path: "orders.yml", content: MODEL }]);
  postgres = await addPostgres(team);
  bound = await team.newMember();
  const grant = { integration_id: lakeId, schema: "shop", table: "orders", exclude_columns: ["email"] };
  await addRole(team, [grant], [bound.id]);
});

/** A certified query of its name and these members. */
async function verify(name: string, body: object): Promise<string> {
  const made = await call("POST", "/v4/queries", { key: team.admin.key, body: { name, ...body } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data;
  const certified = await call("PATCH", `/v4/queries/${id}`, { key: team.admin.key, body: { certified: true } });
  expect(certified.status).toBe(200);
  return id;
}
const know = async (question?: string, key = team.admin.key, more = "") => {
  const asked = question === undefined ? "limit=50" : `question=${encodeURIComponent(question)}`;
  const { status, body } = await call("GET", `${PATH}?${asked}${more}`, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const find = async (name: string, key?: string) =>
  (await know(undefined, key)).verified_queries.find((query: { name: string }) => query.name === name);

describe("the questions of a saved query", () => {
  it("are what it is found by, and are versioned with it", async () => {
    const id = await verify("Shipped orders", {
      questions: ["How many parcels went out?", "How many parcels went out?"],
      sql: "SELECT count(*) FROM LAKE.shop.orders WHERE status = $status;",
      parameters: { status: { type: "text", default: "shipped" } },
    });
    const [first] = (await know("parcels")).verified_queries;
    expect(first).toMatchObject({
      ...{ id, questions: ["How many parcels went out?"], certified_by: team.admin.id, missing: [] },
      certified_by_name: expect.any(String),
      certified_at: expect.any(String),
    });
    const found = await call("GET", "/v4/catalog/search?text=parcels", { key: team.admin.key });
    expect(found.body.data.items).toMatchObject([{ kind: "saved_query", id }]);
    const listed = await call("GET", "/v4/queries?search=parcels", { key: team.admin.key });
    expect(listed.body.data.items).toMatchObject([{ id, questions: first.questions }]);
    const one = await call("GET", `/v4/queries/${id}/versions/1`, { key: team.admin.key });
    expect(one.body.data.questions).toEqual(first.questions);
  });

  it("lose the mark when they or their query's name change, unless whoever may set it sets it with them", async () => {
    const id = await verify("Marked", { questions: ["One?"], sql: "SELECT 1" });
    const change = async (body: object) =>
      (await call("PATCH", `/v4/queries/${id}`, { key: team.admin.key, body })).body.data.certified;
    expect(await change({ name: "Marked again" })).toBe(false);
    expect(await find("Marked again")).toBeUndefined();
    expect(await change({ certified: true })).toBe(true);
    expect(await change({ questions: ["Two?"] })).toBe(false);
    expect(await change({ questions: ["Three?"], certified: true })).toBe(true);
  });

  it("are none of a version from before queries had them", async () => {
    const id = await verify("Old", { sql: "SELECT 1" });
    const { name, description, tags, sql, integration_id, parameters } = (
      await call("GET", `/v4/queries/${id}`, { key: team.admin.key })
    ).body.data;
    const old = JSON.stringify({ name, description, tags, sql, integration_id, parameters });
    const update = "update saved_query_versions set definition = ? where query_id = ?";
    await env.DB.prepare(update).bind(old, id).run();
    expect(await find("Old")).toMatchObject({ questions: [] });
    const same = await call("PATCH", `/v4/queries/${id}`, { key: team.admin.key, body: { name } });
    expect(same.body.data).toMatchObject({ version: 1, certified: true });
  });

  it("are bounded", async () => {
    const body = { name: "x", sql: "SELECT 1", questions: Array.from({ length: 21 }, (_, i) => `${i}?`) };
    expect((await call("POST", "/v4/queries", { key: team.admin.key, body })).status).toBe(422);
  });
});

describe("getKnowledge", () => {
  it("answers the terms that are like a question, the likest first, by synonyms too", async () => {
    const term = async (body: object) => call("POST", "/v4/glossary", { key: team.admin.key, body });
    await term({ term: "Net revenue", synonyms: ["turnover"], definition: "Paid, less refunds." });
    await term({ term: "Refund", definition: "What goes back to the customer of an order." });
    const named = async (question?: string) =>
      (await know(question)).terms.map(({ term: name }: { term: string }) => name);
    expect(await named("What is our turnover?")).toEqual(["Net revenue"]);
    expect(await named("refunds by month")).toEqual(["Refund", "Net revenue"]);
    expect(await named("weather")).toEqual([]);
    expect(await named()).toEqual(["Net revenue", "Refund"]);
    const one = await know("refunds", team.admin.key, "&limit=1");
    expect([one.terms.length, one.cut]).toEqual([1, true]);
    const hits = await call("GET", "/v4/catalog/search?text=turnover", { key: team.member.key });
    expect(hits.body.data.items).toMatchObject([{ kind: "term", name: "Net revenue" }]);
  });

  it("leaves out what nobody vouches for, and what is archived", async () => {
    const id = await verify("Archived", { sql: "SELECT 1" });
    await call("DELETE", `/v4/queries/${id}`, { key: team.admin.key });
    const body = { name: "Unmarked", sql: "SELECT 1" };
    await call("POST", "/v4/queries", { key: team.admin.key, body });
    expect([await find("Archived"), await find("Unmarked")]).toEqual([undefined, undefined]);
  });

  it.each([
    [
      "a table of SQL",
      { sql: "SELECT * FROM LAKE.shop.parcels JOIN LAKE.shop.orders o USING (id)" },
      ["LAKE.shop.parcels"],
    ],
    ["a member", { cube_query: { measures: ["orders.count"], order: { "orders.size": "asc" } } }, ["orders.size"]],
    ["a whole cube", { cube_query: { measures: ["basket.count"] } }, ["basket.count"]],
  ])("says which names are gone: %s", async (what, body, missing) => {
    const where = "cube_query" in body ? { integration_id: model } : {};
    await verify(what, { ...body, ...where });
    expect(await find(what)).toMatchObject({ missing });
    // Whether such a name is gone or hidden is not for everybody to know.
    expect(await find(what, bound.key)).toBeUndefined();
  });

  const HIDDEN: [string, () => object][] = [
    ["SQL on a table that is hidden", () => ({ sql: "SELECT 1 FROM LAKE.hr.salaries" })],
    ["SQL on a column that is hidden", () => ({ sql: "SELECT max(email) FROM LAKE.shop.orders" })],
    ["SQL with a hidden table in a text", () => ({ sql: "SELECT * FROM query_table('hr.salaries')" })],
    ["SQL that can't be scanned", () => ({ sql: "SELECT $$ x $$ FROM LAKE.shop.orders" })],
    ["SQL that is too long to be read", () => ({ sql: `SELECT 1 -- ${"x".repeat(20_000)}` })],
    [
      "allowed values out of a hidden table",
      () => ({
        sql: "SELECT * FROM LAKE.shop.orders WHERE id = $id",
        parameters: { id: { type: "integer", allowed_sql: "SELECT amount FROM LAKE.hr.salaries" } },
      }),
    ],
    ["SQL on a database without a grant", () => ({ sql: "SELECT * FROM public.t", integration_id: postgres })],
    [
      "a filter by a hidden member",
      () => ({
        cube_query: {
          measures: ["orders.count"],
          filters: [{ or: [{ member: "orders.email", operator: "equals", values: [{ parameter: "e" }] }] }],
        },
        parameters: { e: { type: "text" } },
        integration_id: model,
      }),
    ],
  ];
  it.each(HIDDEN)("does not show a bound caller %s", async (name, body) => {
    await verify(name, body());
    expect(await find(name)).toMatchObject({ name });
    expect(await find(name, bound.key)).toBeUndefined();
  });

  it.each([
    ["SQL on what is granted", () => ({ sql: "SELECT o.status, count(*) FROM LAKE.shop.orders o GROUP BY ALL" })],
    [
      "a value with a parameter",
      () => ({ sql: "FROM LAKE.shop.orders WHERE status = $s", parameters: { s: { type: "text" } } }),
    ],
    ["members that are granted", () => ({ cube_query: { dimensions: ["orders.status"] }, integration_id: model })],
    [
      "a value like a hidden member's name",
      () => ({
        cube_query: {
          measures: ["orders.count"],
          filters: [{ member: "orders.status", operator: "equals", values: ["orders.email"] }],
        },
        integration_id: model,
      }),
    ],
  ])("shows a bound caller %s", async (name, body) => {
    await verify(name, body());
    expect(await find(name, bound.key)).toMatchObject({ name, missing: [] });
  });
});
