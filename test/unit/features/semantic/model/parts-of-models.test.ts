// Parts of a model: what a query reaches, what is left when some of it is taken away, and what a member reads.

import { describe, expect, it } from "vitest";
import type { SemanticModel } from "../../../../../kernel/semantic/model.ts";
import type { Cube, View } from "../../../../../src/features/semantic/model/definitions.ts";
import { joinReads, membersRead } from "../../../../../src/features/semantic/model/members-read.ts";
import { reach } from "../../../../../src/features/semantic/model/reach.ts";
import { readModel } from "../../../../../src/features/semantic/model/read-model.ts";
import { restrictModel } from "../../../../../src/features/semantic/model/restrict.ts";

const ID = { name: "id", sql: "id", type: "number", primary_key: true };
const join = (name: string, sql = `{CUBE}.${name}_id = {${name}.id}`) => ({ name, relationship: "many_to_one", sql });

describe("merge keys", () => {
  const text = (own: string) => `cubes:
  - &orders
    name: orders
    sql_table: orders
    dimensions:
      - &id {name: id, sql: id, type: number, primary_key: true}
      - &status {name: status, sql: status, type: string, title: Status}
    measures: [{name: count, type: count}]
  - <<: *orders
    name: returns
    dimensions:
      - *id
      - {<<: [{title: First}, *status], ${own}}
`;
  const flawsOf = (content: string) => readModel([{ path: "m.yml", content }]);

  it("take over what an object does not say itself, the first of several first", () => {
    const { definitions, flaws } = flawsOf(text("sql: state"));
    expect(flaws).toBeUndefined();
    expect(definitions!.cubes[1]).toMatchObject({
      name: "returns",
      sql_table: "orders",
      dimensions: [{ name: "id" }, { name: "status", sql: "state", type: "string", title: "First" }],
      measures: [{ name: "count", type: "count" }],
    });
  });

  it("have their flaws where they are written", () => {
    const { flaws } = flawsOf(text("type: strin"));
    expect(flaws).toMatchObject([{ line: 13, message: expect.stringContaining("strin is none of") }]);
  });
});

/** Lines of orders of customers in countries; products stand apart, and warehouses are on the way to nothing else. */
const SHOP = {
  cubes: [
    {
      name: "lines",
      sql_table: 'shop."Order Lines"',
      joins: [join("orders"), join("warehouses")],
      dimensions: [ID, { name: "town", sql: "{warehouses.town}", type: "string" }],
      measures: [
        { name: "count", type: "count", drill_members: ["id", "town"] },
        { name: "amount", type: "sum", sql: '{CUBE}.price * {CUBE}."Count"' },
        { name: "mean", type: "number", sql: "{amount} / nullif({count}, 0)" },
        { name: "abroad", type: "sum", sql: "price", filters: [{ sql: "{countries.code} <> 'NO'" }] },
      ],
    },
    { name: "orders", sql_table: "shop.orders", joins: [join("customers")], dimensions: [ID] },
    {
      name: "customers",
      sql: "SELECT id, name AS called, country_id FROM shop.people",
      joins: [join("countries")],
      dimensions: [
        ID,
        { name: "called", sql: "called", type: "string" },
        { name: "row", sql: "to_json({CUBE})", type: "string" },
      ],
      segments: [{ name: "named", sql: "{called} IS NOT NULL" }],
      hierarchies: [{ name: "who", levels: ["called", "id"] }],
    },
    { name: "countries", sql_table: "countries", dimensions: [ID, { name: "code", sql: "code", type: "string" }] },
    { name: "warehouses", sql_table: "warehouses", dimensions: [ID, { name: "town", sql: "town", type: "string" }] },
    { name: "products", sql_table: "products", dimensions: [ID], measures: [{ name: "count", type: "count" }] },
  ],
  views: [
    {
      name: "sales",
      cubes: [
        { join_path: "lines", includes: ["count", "amount", "town"] },
        { join_path: "lines.orders.customers", includes: "*", prefix: true, excludes: ["row"] },
      ],
      folders: [{ name: "Who", includes: ["customers_called", "town"] }],
    },
  ],
};

function read(written: object): SemanticModel {
  const { definitions, flaws } = readModel([{ path: "shop.yml", content: JSON.stringify(written) }]);
  expect(flaws).toBeUndefined();
  return definitions!;
}
const MODEL = read(SHOP);
const namesOf = (list: readonly { name: string }[] | undefined): string[] => (list ?? []).map(({ name }) => name);
const cubeOf = (model: SemanticModel, name: string): Cube | undefined =>
  (model.cubes as Cube[]).find((cube) => cube.name === name);

describe("reach", () => {
  it.each([
    [["products.count"], ["products"]],
    [["lines.count"], ["lines"]],
    [
      ["lines.count", "countries.code"],
      ["lines", "orders", "customers", "countries"],
    ],
    [["lines.abroad"], ["lines", "orders", "customers", "countries"]],
    [["lines.town"], ["lines", "warehouses"]],
    [["sales.count"], ["lines"]],
    [["sales.customers_called"], ["lines", "orders", "customers"]],
    [["nothing.at_all"], []],
  ])("finds of %j the cubes %j", (members, cubes) => {
    expect(namesOf(reach(MODEL, members).cubes)).toEqual(cubes);
  });

  it("takes the cubes of the query's own paths", () => {
    expect(namesOf(reach(MODEL, ["lines.count"], [["lines", "warehouses"]]).cubes)).toEqual(["lines", "warehouses"]);
  });

  it("leaves out members of cubes that are not there, and what only people read", () => {
    const model = reach(MODEL, ["sales.customers_called"]);
    expect(namesOf(cubeOf(model, "lines")!.dimensions)).toEqual(["id"]);
    expect(namesOf(cubeOf(model, "lines")!.measures)).toEqual(["count", "amount", "mean"]);
    expect(JSON.stringify(model)).not.toMatch(/drill_members|hierarchies|folders/);
    expect(model.views).toEqual([
      {
        name: "sales",
        cubes: [
          { join_path: "lines", includes: ["count", "amount"] },
          { join_path: "lines.orders.customers", includes: ["id", "called", "named"], prefix: true },
        ],
      },
    ]);
  });

  it("is the same text for all queries of the same cubes", () => {
    expect(JSON.stringify(reach(MODEL, ["orders.id", "customers.called"]))).toBe(
      JSON.stringify(reach(MODEL, ["customers.named", "orders.id"])),
    );
  });
});

describe("restrictModel", () => {
  const without = (...gone: string[]): SemanticModel =>
    restrictModel(MODEL, { cube: (name) => !gone.includes(name), member: (path) => !gone.includes(path) });

  it("leaves all as it is where nothing goes", () => {
    const { cubes, views } = without();
    expect(cubes).toEqual(MODEL.cubes);
    expect((views as View[])[0]!.cubes[1]!.includes).toEqual(["who", "id", "called", "named"]);
  });

  it("takes with a member what refers to it, also from views, hierarchies and folders", () => {
    const model = without("customers.called");
    const customers = cubeOf(model, "customers")!;
    expect(namesOf(customers.dimensions)).toEqual(["id", "row"]);
    expect(customers.segments).toEqual([]);
    expect(customers.hierarchies).toEqual([{ name: "who", levels: ["id"] }]);
    expect(JSON.stringify(model.views)).not.toContain("called");
    expect(JSON.stringify(model)).not.toMatch(/named/);
  });

  it("takes with a primary key the joins by it, and what is asked over them", () => {
    const model = without("customers.id");
    expect(cubeOf(model, "orders")!.joins).toEqual([]);
    expect(namesOf(cubeOf(model, "lines")!.measures)).toEqual(["count", "amount", "mean"]);
    expect((model.views as View[])[0]!.cubes.map(({ join_path }) => join_path)).toEqual(["lines"]);
  });

  it("takes with a cube its joins, and the drills into it", () => {
    const lines = cubeOf(without("warehouses"), "lines")!;
    expect(namesOf(lines.joins)).toEqual(["orders"]);
    expect(lines.measures![0]).toMatchObject({ drill_members: ["id"] });
  });

  it("drops a view of which nothing is left", () => {
    expect(without("lines").views).toEqual([]);
  });

  it("leaves a model that the reader would take, whatever goes", () => {
    const all = (MODEL.cubes as Cube[]).flatMap((cube) => [
      cube.name,
      ...[...(cube.dimensions ?? []), ...(cube.measures ?? []), ...(cube.segments ?? [])].map(
        ({ name }) => `${cube.name}.${name}`,
      ),
    ]);
    for (const one of all)
      for (const other of all) {
        const left = without(one, other);
        expect(read(left), `${one}, ${other}`).toEqual(left);
      }
  });
});

describe("a join by a sub-query", () => {
  const TIERS = read({
    cubes: [
      {
        name: "customers",
        sql_table: "customers",
        joins: [
          { name: "orders", relationship: "one_to_many", sql: "{CUBE}.id = {orders}.customer_id" },
          join("tiers", "{points} = {tiers}.from_points"),
        ],
        dimensions: [ID, { name: "points", sql: "{orders.points}", type: "number", sub_query: true }],
      },
      {
        name: "orders",
        sql_table: "orders",
        dimensions: [ID],
        measures: [{ name: "points", sql: "won", type: "sum" }],
      },
      { name: "tiers", sql_table: "tiers", dimensions: [ID] },
    ],
    views: [],
  });
  const joinsWithout = (gone: string) =>
    namesOf(cubeOf(restrictModel(TIERS, { cube: () => true, member: (path) => path !== gone }), "customers")!.joins);

  it("reaches and reads what the sub-query measures", () => {
    expect(namesOf(reach(TIERS, ["customers.id", "tiers.id"]).cubes)).toEqual(["customers", "orders", "tiers"]);
    expect([...joinReads(TIERS, "customers", "tiers")!.identifiers]).toContain("won");
  });

  it("goes with what the sub-query measures", () => {
    expect(joinsWithout("orders.points")).toEqual(["orders"]);
    expect(joinsWithout("customers.points")).toEqual(["orders"]);
    expect(joinsWithout("orders.id")).toEqual([]);
  });
});

describe("membersRead", () => {
  const identifiersOf = (member: string): string[] => [...membersRead(MODEL, member)!.identifiers].sort();

  it.each([
    ["lines.amount", ["Count", "price"]],
    ["lines.mean", ["Count", "amount", "count", "id", "nullif", "price"]],
    ["lines.abroad", ["code", "price"]],
    ["lines.town", ["town"]],
    ["sales.town", ["town"]],
    ["products.count", ["id"]],
  ])("names what %s says: %j", (member, identifiers) => {
    expect(identifiersOf(member)).toEqual(identifiers.filter((name) => name !== "amount" && name !== "count"));
  });

  it("names all that a cube's query says, and the row as a whole", () => {
    expect(identifiersOf("customers.called")).toEqual(
      expect.arrayContaining(["called", "country_id", "id", "name", "people", "shop"]),
    );
    expect(membersRead(MODEL, "customers.called")).toMatchObject({ tables: [] });
    expect(identifiersOf("customers.called")).not.toContain("*");
    expect(identifiersOf("customers.row")).toContain("*");
  });

  it("names the tables of all cubes, without quotes", () => {
    expect(membersRead(MODEL, "lines.abroad")!.tables).toEqual([["shop", "Order Lines"], ["countries"]]);
  });

  it("names of a join the columns of its condition, and the keys", () => {
    const { tables, identifiers } = joinReads(MODEL, "lines", "orders")!;
    expect(tables).toEqual([
      ["shop", "Order Lines"],
      ["shop", "orders"],
    ]);
    expect([...identifiers].sort()).toEqual(["id", "orders_id"]);
  });

  it("knows nothing of what is not there", () => {
    expect(membersRead(MODEL, "sales.customers_row")).toBeUndefined();
    expect(membersRead(MODEL, "lines.nothing")).toBeUndefined();
  });
});
