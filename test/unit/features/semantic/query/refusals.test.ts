import { describe, expect, it } from "vitest";
import { SEMANTIC_LIMITS } from "../../../../../src/features/semantic/limits.ts";
import { isProblem } from "../../../../../src/core/problem.ts";
import { normaliseQuery } from "../../../../../src/features/semantic/query/normalise.ts";
import { SHOP_META } from "./shop-meta.ts";

const COUNT = { measures: ["orders.count"] };

const normalise = (raw: Record<string, unknown>) => normaliseQuery(raw, SHOP_META, new Date("2026-11-22T13:45:30Z"));

function flawsOf(raw: Record<string, unknown>): [pointer: string, message: string][] {
  try {
    normalise(raw);
  } catch (error) {
    if (!isProblem(error)) throw error;
    expect([error.code, error.message]).toEqual(["validation_failed", error.flaws[0]!.message]);
    return error.flaws.map(({ pointer, message }) => [pointer, message]);
  }
  throw new Error("nothing was refused");
}

const nested = (depth: number): object =>
  depth === 0 ? { member: "orders.status", operator: "set" } : { and: [nested(depth - 1)] };

describe("normaliseQuery refuses", () => {
  const form = (words: string) => `Invalid query format: ${words}`;
  const filter = (more: object) => ({ ...COUNT, filters: [{ member: "orders.status", operator: "equals", ...more }] });
  const time = (more: object) => ({ ...COUNT, timeDimensions: [{ dimension: "orders.created", ...more }] });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["nothing", {}, "", "Query should contain either measures, dimensions or timeDimensions with granularities"],
    ["times that are not grouped", { timeDimensions: [{ dimension: "orders.created" }] }, "", "Query should contain"],
    ["an unknown key", { ...COUNT, persist: true }, "/persist", form('"persist" is not allowed')],
    ["__proto__", JSON.parse('{"measures":["orders.count"],"__proto__":{}}'), "/__proto__", form('"__proto__" is not')],
    [
      "a measure that is no name",
      { measures: ["orders"] },
      "/measures/0",
      form('"measures[0]" with value "orders" fails'),
    ],
    ["SQL for a measure", { measures: ["orders.count)--"] }, "/measures/0", form('"measures[0]" with value')],
    ["measures that are no list", { measures: "orders.count" }, "/measures", form('"measures" must be an array')],
    ["an expression", { measures: [{ expression: [] }] }, "/measures/0", form('"measures[0]" must be a string')],
    ["a limit as text", { ...COUNT, limit: "5" }, "/limit", form('"limit" must be a number')],
    ["half a row", { ...COUNT, limit: 0.5 }, "/limit", form('"limit" must be an integer')],
    ["a limit below none", { ...COUNT, limit: -1 }, "/limit", form('"limit" must be greater than or equal to 0')],
    ["a limit beyond the most", { ...COUNT, limit: 50_001 }, "/limit", "The query limit has been exceeded."],
    ["an offset below none", { ...COUNT, offset: -1 }, "/offset", form('"offset" must be greater than or equal to 0')],
    [
      "no zone",
      { ...COUNT, timezone: "foo/bar" },
      "/timezone",
      form('"timezone" must be a valid IANA time zone, got "foo/bar"'),
    ],
    ["an offset for a zone", { ...COUNT, timezone: "+05:00" }, "/timezone", form('"timezone" must be a valid IANA')],
    [
      "an unknown format",
      { ...COUNT, responseFormat: "arrow" },
      "/responseFormat",
      form('"responseFormat" must be one of'),
    ],
    ["an unknown way of caching", { ...COUNT, cache: "sometimes" }, "/cache", form('"cache" must be one of')],
    ["a total as text", { ...COUNT, total: "yes" }, "/total", form('"total" must be a boolean')],
    ["an unknown cube", { measures: ["nope.count"] }, "/measures/0", "Cube 'nope' not found for path 'nope.count'"],
    ["the beginning of a cube's name", { measures: ["order.count"] }, "/measures/0", "Cube 'order' not found for path"],
    ["an unknown measure", { measures: ["orders.nope"] }, "/measures/0", "'nope' not found for path 'orders.nope'"],
    [
      "a dimension for a measure",
      { measures: ["orders.status"] },
      "/measures/0",
      "'status' not found for path 'orders.status'. It belongs into dimensions.",
    ],
    [
      "a measure for a dimension",
      { dimensions: ["orders.count"] },
      "/dimensions/0",
      "'count' not found for path 'orders.count'. It belongs into measures.",
    ],
    [
      "a slip in a cube's name",
      { measures: ["ordrs.count"] },
      "/measures/0",
      "Cube 'ordrs' not found for path 'ordrs.count'. Did you mean orders.count?",
    ],
    [
      "a cube's name in another form",
      { measures: ["order.count"] },
      "/measures/0",
      "Cube 'order' not found for path 'order.count'. Did you mean orders.count?",
    ],
    [
      "a slip in a measure's name",
      { measures: ["orders.cuont"] },
      "/measures/0",
      "'cuont' not found for path 'orders.cuont'. Did you mean orders.count?",
    ],
    [
      "a slip in a dimension's name",
      { dimensions: ["orders.statsu"] },
      "/dimensions/0",
      "'statsu' not found for path 'orders.statsu'. Did you mean orders.status?",
    ],
    [
      "a slip in a filter",
      { ...COUNT, filters: [{ member: "orders.Statuss", operator: "set" }] },
      "/filters/0",
      "'Statuss' not found for path 'orders.Statuss'. Did you mean orders.status?",
    ],
    ["an unknown segment", { ...COUNT, segments: ["orders.nope"] }, "/segments/0", "'nope' not found for path"],
    [
      "a member that is not shown",
      { dimensions: ["orders.id"] },
      "/dimensions/0",
      "You requested hidden member: 'orders.id'",
    ],
    [
      "an unknown cube to join by",
      { ...COUNT, joinHints: [["orders", "nope"]] },
      "/joinHints/0",
      "Cube 'nope' not found",
    ],
    [
      "a time that is not shown",
      { timeDimensions: [{ dimension: "orders.changed", granularity: "day" }] },
      "/timeDimensions/0/dimension",
      "You requested hidden member: 'orders.changed'",
    ],
    [
      "a granularity there is not",
      time({ granularity: "moon" }),
      "/timeDimensions/0/granularity",
      'Granularity "moon" does not exist in dimension orders.created, which has second, minute, hour, day, week, month, ' +
        "quarter, year",
    ],
    [
      "a granularity of no time",
      { dimensions: ["orders.status.day"] },
      "/dimensions/0",
      "'orders.status' is a dimension of type string",
    ],
    [
      "a range for no time",
      { ...COUNT, timeDimensions: [{ dimension: "orders.status", dateRange: "today" }] },
      "/timeDimensions/0/dimension",
      "'orders.status' is a dimension of type string",
    ],
    [
      "a range and ranges",
      time({ dateRange: "today", compareDateRange: ["today"] }),
      "/timeDimensions/0",
      form('"timeDimensions[0]" contains a conflict between optional exclusive peers [dateRange, compareDateRange]'),
    ],
    [
      "three dates",
      time({ dateRange: ["2026-01-01", "2026-01-02", "2026-01-03"] }),
      "/timeDimensions/0/dateRange",
      form('"timeDimensions[0].dateRange" must'),
    ],
    ["no date", time({ dateRange: "whenever" }), "/timeDimensions/0/dateRange", "Can't parse date: 'whenever'"],
    [
      "no ranges to compare",
      time({ compareDateRange: [] }),
      "/timeDimensions/0/compareDateRange",
      form('"timeDimensions[0].compareDateRange" must contain'),
    ],
    [
      "no date among ranges",
      time({ compareDateRange: ["today", "whenever"] }),
      "/timeDimensions/0/compareDateRange/1",
      "Can't parse date: 'whenever'",
    ],
    [
      "an unknown operator",
      filter({ operator: "like", values: ["a"] }),
      "/filters/0/operator",
      form('"filters[0].operator" must be one of'),
    ],
    [
      "no operator",
      filter({ operator: undefined, values: ["a"] }),
      "/filters/0/operator",
      form('"filters[0].operator" is required'),
    ],
    ["no values", filter({}), "/filters/0", "Values required for filter: "],
    ["values of none", filter({ values: [] }), "/filters/0", "Values required for filter: "],
    [
      "an object for a value",
      filter({ values: [{}] }),
      "/filters/0/values/0",
      form('"filters[0].values[0]" must be one of'),
    ],
    [
      "a number that lost digits",
      filter({ values: [2 ** 53] }),
      "/filters/0/values/0",
      form('"filters[0].values[0]" must be a safe number'),
    ],
    [
      "half a character",
      filter({ values: ["\ud83d"] }),
      "/filters/0/values/0",
      form('"filters[0].values[0]" holds half'),
    ],
    [
      "two members in one",
      filter({ dimension: "orders.id", values: ["a"] }),
      "/filters/0",
      form('"filters[0]" contains a conflict between exclusive peers [dimension, member]'),
    ],
    [
      "no member",
      { ...COUNT, filters: [{ operator: "set" }] },
      "/filters/0",
      form('"filters[0]" must contain at least one of [dimension, member]'),
    ],
    [
      "both groups at once",
      { ...COUNT, filters: [{ or: [], and: [] }] },
      "/filters/0",
      form('"filters[0]" contains a conflict between exclusive peers [or, and]'),
    ],
    [
      "more beside a group",
      { ...COUNT, filters: [{ or: [], member: "orders.id" }] },
      "/filters/0/member",
      form('"filters[0].member" is not allowed'),
    ],
    [
      "an unknown member of a filter",
      { ...COUNT, filters: [{ or: [{ member: "orders.nope", operator: "set" }] }] },
      "/filters/0/or/0",
      "'nope' not found for path 'orders.nope'",
    ],
    [
      "dates of no time",
      filter({ operator: "afterDate", values: ["2026-01-01"] }),
      "/filters/0",
      "'afterDate' compares times: 'orders.status' is a dimension of type string",
    ],
    ["a drill into a dimension", filter({ operator: "measureFilter" }), "/filters/0", "measureFilter takes a measure"],
    [
      "a filter on measures, ungrouped",
      { ...COUNT, ungrouped: true, filters: [{ member: "orders.count", operator: "gt", values: [1] }] },
      "/filters/0",
      "Measure filters aren't allowed in ungrouped query",
    ],
    [
      "an order by what is not selected",
      { ...COUNT, order: { "orders.total": "asc" } },
      "/order/0",
      "'orders.total' is not in the query",
    ],
    [
      "an order by what is not there",
      { ...COUNT, order: [["orders.nope", "asc"]] },
      "/order/0",
      "'nope' not found for path 'orders.nope'",
    ],
    [
      "an order up",
      { ...COUNT, order: { "orders.count": "up" } },
      "/order/orders.count",
      form('"order.orders.count" must be one of [asc, desc]'),
    ],
    ["an order without a way", { ...COUNT, order: [["orders.count"]] }, "/order/0", form('"order[0]" must be a pair')],
    [
      "filters too deep",
      { ...COUNT, filters: [nested(SEMANTIC_LIMITS.filterDepthMax)] },
      "/filters/0/and",
      form('"filters[0].and'),
    ],
    [
      "too many filters",
      { ...COUNT, filters: Array.from({ length: SEMANTIC_LIMITS.filtersMax + 1 }, () => nested(0)) },
      "/filters",
      form('"filters" is one of more than'),
    ],
    [
      "too many values",
      filter({ values: Array.from({ length: SEMANTIC_LIMITS.valuesMax + 1 }, () => 1) }),
      "/filters/0/values",
      form('"filters[0].values" is one of more than'),
    ],
  ])("%s", (_, raw, pointer, words) => {
    const [[at, message]] = flawsOf(raw) as [[string, string]];
    expect(message.slice(0, words.length)).toBe(words);
    expect(at.startsWith(`/cube_query${pointer}`)).toBe(true);
  });

  it("dimensions and measures in one group, and takes them beside each other", () => {
    const [dimension, measure] = [
      { member: "orders.status", operator: "equals", values: ["paid"] },
      { member: "orders.count", operator: "gt", values: [1] },
    ];
    const mixed = { or: [{ and: [dimension] }, measure] };
    expect(flawsOf({ ...COUNT, filters: [mixed] })[0]![1]).toMatch(
      /^You cannot use dimension and measure in same condition: {"or":/,
    );
    expect(normalise({ ...COUNT, filters: [dimension, measure] }).queries[0]!.query.filters).toHaveLength(2);
  });

  it("two dimensions that are compared", () => {
    const compareDateRange = ["today"];
    const timeDimensions = ["orders.created", "orders.shipped"].map((dimension) => ({ dimension, compareDateRange }));
    expect(flawsOf({ ...COUNT, timeDimensions })).toEqual([
      ["/cube_query/timeDimensions/1/compareDateRange", "compareDateRange can only exist for one timeDimension"],
    ]);
  });

  it("every flaw at once", () => {
    const pointers = flawsOf({ measures: ["orders.a", "b.c"], dimensions: ["orders.d"], limit: 60_000 }).map(
      ([at]) => at,
    );
    expect(pointers.sort()).toEqual([
      "/cube_query/dimensions/0",
      "/cube_query/limit",
      "/cube_query/measures/0",
      "/cube_query/measures/1",
    ]);
  });
});
