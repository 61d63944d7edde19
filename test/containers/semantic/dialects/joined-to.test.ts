// Members that name a cube whose joins lead to their own, on each database: the query begins at that cube.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { reach } from "../../../../src/features/semantic/model/reach.ts";
import { readModel } from "../../../../src/features/semantic/model/read-model.ts";
import { DialectDatabases, sorted, TestModel } from "../../../support/node/semantic/dialect-databases.ts";

let databases: DialectDatabases;
let definitions: ReturnType<typeof read>;

function read(content: object) {
  const model = readModel([{ path: "model.yml", content: JSON.stringify(content) }]);
  expect(model.flaws).toBeUndefined();
  return model.definitions!;
}

const id = { name: "id", sql: "id", type: "number", primary_key: true };

// Order 4 has no customer, customer 3 no order; customer 1 has two labels.
beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "customers",
      columns: { id: "number", country: "text" },
      rows: [
        [1, "NO"],
        [2, "SE"],
        [3, "NO"],
      ],
    },
    {
      name: "orders",
      columns: { id: "number", customer_id: "number", amount: "number" },
      rows: [
        [1, 1, 10],
        [2, 1, 20],
        [3, 2, 40],
        [4, null, 80],
      ],
    },
    {
      name: "labels",
      columns: { id: "number", customer_id: "number", label: "text" },
      rows: [
        [1, 1, "a"],
        [2, 1, "b"],
        [3, 2, "a"],
      ],
    },
  ]);
  const norwegian = { filters: [{ sql: "{customers.country} = 'NO'" }] };
  definitions = read({
    cubes: [
      {
        name: "customers",
        sql_table: databases.table("customers"),
        joins: [{ name: "orders", relationship: "one_to_many", sql: "{CUBE}.id = {orders}.customer_id" }],
        dimensions: [id, { name: "country", sql: "country", type: "string" }],
        measures: [{ name: "count", type: "count" }],
      },
      {
        name: "orders",
        sql_table: databases.table("orders"),
        dimensions: [id, { name: "country", sql: "{customers.country}", type: "string" }],
        measures: [
          { name: "count", type: "count" },
          { name: "norse", type: "count", ...norwegian },
          { name: "norse_total", type: "sum", sql: "amount", ...norwegian },
          { name: "labelled", type: "sum", sql: "amount", filters: [{ sql: "{labels.label} = 'a'" }] },
        ],
        segments: [{ name: "norse_only", sql: "{customers.country} = 'NO'" }],
      },
      {
        name: "labels",
        sql_table: databases.table("labels"),
        joins: [{ name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers}.id" }],
        dimensions: [id, { name: "label", sql: "label", type: "string" }],
        measures: [{ name: "count", type: "count" }],
      },
    ],
  });
}, 120_000);
afterAll(() => databases?.close());

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ask = async (query: Partial<SemanticQuery>, members: string[]) =>
    sorted(await databases.run(dialect, new TestModel(reach(definitions, members)).sql(dialect, query)));

  it.each<[what: string, measures: string[], rows: unknown[]]>([
    ["a count with a filter by that cube", ["orders.norse"], [[2]]],
    ["a sum with such a filter", ["orders.norse_total"], [[30]]],
    ["both beside what needs no join", ["orders.count", "orders.norse", "orders.norse_total"], [[4, 2, 30]]],
    ["both beside that cube's own", ["customers.count", "orders.norse"], [[3, 2]]],
  ])("answers %s", async (_what, measures, rows) => {
    expect(await ask({ measures }, measures)).toEqual(rows);
  });

  it("counts a row once where a join of the query repeats it", async () => {
    const measures = ["orders.norse_total"];
    const rows = await ask({ measures, dimensions: ["labels.label"] }, [...measures, "labels.label"]);
    expect(rows).toEqual([
      ["a", 30],
      ["b", 30],
    ]);
  });

  it("refuses in words a measure that such a join repeats the rows of", async () => {
    await expect(ask({ measures: ["orders.labelled"] }, ["orders.labelled"])).rejects.toThrow("row multiplication");
  });

  it("groups and narrows by what is of that cube", async () => {
    const query = { measures: ["orders.count"], dimensions: ["orders.country"], segments: ["orders.norse_only"] };
    const rows = await ask(query, ["orders.count", "orders.country", "orders.norse_only"]);
    expect(rows).toEqual([["NO", 2]]);
  });
});
