import { describe, expect, it } from "vitest";
import { SemanticQuery } from "../../../../../kernel/semantic/query.ts";
import { normaliseQuery } from "../../../../../src/features/semantic/query/normalise.ts";
import { SHOP_META } from "./shop-meta.ts";

const NOW = new Date("2026-11-22T13:45:30.250Z");
const COUNT = { measures: ["orders.count"] };

const normalise = (raw: Record<string, unknown>) => normaliseQuery(raw, SHOP_META, NOW);

/** The one query that it becomes; also what the engine takes. */
function queryOf(raw: Record<string, unknown>): SemanticQuery {
  const { queries } = normalise(raw);
  expect(queries).toHaveLength(1);
  return SemanticQuery.parse(queries[0]!.query);
}

describe("normaliseQuery", () => {
  it("fills in what a query leaves open", () => {
    expect(queryOf(COUNT)).toEqual({
      measures: ["orders.count"],
      dimensions: [],
      timeDimensions: [],
      segments: [],
      filters: [],
      order: [],
      limit: 10_000,
      offset: 0,
      timezone: "UTC",
      ungrouped: false,
    });
    expect(normalise(COUNT)).toMatchObject({ total: false, responseFormat: "default", joinHints: [] });
  });

  it("takes each key", () => {
    const raw = {
      measures: ["orders.count", "orders.count"],
      dimensions: ["orders.status"],
      timeDimensions: [{ dimension: "orders.created", granularity: "month", dateRange: "last month" }],
      segments: ["orders.paid"],
      filters: [{ member: "orders.status", operator: "equals", values: ["open", 1, true, null] }],
      order: [
        ["orders.created.month", "desc"],
        ["orders.status", "asc"],
      ],
      limit: 0,
      offset: 7,
      total: true,
      timezone: "europe/berlin",
      ungrouped: false,
      responseFormat: "compact",
      joinHints: [["orders", "line_items"]],
      cache: "must-revalidate",
      cacheMode: "no-cache",
      renewQuery: true,
    };
    expect(queryOf(raw)).toEqual({
      measures: ["orders.count"],
      dimensions: ["orders.status"],
      timeDimensions: [
        {
          dimension: "orders.created",
          granularity: "month",
          dateRange: ["2026-10-01T00:00:00.000", "2026-10-31T23:59:59.999"],
        },
      ],
      segments: ["orders.paid"],
      filters: [{ member: "orders.status", operator: "equals", values: ["open", "1", "true", null] }],
      order: [
        { id: "orders.created.month", desc: true },
        { id: "orders.status", desc: false },
      ],
      limit: 0,
      offset: 7,
      timezone: "Europe/Berlin",
      ungrouped: false,
      joinHints: [["orders", "line_items"]],
    });
    expect(normalise(raw)).toMatchObject({
      total: true,
      responseFormat: "compact",
      joinHints: [["orders", "line_items"]],
      members: ["orders.count", "orders.status", "orders.paid", "orders.created"],
    });
  });

  it("groups by a dimension that is written with its granularity, once", () => {
    const { dimensions, timeDimensions } = queryOf({
      dimensions: ["orders.created.month", "orders.status", "orders.created.fiscal", "orders.shipped"],
      timeDimensions: [{ dimension: "orders.created", granularity: "month", dateRange: ["2026-01-01"] }],
    });
    expect(dimensions).toEqual(["orders.status", "orders.shipped"]);
    expect(timeDimensions).toEqual([
      {
        dimension: "orders.created",
        granularity: "month",
        dateRange: ["2026-01-01T00:00:00.000", "2026-01-01T23:59:59.999"],
      },
      { dimension: "orders.created", granularity: "fiscal" },
    ]);
  });

  it.each([
    ["uTc", "UTC"],
    ["AMERICA/new_york", "America/New_York"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["US/Pacific", "US/Pacific"],
    ["Etc/UTC", "Etc/UTC"],
  ])("takes the zone %s as %s", (timezone, name) => expect(queryOf({ ...COUNT, timezone }).timezone).toBe(name));

  it("groups once by a time that is bounded twice", () => {
    const raw = {
      timeDimensions: [
        { dimension: "orders.created", granularity: "day", dateRange: "this year" },
        { dimension: "orders.created", granularity: "day", dateRange: "this month" },
      ],
    };
    expect(queryOf(raw).timeDimensions).toEqual([
      {
        dimension: "orders.created",
        granularity: "day",
        dateRange: ["2026-01-01T00:00:00.000", "2026-12-31T23:59:59.999"],
      },
      { dimension: "orders.created", dateRange: ["2026-11-01T00:00:00.000", "2026-11-30T23:59:59.999"] },
    ]);
  });

  it("takes null for a granularity, or for a range, as none", () => {
    const raw = { ...COUNT, timeDimensions: [{ dimension: "orders.created", granularity: null, dateRange: null }] };
    expect(queryOf(raw).timeDimensions).toEqual([{ dimension: "orders.created" }]);
  });

  it.each<[string, Record<string, unknown>, SemanticQuery["order"]]>([
    [
      "by time",
      {
        measures: ["orders.count"],
        dimensions: ["orders.status"],
        timeDimensions: [{ dimension: "orders.created" }, { dimension: "orders.shipped", granularity: "day" }],
      },
      [{ id: "orders.shipped", desc: false }],
    ],
    [
      "the largest first",
      { measures: ["orders.total"], dimensions: ["orders.status"] },
      [{ id: "orders.total", desc: true }],
    ],
    [
      "by the first dimension",
      { dimensions: ["orders.status", "line_items.product"] },
      [{ id: "orders.status", desc: false }],
    ],
    ["not for one row", COUNT, []],
    ["not where none is asked for", { dimensions: ["orders.status"], order: [] }, []],
    ["nor by an empty object", { dimensions: ["orders.status"], order: {} }, []],
    [
      "as an object says",
      { ...COUNT, dimensions: ["orders.status"], order: { "orders.status": "desc", "orders.count": "asc" } },
      [
        { id: "orders.status", desc: true },
        { id: "orders.count", desc: false },
      ],
    ],
    [
      "by a time without its granularity",
      { timeDimensions: [{ dimension: "orders.created", granularity: "day" }], order: { "orders.created": "desc" } },
      [{ id: "orders.created", desc: true }],
    ],
  ])("orders %s", (_, raw, order) => expect(queryOf(raw).order).toEqual(order));

  it("keeps filters nested, resolves their dates in the zone, and drops groups of nothing", () => {
    const filters = [
      { dimension: "orders.status", operator: "set", values: ["left out"] },
      { or: [{ and: [] }] },
      {
        or: [
          { member: "orders.created", operator: "inDateRange", values: ["today"] },
          {
            and: [
              { member: "orders.status", operator: "notSet" },
              { member: "orders.id", operator: "gt", values: [5] },
            ],
          },
        ],
      },
      { and: [{ member: "orders.total", operator: "gte", values: [0.5] }] },
      { member: "orders.count", operator: "measureFilter" },
    ];
    expect(queryOf({ ...COUNT, timezone: "Asia/Tokyo", filters }).filters).toEqual([
      { member: "orders.status", operator: "set", values: [] },
      {
        or: [
          {
            member: "orders.created",
            operator: "inDateRange",
            values: ["2026-11-22T00:00:00.000", "2026-11-22T23:59:59.999"],
          },
          {
            and: [
              { member: "orders.status", operator: "notSet", values: [] },
              { member: "orders.id", operator: "gt", values: ["5"] },
            ],
          },
        ],
      },
      { and: [{ member: "orders.total", operator: "gte", values: ["0.5"] }] },
      { member: "orders.count", operator: "measureFilter", values: [] },
    ]);
  });

  it("compares as many queries as there are ranges", () => {
    const compareDateRange = ["this month", ["2025-11-01", "2025-11-30"]];
    const { queries } = normalise({
      ...COUNT,
      timeDimensions: [
        { dimension: "orders.shipped" },
        { dimension: "orders.created", granularity: "day", compareDateRange },
      ],
    });
    expect(queries.map(({ query }) => query.timeDimensions)).toEqual(
      [
        ["2026-11-01T00:00:00.000", "2026-11-30T23:59:59.999"],
        ["2025-11-01T00:00:00.000", "2025-11-30T23:59:59.999"],
      ].map((dateRange) => [
        { dimension: "orders.shipped" },
        { dimension: "orders.created", granularity: "day", dateRange },
      ]),
    );
    expect(queries.map((query) => query.compareDateRange)).toEqual([
      "2026-11-01T00:00:00.000 - 2026-11-30T23:59:59.999",
      "2025-11-01T00:00:00.000 - 2025-11-30T23:59:59.999",
    ]);
    expect(queries[1]!.shown).toMatchObject({ queryType: "compareDateRangeQuery", limit: 10_000 });
  });

  it("shows the query as it is understood, and an order only where one was sent", () => {
    const { shown } = normalise({ dimensions: ["orders.created.day"], filters: [] }).queries[0]!;
    expect(shown).toEqual({
      measures: [],
      dimensions: [],
      timeDimensions: [{ dimension: "orders.created", granularity: "day" }],
      segments: [],
      filters: [],
      limit: 10_000,
      timezone: "UTC",
      queryType: "regularQuery",
    });
    expect(normalise({ ...COUNT, order: { "orders.count": "asc" } }).queries[0]!.shown).toMatchObject({
      order: [{ id: "orders.count", desc: false }],
    });
  });

  it("annotates what is selected", () => {
    const { annotation } = normalise({
      measures: ["orders.total"],
      dimensions: ["orders.status"],
      segments: ["orders.paid"],
      timeDimensions: [
        { dimension: "orders.created", granularity: "fiscal" },
        { dimension: "orders.shipped", granularity: "month" },
      ],
    }).queries[0]!;
    expect(annotation).toMatchObject({
      measures: {
        "orders.total": { type: "number", format: "currency", currency: "EUR", drillMembers: ["orders.id"] },
      },
      dimensions: { "orders.status": { type: "string", meta: { ai_context: "open or paid" } } },
      segments: { "orders.paid": { shortTitle: "paid" } },
      timeDimensions: {
        "orders.created.fiscal": { type: "time", granularity: { name: "fiscal", interval: "1 year" } },
        "orders.created": { type: "time" },
        "orders.shipped.month": { granularity: { name: "month", title: "month", interval: "1 month" } },
        "orders.shipped": { title: "Title of orders.shipped" },
      },
    });
    expect(annotation.timeDimensions["orders.created"]).not.toHaveProperty("granularity");
  });

  it("annotates a time once where it is selected with and without its granularity", () => {
    const { annotation } = normalise({ dimensions: ["orders.created", "orders.created.day"] }).queries[0]!;
    expect(Object.keys(annotation.dimensions)).toEqual(["orders.created"]);
    expect(Object.keys(annotation.timeDimensions)).toEqual(["orders.created.day"]);
  });

  it("filters by what the model does not show", () => {
    const filters = [{ member: "orders.changed", operator: "afterDate", values: ["2026-01-01"] }];
    const timeDimensions = [{ dimension: "orders.changed", dateRange: "today" }];
    expect(queryOf({ ...COUNT, filters, timeDimensions })).toMatchObject({
      filters: [{ member: "orders.changed" }],
      timeDimensions: [{ dimension: "orders.changed" }],
    });
  });
});
