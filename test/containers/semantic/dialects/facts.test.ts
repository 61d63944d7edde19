// Measures of several facts at once, on each database: each is what it is alone, whatever the others have or lack.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { DialectDatabases, sorted, TestModel, type Cell } from "../../../support/node/semantic/dialect-databases.ts";

let databases: DialectDatabases;
let model: TestModel;

// Order 4 has no items, item 6 no order; returns are of a town that no order has, and of none.
beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "customers",
      columns: { id: "number", town: "text" },
      rows: [
        [1, "Oslo"],
        [2, "Bergen"],
        [3, null],
        [4, "Moss"],
      ],
    },
    {
      name: "orders",
      columns: { id: "number", part: "number", customer_id: "number", amount: "decimal", status: "text" },
      rows: [
        [1, 11, 1, 10, "done"],
        [11, 1, 1, 20.5, "done"],
        [3, 1, 2, 5, "it's \\ open"],
        [4, 1, 3, 100, null],
      ],
    },
    {
      name: "items",
      columns: { id: "number", order_id: "number", order_part: "number", product: "text", quantity: "number" },
      rows: [
        [1, 1, 11, "pen", 2],
        [2, 1, 11, "pen", 3],
        [3, 1, 11, "ink", 1],
        [4, 11, 1, "pen", 7],
        [5, 3, 1, null, 4],
        [6, null, null, "ink", 9],
      ],
    },
    {
      name: "returns",
      columns: { id: "number", customer_id: "number", value: "number" },
      rows: [
        [1, 4, 3],
        [2, null, 4],
        [3, 1, 5],
      ],
    },
  ]);
  model = new TestModel({
    cubes: [
      {
        name: "customers",
        sql_table: databases.table("customers"),
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { name: "town", sql: "town", type: "string" },
          { name: "revenue", sql: "{orders.total}", type: "number", sub_query: true },
        ],
        measures: [{ name: "count", type: "count" }],
      },
      {
        name: "orders",
        sql_table: databases.table("orders"),
        joins: [
          { name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers}.id" },
          {
            name: "items",
            relationship: "one_to_many",
            sql: "{CUBE}.id = {items}.order_id AND {CUBE}.part = {items}.order_part",
          },
        ],
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { name: "part", sql: "part", type: "number", primary_key: true },
          { name: "status", sql: "status", type: "string" },
          {
            name: "state",
            type: "string",
            case: { when: [{ sql: "{CUBE}.amount > 15", label: "so much" }], else: { label: "little" } },
          },
        ],
        measures: [
          { name: "count", type: "count" },
          { name: "total", sql: "amount", type: "sum" },
          { name: "net", sql: "{total} - {count}", type: "number" },
          { name: "net_share", sql: "{net} / {count}", type: "number" },
          { name: "states", sql: "status", type: "count_distinct" },
          { name: "states_about", sql: "status", type: "count_distinct_approx" },
          { name: "average", sql: "amount", type: "avg" },
          { name: "done_total", sql: "amount", type: "sum", filters: [{ sql: "{CUBE}.status = 'done'" }] },
          { name: "per_piece", sql: "1.0 * {total} / NULLIF({items.quantity}, 0)", type: "number" },
          { name: "per_return", sql: "1.0 * {total} / NULLIF({returns.value}, 0)", type: "number" },
          { name: "Total_Of", sql: "amount", type: "max" },
          { name: "total_of", sql: "amount", type: "min" },
        ],
        segments: [{ name: "some", sql: "{CUBE}.amount < 50 OR {CUBE}.amount IS NULL" }],
      },
      {
        name: "items",
        sql_table: databases.table("items"),
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { name: "product", sql: "product", type: "string" },
        ],
        measures: [
          { name: "count", type: "count" },
          { name: "quantity", sql: "quantity", type: "sum" },
        ],
      },
      {
        name: "returns",
        sql_table: databases.table("returns"),
        joins: [{ name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers}.id" }],
        dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
        measures: [
          { name: "count", type: "count" },
          { name: "value", sql: "value", type: "sum" },
        ],
      },
    ],
    views: [
      {
        name: "sales",
        cubes: [
          { join_path: "orders", includes: ["count", "total", "states"] },
          { join_path: "orders.items", includes: ["quantity", "product"] },
          { join_path: "orders.customers", includes: ["town"] },
        ],
      },
    ],
  });
}, 120_000);
afterAll(() => databases?.close());

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ask = (query: Partial<SemanticQuery>) => databases.run(dialect, model.sql(dialect, query));

  /** The rows of all measures together beside those of each alone: a group that one lacks has none of it. */
  async function expectAlone(measures: string[], query: Partial<SemanticQuery>): Promise<void> {
    const width = query.dimensions?.length ?? 0;
    const together = await ask({ measures, ...query });
    const groups = new Set<string>();
    for (const [i, measure] of measures.entries()) {
      const alone = await ask({ measures: [measure], ...query });
      for (const row of alone) groups.add(JSON.stringify(row.slice(0, width)));
      const found = together
        .filter((row) =>
          alone.some((each) => JSON.stringify(each.slice(0, width)) === JSON.stringify(row.slice(0, width))),
        )
        .map((row) => [...row.slice(0, width), row[width + i]!]);
      expect(sorted(found), measure).toEqual(sorted(alone));
    }
    expect(together).toHaveLength(groups.size);
  }

  it.each<[string, string[], Partial<SemanticQuery>]>([
    ["nothing", ["orders.total", "items.quantity"], {}],
    ["a dimension of the many", ["orders.total", "items.quantity"], { dimensions: ["items.product"] }],
    ["a dimension of the one", ["orders.count", "items.count"], { dimensions: ["orders.status"] }],
    [
      "a filter on the many",
      ["orders.total", "items.quantity", "orders.average"],
      { filters: [{ member: "items.product", operator: "equals", values: ["pen"] }] },
    ],
    ["a segment", ["orders.total", "items.quantity"], { segments: ["orders.some"], dimensions: ["orders.status"] }],
    ["a third fact", ["orders.total", "returns.value", "returns.count"], { dimensions: ["customers.town"] }],
    ["facts that no join leads between", ["orders.count", "returns.count", "customers.count"], {}],
    ["parts of keys", ["orders.count", "orders.states", "orders.total"], { dimensions: ["items.product"] }],
    ["a view", ["sales.total", "sales.quantity", "sales.states"], { dimensions: ["sales.product"] }],
  ])("measures are each what they are alone by %s", async (_what, measures, query) => expectAlone(measures, query));

  it("counts a row once however often a join repeats it", async () => {
    expect(await ask({ measures: ["orders.total", "items.quantity", "orders.count"] })).toEqual([[135.5, 26, 4]]);
    expect(sorted(await ask({ measures: ["orders.total", "orders.count"], dimensions: ["items.product"] }))).toEqual(
      sorted([
        [null, 105, 2],
        ["ink", 10, 1],
        ["pen", 30.5, 2],
      ]),
    );
  });

  it("keeps groups that one fact lacks, NULL's too", async () => {
    const rows = await ask({ measures: ["orders.total", "returns.value"], dimensions: ["customers.town"] });
    expect(sorted(rows)).toEqual(
      sorted([
        ["Bergen", 5, null],
        ["Moss", null, 3],
        ["Oslo", 30.5, 5],
        [null, 100, 4],
      ]),
    );
  });

  it("reaches what a fact reaches by another's joins alone", async () => {
    const query = { measures: ["orders.total", "items.quantity"], dimensions: ["customers.town"] };
    expect(sorted(await ask(query))).toEqual(
      sorted([
        ["Bergen", 5, 4],
        ["Oslo", 30.5, 13],
        [null, 100, null],
      ]),
    );
  });

  it("reckons with measures of two facts", async () => {
    const rows = await ask({ measures: ["orders.per_return", "orders.per_piece"], dimensions: ["customers.town"] });
    const [oslo] = rows.filter(([town]) => town === "Oslo");
    expect((oslo as number[])[1]).toBeCloseTo(30.5 / 5);
    expect((oslo as number[])[2]).toBeCloseTo(30.5 / 13);
  });

  it("filters by measures that no join leads between", async () => {
    const filters: SemanticQuery["filters"] = [
      {
        or: [
          { member: "orders.total", operator: "gt", values: ["50"] },
          { member: "returns.value", operator: "lt", values: ["4"] },
        ],
      },
    ];
    const rows = await ask({ measures: ["returns.count"], dimensions: ["customers.town"], filters });
    expect(sorted(rows)).toEqual(
      sorted([
        ["Moss", 1],
        [null, 1],
      ]),
    );
  });

  it("puts what a measure is made of in parentheses", async () => {
    const [[share] = []] = await ask({ measures: ["orders.net_share"] });
    expect(share).toBeCloseTo((135.5 - 4) / 4);
  });

  it("keeps two names apart that one alias would stand for", async () => {
    expect(await ask({ measures: ["orders.Total_Of", "orders.total_of", "items.count"] })).toEqual([[100, 5, 6]]);
  });

  it("counts distinct values, about and exactly", async () => {
    expect(await ask({ measures: ["orders.states", "orders.states_about"] })).toEqual([[2, 2]]);
    expect(
      await ask({
        measures: ["orders.states_about"],
        dimensions: ["items.product"],
        limit: 1,
        order: [{ id: "items.product", desc: true }],
      }),
    ).toEqual([["pen", 1]]);
  });

  it("has dimensions that tell cases apart", async () => {
    const rows = await ask({ measures: ["orders.count"], dimensions: ["orders.state"] });
    expect(sorted(rows)).toEqual(
      sorted([
        ["so much", 2],
        ["little", 2],
      ]),
    );
  });

  it("has dimensions of other cubes' measures", async () => {
    const rows = await ask({
      dimensions: ["customers.id", "customers.revenue"],
      order: [{ id: "customers.id", desc: false }],
    });
    expect(rows).toEqual([
      [1, 30.5],
      [2, 5],
      [3, 100],
      [4, null],
    ]);
  });

  it("orders rows with NULL last, and pages hold each once", async () => {
    const query = {
      measures: ["orders.count"],
      dimensions: ["orders.status"],
      order: [{ id: "orders.status", desc: true }],
    };
    expect(await ask(query)).toEqual([
      ["it's \\ open", 1],
      ["done", 2],
      [null, 1],
    ]);
    const byCount = { ...query, order: [{ id: "orders.count", desc: false }], limit: 1 };
    const pages: Cell[][] = [];
    for (const offset of [0, 1, 2, 3]) pages.push(...(await ask({ ...byCount, offset })));
    expect(pages).toEqual([
      ["it's \\ open", 1],
      [null, 1],
      ["done", 2],
    ]);
  });

  it("shows measures as they are where nothing is grouped", async () => {
    const rows = await ask({
      measures: ["orders.total"],
      dimensions: ["orders.id", "orders.part", "items.id"],
      ungrouped: true,
    });
    expect(rows).toHaveLength(6);
    expect(rows.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(155.5);
  });

  it.each(["orders.status", "items.product"])(
    "gives each row of %s where nothing is grouped, without keys",
    async (dimension) => {
      const rows = await ask({ dimensions: [dimension], measures: ["orders.total"], ungrouped: true });
      expect(rows).toHaveLength(dimension === "orders.status" ? 4 : 6);
    },
  );

  it("gives each row of a view where nothing is grouped, whose keys nobody can name", async () => {
    const rows = await ask({ dimensions: ["sales.town"], ungrouped: true });
    expect(rows.map(([town]) => town)).toHaveLength(4);
  });

  it.each<[string, Partial<SemanticQuery>, string]>([
    [
      "a member that is not asked for",
      { measures: ["orders.count"], order: [{ id: "orders.total", desc: true }] },
      "does not ask for",
    ],
    [
      "a fact that lacks the filter's member",
      {
        measures: ["orders.count", "returns.count"],
        filters: [{ member: "orders.status", operator: "set", values: [] }],
      },
      "returns.count can't be asked for by",
    ],
  ])("is refused in words for %s", (_what, query, words) => {
    expect(() => model.sql(dialect, query)).toThrow(words);
  });
});
