// Dimensions that are a measure of another cube, on each database: the filters that go into them.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../containers/engine/contract/semantic/model.ts";
import type { SemanticQuery } from "../../../../containers/engine/contract/semantic/query.ts";
import { DialectDatabases, sorted, TestModel } from "../../../support/node/semantic/dialect-databases.ts";

let databases: DialectDatabases;
let model: TestModel;

beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "orders",
      columns: { id: "number", amount: "number" },
      rows: [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
    },
    {
      name: "items",
      columns: { id: "number", order_id: "number", size: "text" },
      rows: [
        [1, 1, "small"],
        [2, 1, "large"],
        [3, 2, "large"],
      ],
    },
  ]);
  model = new TestModel({
    cubes: [
      {
        name: "orders",
        sql_table: databases.table("orders"),
        joins: [{ name: "items", relationship: "one_to_many", sql: "{CUBE}.id = {items}.order_id" }],
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          {
            name: "item_count",
            sql: "{items.count}",
            type: "number",
            sub_query: true,
            propagate_filters_to_sub_query: true,
          },
        ],
        measures: [{ name: "total", sql: "amount", type: "sum" }],
      },
      {
        name: "items",
        sql_table: databases.table("items"),
        dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
        measures: [
          { name: "count", type: "count" },
          { name: "large", type: "count", filters: [{ sql: "{CUBE}.size = 'large'" }] },
        ],
      },
    ],
    views: [],
  });
}, 120_000);
afterAll(() => databases?.close());

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ask = async (query: Partial<SemanticQuery>) => sorted(await databases.run(dialect, model.sql(dialect, query)));

  it("hands the filters of a measure on to the sub-query, as it does those of dimensions", async () => {
    const filters = [{ member: "items.large", operator: "measureFilter" as const, values: [] }];
    const rows = await ask({ measures: ["orders.total"], dimensions: ["orders.item_count"], filters });
    expect(rows).toEqual([[1, 30]]);
  });
});
