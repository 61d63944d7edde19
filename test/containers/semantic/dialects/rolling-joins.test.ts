// Measures that roll over time where a join repeats the rows they are of, on each database.

import { describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { sorted, type Cell } from "../../../support/node/semantic/dialect-databases.ts";
import { askOnEachDatabase, COUNT, ID } from "../../../support/node/semantic/dialect-suite.ts";

const rolling = (name: string, type: string) => ({
  name,
  type,
  ...(type === "count" ? {} : { sql: "amount" }),
  rolling_window: { trailing: "1 month" },
});

// Order 1 has two items of one size; order 3 is of a later month than the items of order 2.
const { ask } = askOnEachDatabase(
  [
    {
      name: "orders",
      columns: { id: "number", placed: "timestamp", amount: "number" },
      rows: [
        [1, "2024-01-30 10:00:00", 10],
        [2, "2024-02-01 10:00:00", 5],
        [3, "2024-02-28 10:00:00", 100],
      ],
    },
    {
      name: "items",
      columns: { id: "number", order_id: "number", size: "text" },
      rows: [
        [1, 1, "small"],
        [2, 1, "small"],
        [3, 1, "large"],
        [4, 2, "small"],
        [5, 3, "large"],
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
        { name: "placed", sql: "{CUBE}.placed", type: "time" },
        {
          name: "all_items",
          sql: "{items.count}",
          type: "number",
          sub_query: true,
          propagate_filters_to_sub_query: true,
        },
      ],
      measures: ["sum", "count", "avg", "min", "max", "count_distinct"].map((type) => rolling(`last_${type}`, type)),
    },
    {
      name: "items",
      sql_table: table("items"),
      dimensions: [ID, { name: "size", sql: "size", type: "string" }],
      measures: [COUNT],
      segments: [{ name: "small", sql: "{CUBE}.size = 'small'" }],
    },
  ],
);

const DATES: [string, string] = ["2024-01-01T00:00:00.000", "2024-02-29T23:59:59.999"];
const MONTHS = { dimension: "orders.placed", granularity: "month", dateRange: DATES };
const [JANUARY, FEBRUARY] = ["2024-01-01 00:00:00", "2024-02-01 00:00:00"];

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  it.each<[type: string, small: Cell, later: Cell, large: Cell]>([
    ["sum", 10, 5, 100],
    ["count", 1, 1, 1],
    ["avg", 10, 5, 100],
    ["min", 10, 5, 100],
    ["max", 10, 5, 100],
    ["count_distinct", 1, 1, 1],
  ])("rolls a %s over each row once, by a dimension behind the join", async (type, small, later, large) => {
    const measures = [`orders.last_${type}`];
    const rows = await ask(dialect, { measures, dimensions: ["items.size"], timeDimensions: [MONTHS] });
    expect(rows).toEqual(
      sorted([
        ["small", JANUARY, small],
        ["large", JANUARY, small],
        ["small", FEBRUARY, later],
        ["large", FEBRUARY, large],
      ]),
    );
  });

  it.each<[what: string, query: Partial<SemanticQuery>, rows: Cell[][]]>([
    ["a segment", { segments: ["items.small"] }, [[10], [5]]],
    ["a filter", { filters: [{ member: "items.size", operator: "equals", values: ["large"] }] }, [[10], [100]]],
    [
      "a group of filters",
      {
        filters: [
          {
            or: [
              { member: "items.size", operator: "equals", values: ["large"] },
              { member: "items.size", operator: "notSet", values: [] },
            ],
          },
        ],
      },
      [[10], [100]],
    ],
  ])("rolls over the rows of %s behind the join", async (_what, query, amounts) => {
    const rows = await ask(dialect, { measures: ["orders.last_sum"], timeDimensions: [MONTHS], ...query });
    expect(rows).toEqual([JANUARY, FEBRUARY].map((month, i) => [month, ...amounts[i]!]));
  });

  it("rolls over the window that ends with a range without groups, and by a sub-query among the filters", async () => {
    const measures = ["orders.last_sum"];
    const dimensions = ["items.size"];
    const whole = [{ dimension: "orders.placed", dateRange: DATES }];
    expect(await ask(dialect, { measures, dimensions, timeDimensions: whole })).toEqual([
      ["large", 100],
      ["small", 5],
    ]);
    const filters = [{ member: "orders.all_items", operator: "gt" as const, values: ["1"] }];
    expect(await ask(dialect, { measures, dimensions, timeDimensions: [MONTHS], filters })).toEqual(
      sorted([
        ["small", JANUARY, 10],
        ["large", JANUARY, 10],
        [null, FEBRUARY, null],
      ]),
    );
  });
});
