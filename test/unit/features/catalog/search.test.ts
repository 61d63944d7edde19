// The search of the catalog: what is found, in which order, and what is hidden from whom.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { column, createTable, newWriter } from "../../../support/unit/lake.ts";
import { addCube, cubeFile, newCompiler, ownLakeOf } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/catalog/search";
refusesStrangers("searchCatalog", (key) => call("GET", `${PATH}?text=x`, { key }), { right: "catalog:read" });

let team: TestTeam;
let lakeId: string;

const search = async (text: string, more = "", key = team.member.key) =>
  (await call("GET", `${PATH}?text=${encodeURIComponent(text)}${more}`, { key })).body.data.items;
const namesOf = (hits: { name: string }[]) => hits.map(({ name }) => name);

beforeAll(async () => {
  team = await newTeam();
  lakeId = await ownLakeOf(team);
  const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  await writer.commit([
    createTable("shop", "orders", [column(1, "id"), column(2, "customerEmail", "varchar"), column(3, "price")]),
    createTable("shop", "returns", [column(1, "id"), column(2, "order_id")]),
    createTable("hr", "salaries", [column(1, "person_id"), column(2, "amount")]),
  ]);
  await writer.commit([
    {
      kind: "set_comments",
      schema: "shop",
      name: "orders",
      comments: [{ columnId: null, comment: "What customers bought; revenue follows from it" }],
    },
  ]);
  const cube = await addCube(team);
  await newCompiler().put(team, cube, [cubeFile("refunds", { measure: "refunded_total" })]);
  const { admin } = team;
  await call("POST", "/v4/queries", {
    key: admin.key,
    body: { name: "Weekly churn", description: "Customers who left", sql: "SELECT 1", tags: ["retention"] },
  });
  const definition = { version: 1, kind: "dashboard", metadata: { name: "Board meeting" }, datasets: {} };
  expect((await call("POST", "/v4/docs", { key: admin.key, body: definition })).status).toBe(201);
});

describe("searchCatalog", () => {
  it("finds a table by a word of its name, in another form of it", async () => {
    const [first, second] = await search("How many orders were there?");
    expect(first).toMatchObject({ kind: "table", name: "shop.orders", integration_id: lakeId });
    // By its column `order_id` alone.
    expect(second).toMatchObject({ name: "shop.returns", columns: ["order_id"] });
  });

  it("finds it by its comment, and by a word of a column that is written in one piece", async () => {
    expect(namesOf(await search("revenue"))).toEqual(["shop.orders"]);
    expect(await search("email addresses")).toMatchObject([{ name: "shop.orders", columns: ["customerEmail"] }]);
  });

  it("finds members, saved queries and docs, and only the kinds that are asked for", async () => {
    expect(await search("refunded", "&limit=1")).toMatchObject([{ kind: "member", name: "refunds.refunded_total" }]);
    expect(await search("retention")).toMatchObject([{ kind: "saved_query", name: "Weekly churn", certified: false }]);
    expect(await search("board meeting")).toMatchObject([{ kind: "doc", name: "Board meeting" }]);
    expect(await search("customers left", "&kind=doc&kind=member")).toEqual([]);
  });

  it("finds what is asked for in other words, with a mistake in it, or in another form of the word", async () => {
    expect(namesOf(await search("clients", "&kind=table"))).toEqual(["shop.orders"]);
    expect(namesOf(await search("turnover", "&kind=table"))).toEqual(["shop.orders"]);
    expect(namesOf(await search("salareis", "&kind=table"))).toEqual(["hr.salaries"]);
    expect(namesOf(await search("returning", "&kind=table"))).toEqual(["shop.returns"]);
  });

  it("puts the word that is asked for before one that means as much", async () => {
    expect(namesOf(await search("returns and purchases", "&kind=table"))).toEqual(["shop.returns", "shop.orders"]);
  });

  it("puts the rarer word first, and answers no more than is asked for", async () => {
    const hits = await search("order returns");
    expect(namesOf(hits)[0]).toBe("shop.returns");
    expect(await search("order returns", "&limit=1")).toHaveLength(1);
    expect(await search("zebra")).toEqual([]);
  });

  it("names no table, column or comment that a role hides", async () => {
    const bound = await team.newMember();
    await addRole(
      team,
      [{ integration_id: lakeId, schema: "shop", table: "orders", exclude_columns: ["price"] }],
      [bound.id],
    );
    expect(namesOf(await search("salaries amount person", "&kind=table", bound.key))).toEqual([]);
    expect(namesOf(await search("price", "&kind=table", bound.key))).toEqual([]);
    // Nothing that is hidden is what a misspelt word, or one of another name, is taken for.
    for (const text of ["salareis", "wages", "prcie", "cost"])
      expect(namesOf(await search(text, "&kind=table", bound.key))).toEqual([]);
    expect(namesOf(await search("email", "&kind=table", bound.key))).toEqual(["shop.orders"]);
    expect(namesOf(await search("price", "&kind=table", team.admin.key))).toEqual(["shop.orders"]);
  });

  it("refuses a question without words, and one that is too long", async () => {
    for (const text of ["", "x".repeat(501)])
      expect((await call("GET", `${PATH}?text=${text}`, { key: team.member.key })).status).toBe(422);
    expect(await search("?!")).toEqual([]);
  });
});
