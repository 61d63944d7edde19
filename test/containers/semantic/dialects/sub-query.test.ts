// Dimensions that are a measure of another cube, on each database: the filters that go into them, and cubes that join
// to the dimension's own.

import { describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { compileByCube, sqlByCube } from "../../../support/node/semantic/cube-itself.ts";
import type { Cell } from "../../../support/node/semantic/dialect-databases.ts";
import { askOnEachDatabase, COUNT, ID } from "../../../support/node/semantic/dialect-suite.ts";
import { aSemanticQuery } from "../../../support/node/semantic/shop.ts";

const measured = (name: string, sql: string, more: object = {}) => ({
  name,
  sql,
  type: "number",
  sub_query: true,
  ...more,
});

/** Order 3 has no items, item 4 no order. Joins lead from orders to items, and from lines, the same rows, to orders. */
const { definitions, run, ask } = askOnEachDatabase(
  [
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
      columns: { id: "number", order_id: "number", size: "text", weight: "number" },
      rows: [
        [1, 1, "small", 1],
        [2, 1, "large", 2],
        [3, 2, "large", 4],
        [4, null, "large", 8],
      ],
    },
    {
      name: "labels",
      columns: { id: "number", item_id: "number" },
      rows: [
        [1, 1],
        [2, 1],
        [3, 3],
      ],
    },
  ],
  (table) => [
    {
      name: "orders",
      sql_table: table("orders"),
      joins: [{ name: "items", relationship: "one_to_many", sql: "{CUBE}.id = {items}.order_id" }],
      dimensions: [
        ID,
        measured("item_count", "{items.count}", { propagate_filters_to_sub_query: true }),
        measured("line_count", "{lines.count}"),
        measured("next_line", "{lines.count} + 1"),
        measured("line_weight", "{lines.weight}"),
        measured("labelled_weight", "{lines.labelled_weight}"),
        measured("filtered_lines", "{lines.count}", { propagate_filters_to_sub_query: true }),
      ],
      measures: [{ name: "total", sql: "amount", type: "sum" }],
    },
    {
      name: "items",
      sql_table: table("items"),
      dimensions: [ID],
      measures: [COUNT, { name: "large", type: "count", filters: [{ sql: "{CUBE}.size = 'large'" }] }],
    },
    {
      name: "lines",
      sql_table: table("items"),
      joins: [
        { name: "orders", relationship: "many_to_one", sql: "{CUBE}.order_id = {orders}.id" },
        { name: "labels", relationship: "one_to_many", sql: "{CUBE}.id = {labels}.item_id" },
      ],
      dimensions: [ID, { name: "size", sql: "size", type: "string" }],
      measures: [
        COUNT,
        { name: "weight", sql: "weight", type: "sum" },
        { name: "labelled_weight", sql: "1.0 * {weight} / {labels.count}", type: "number" },
      ],
    },
    { name: "labels", sql_table: table("labels"), dimensions: [ID], measures: [COUNT] },
  ],
);

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  it("hands the filters of a measure on to the sub-query, as it does those of dimensions", async () => {
    const filters = [{ member: "items.large", operator: "measureFilter" as const, values: [] }];
    const rows = await ask(dialect, { measures: ["orders.total"], dimensions: ["orders.item_count"], filters });
    expect(rows).toEqual([[1, 30]]);
  });

  it.each<[what: string, query: Partial<SemanticQuery>, rows: Cell[][]]>([
    [
      "counts none for rows that it has none of",
      { measures: ["orders.total"], dimensions: ["orders.line_count"] },
      [
        [0, 30],
        [1, 20],
        [2, 10],
      ],
    ],
    [
      "counts so within what is made of a count, too",
      { dimensions: ["orders.id", "orders.next_line"] },
      [
        [1, 3],
        [2, 2],
        [3, 1],
      ],
    ],
    [
      "is filtered by",
      { measures: ["orders.total"], filters: [{ member: "orders.line_count", operator: "equals", values: ["0"] }] },
      [[30]],
    ],
    [
      "repeats no row where what it measures is joined",
      { measures: ["orders.total"], dimensions: ["lines.size", "orders.line_count"] },
      [
        ["large", 1, 20],
        ["large", 2, 10],
        ["large", null, null],
        ["small", 2, 10],
      ],
    ],
    [
      "takes filters in",
      {
        measures: ["orders.total"],
        dimensions: ["orders.filtered_lines"],
        filters: [{ member: "lines.size", operator: "equals", values: ["small"] }],
      },
      [[1, 10]],
    ],
    [
      "divides measures of two cubes by each row",
      { dimensions: ["orders.id", "orders.labelled_weight"] },
      [
        [1, 1.5],
        [2, 4],
        [3, null],
      ],
    ],
  ])("measures over a cube that joins to its own, and %s", async (_what, query, rows) => {
    expect(await ask(dialect, query)).toEqual(rows);
  });

  it("has the sums that Cube's own planner has over a cube that joins to its own", async () => {
    const query = { measures: ["orders.total"], dimensions: ["orders.id", "orders.line_weight"] };
    const { limit, ...asked } = aSemanticQuery(query);
    const byCube = sqlByCube(await compileByCube(definitions()), dialect, { ...asked, rowLimit: limit });
    expect(await ask(dialect, query)).toEqual(await run(dialect, byCube));
  });
});
