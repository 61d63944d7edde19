import { describe, expect, it } from "vitest";
import { SemanticStatement } from "../../../../../kernel/semantic/query.ts";
import { planSemantic } from "../../../../../src/features/semantic/query/plan.ts";
import { SHOP_META } from "./shop-meta.ts";

const cube = (name: string, measure: string) => ({
  name,
  sql_table: name,
  measures: [{ name: measure, type: "count" }],
  dimensions: [{ name: "created", sql: "created", type: "time" }],
});

const MODEL = {
  meta: SHOP_META,
  definitions: {
    cubes: [cube("orders", "count"), cube("line_items", "quantity"), cube("refunds", "count")],
    views: [],
  },
};

const NOW = new Date("2026-11-22T13:45:30.250Z");

/** The semantic statement as the engine reads it. */
const plan = (raw: Record<string, unknown>): SemanticStatement =>
  SemanticStatement.parse(planSemantic({ raw, model: MODEL, dialect: "postgres", now: NOW }));

describe("planSemantic", () => {
  it("sends one query with what its answer says of it, and of the model only what it reaches", () => {
    const { model, queries, head, total, responseFormat } = plan({
      measures: ["orders.count"],
      total: true,
      responseFormat: "columnar",
    });
    expect(model.cubes.map(({ name }) => name)).toEqual(["orders"]);
    expect({ head, total, responseFormat }).toEqual({ head: {}, total: true, responseFormat: "columnar" });
    expect(queries).toHaveLength(1);
    expect(queries[0]!.head).toMatchObject({
      query: { measures: ["orders.count"], limit: 10_000, queryType: "regularQuery" },
      annotation: { measures: { "orders.count": { type: "number" } } },
      lastRefreshTime: NOW.toISOString(),
      dataSource: "default",
      dbType: "postgres",
      external: false,
      usedPreAggregations: {},
      slowQuery: false,
    });
  });

  it("sends a query for each range that is compared, and one to pivot them all by", () => {
    const compareDateRange = ["yesterday", "today"];
    const { queries, head } = plan({
      measures: ["orders.count"],
      timeDimensions: [{ dimension: "orders.created", compareDateRange }],
    });
    expect(queries.map((query) => query.compareDateRange)).toEqual([
      "2026-11-21T00:00:00.000 - 2026-11-21T23:59:59.999",
      "2026-11-22T00:00:00.000 - 2026-11-22T23:59:59.999",
    ]);
    expect(head).toMatchObject({
      queryType: "compareDateRangeQuery",
      pivotQuery: { measures: ["orders.count"], dimensions: ["compareDateRange"], queryType: "compareDateRangeQuery" },
    });
  });

  it("reaches the cubes of filters, and those to join by", () => {
    const filters = [{ member: "line_items.quantity", operator: "gt", values: [1] }];
    const reached = (raw: object) => plan({ measures: ["orders.count"], ...raw }).model.cubes.map(({ name }) => name);
    expect(reached({ filters })).toEqual(["orders", "line_items"]);
    expect(reached({ joinHints: [["orders", "line_items"]] })).toEqual(["orders", "line_items"]);
  });
});
