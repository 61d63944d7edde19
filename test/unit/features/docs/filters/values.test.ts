import { describe, expect, it } from "vitest";
import type { Filter } from "../../../../../kernel/docs/dashboard.ts";
import { operatorOf, shapeOf } from "../../../../../kernel/docs/filters.ts";
import { isProblem } from "../../../../../src/core/problem.ts";
import { conditionOf, readFilterValue } from "../../../../../src/features/docs/filters/filter-value.ts";
import { readFilterValues, type FilterInput } from "../../../../../src/features/docs/filters/read-values.ts";

const now = new Date("2026-11-28T12:00:00Z");
const target = { field: "c" };
const filter = (more: Partial<Filter>): Filter => ({ id: "f", target, ...more });
const read = (more: Partial<Filter>, raw: unknown) => readFilterValue(filter(more), raw, now);
const days = (from: string | null, to: string | null) => ({ value: { from, to } });

describe("a filter's shape", () => {
  it.each<[Partial<Filter>, string, string]>([
    [{}, "many", "equals"],
    [{ type: "multiSelect", operator: "notIn" }, "many", "notIn"],
    [{ type: "select" }, "one", "equals"],
    [{ type: "text", operator: "contains" }, "one", "contains"],
    [{ operator: "gte" }, "one", "gte"],
    [{ type: "multiSelect", operator: "lt" }, "one", "lt"],
    [{ type: "dateRange" }, "range", "inDateRange"],
    [{ type: "dateRange", operator: "notEquals" }, "range", "notInDateRange"],
    [{ operator: "notInDateRange" }, "range", "notInDateRange"],
    [{ type: "date" }, "day", "onTheDate"],
    [{ type: "date", operator: "notEquals" }, "day", "notInDateRange"],
    [{ operator: "beforeDate" }, "day", "beforeDate"],
    [{ type: "date", operator: "gt" }, "day", "afterDate"],
    [{ type: "date", operator: "gte" }, "day", "afterOrOnDate"],
    [{ type: "date", operator: "lt" }, "day", "beforeDate"],
    [{ type: "date", operator: "lte" }, "day", "beforeOrOnDate"],
    [{ type: "number", operator: "notSet" }, "flag", "notSet"],
  ])("of %j is %s, and it compares by %s", (more, shape, operator) =>
    expect([shapeOf(filter(more)), operatorOf(filter(more))]).toEqual([shape, operator]),
  );
});

describe("a value of a filter", () => {
  it.each<[Partial<Filter>, unknown, unknown]>([
    [{}, "NO", { value: { values: ["NO"] } }],
    [{}, ["NO", null, 5, true], { value: { values: ["NO", null, "5", "true"] } }],
    [{}, [], { value: undefined }],
    [{ type: "multiSelect" }, null, { value: undefined }],
    [{ type: "number" }, "9007199254740993", { value: { values: ["9007199254740993"] } }],
    [{ type: "number", values: [1.5] }, "1.50", { value: { values: ["1.50"] } }],
    [{ operator: "set" }, "true", { value: { values: ["true"] } }],
    [{ operator: "set" }, false, { value: undefined }],
    [{ type: "date" }, "yesterday", { value: { values: ["2026-11-27"] } }],
    [{ type: "date", values: ["2026-11-27", 5] }, "yesterday", { value: { values: ["2026-11-27"] } }],
    [{ type: "date", values: ["yesterday"] }, "2026-11-27", { value: { values: ["2026-11-27"] } }],
    [{ type: "dateRange" }, "last 30 days", days("2026-10-29", "2026-11-27")],
    [{ type: "dateRange" }, "this month", days("2026-11-01", "2026-11-30")],
    [{ type: "dateRange" }, ["2026-01-01", "2026-01-31"], days("2026-01-01", "2026-01-31")],
    [{ type: "dateRange" }, ["2026-01-01"], days("2026-01-01", "2026-01-01")],
    [{ type: "dateRange" }, { from: "2026-01-01" }, days("2026-01-01", null)],
    [{ type: "dateRange" }, { from: null, to: "today" }, days(null, "2026-11-28")],
    [{ type: "dateRange" }, {}, { value: undefined }],
  ])("of %j may be %j", (more, raw, value) => expect(read(more, raw)).toEqual(value));

  it.each<[Partial<Filter>, unknown]>([
    [{}, { parameter: "x" }],
    [{}, [["NO"]]],
    [{}, "a\0b"],
    [{}, "\ud800"],
    [{}, 2 ** 60],
    [{}, Array.from({ length: 1_001 }, String)],
    [{ type: "select" }, ["NO", "SE"]],
    [{ type: "select" }, [null]],
    [{ values: ["NO"] }, "SE"],
    [{ values: ["NO"] }, ["NO", null]],
    [{ type: "number" }, "1 OR 1=1"],
    [{ type: "number" }, true],
    [{ operator: "notSet" }, "yes"],
    [{ type: "date" }, "last 30 days"],
    [{ type: "date" }, ["2026-01-31"]],
    [{ type: "date" }, `today${" ".repeat(100)}`],
    [{ type: "date", values: ["2026-11-27"] }, "2026-11-26"],
    [{ operator: "afterDate", values: ["2026-11-27"] }, "today"],
    [{ type: "dateRange" }, "2026-02-01 to 2026-01-01"],
    [{ type: "dateRange" }, "from 2026-02-01 to 2026-01-01"],
    [{ type: "dateRange" }, "whenever"],
    [{ type: "dateRange" }, "last 2 hours"],
    [{ type: "dateRange" }, { from: "2026-02-30" }],
    [{ type: "dateRange" }, { from: "2026-02-01", to: "2026-01-01" }],
    [{ type: "dateRange" }, { from: "2026-02-01", until: "2026-03-01" }],
    [{ type: "dateRange" }, { from: 20_260_101 }],
    [{ type: "dateRange", operator: "notInDateRange" }, { from: "2026-02-01" }],
  ])("of %j may not be %j", (more, raw) => expect(read(more, raw)).toEqual({ message: expect.any(String) }));

  it("is a condition in Cube's grammar, open where a range is", () => {
    const condition = (more: Partial<Filter>, raw: unknown) => {
      const found = read(more, raw);
      return "value" in found && found.value && conditionOf(filter(more), found.value);
    };
    const range = { type: "dateRange" } as const;
    expect(condition(range, { from: "2026-01-01" })).toEqual({ operator: "afterOrOnDate", values: ["2026-01-01"] });
    expect(condition(range, { to: "2026-01-01" })).toEqual({ operator: "beforeOrOnDate", values: ["2026-01-01"] });
    expect(condition(range, "today")).toEqual({ operator: "inDateRange", values: ["2026-11-28", "2026-11-28"] });
    expect(condition({ operator: "set" }, true)).toEqual({ operator: "set", values: [] });
  });
});

describe("the values of all filters", () => {
  const filters: Filter[] = [
    { id: "a", target, default: "x" },
    { id: "b", target, type: "number" },
    { id: "c", target, display: "hidden" },
  ];
  const all = (given: Partial<FilterInput>) =>
    Object.fromEntries(readFilterValues(filters, { sent: {}, pointer: "/filters", ...given }, now));
  const pointers = (given: Partial<FilterInput>) => {
    try {
      return all(given);
    } catch (error) {
      return isProblem(error) ? error.flaws.map(({ pointer }) => pointer) : error;
    }
  };

  it("are those that were sent, and defaults of what was not", () => {
    expect(all({})).toEqual({ a: { values: ["x"] } });
    expect(all({ sent: { a: null, b: 5 } })).toEqual({ b: { values: ["5"] } });
  });

  it("are refused at the id of each that is unknown, of another type, closed or fixed", () => {
    expect(pointers({ sent: { "a.b": 1, b: "x" } })).toEqual(["/filters/a.b", "/filters/b"]);
    const isOpen = ({ display }: Filter) => display !== "hidden";
    expect(pointers({ sent: { c: "x" }, isOpen })).toEqual(["/filters/c"]);
    expect(pointers({ sent: { a: "y" }, fixed: { a: "y" } })).toEqual(["/filters/a"]);
    expect(all({ fixed: { c: "y" }, isOpen })).toEqual({ a: { values: ["x"] }, c: { values: ["y"] } });
  });

  it("have defaults of those alone that what is asked takes", () => {
    const odd: Filter = { id: "d", target, type: "number", default: "x" };
    const given = { sent: {}, pointer: "" };
    expect(() => readFilterValues([...filters, odd], given, now)).toThrow();
    const [a] = filters;
    expect([...readFilterValues([...filters, odd], { ...given, taken: [a!] }, now).keys()]).toEqual(["a"]);
  });

  it("are at most 10,000 together", () => {
    const many = Array.from({ length: 11 }, (_, i): Filter => ({ id: `f${i}`, target }));
    const sent = Object.fromEntries(many.map(({ id }) => [id, Array.from({ length: 1_000 }, String)]));
    expect(() => readFilterValues(many, { sent, pointer: "" }, now)).toThrow();
    const { f0, ...fewer } = sent;
    expect(readFilterValues(many, { sent: fewer, pointer: "" }, now).size).toBe(10);
    expect(f0).toHaveLength(1_000);
  });

  it("are fixed to something: a value that lets everything through is none that somebody else fixes", () => {
    for (const nothing of [null, [], [null], [null, null]])
      expect(pointers({ fixed: { c: nothing } })).toEqual(["/filters/c"]);
    expect(all({ fixed: { c: [null, "y"] } })).toMatchObject({ c: { values: [null, "y"] } });
  });

  it("are fixed to a part of texts that not all of them have", () => {
    for (const operator of ["contains", "notContains", "startsWith", "endsWith"] as const) {
      const given = (value: unknown) => () =>
        readFilterValues([filter({ operator })], { sent: {}, fixed: { f: value }, pointer: "" }, now);
      for (const nothing of ["", ["x", ""]]) expect(given(nothing), operator).toThrow();
      expect(given("x")().size).toBe(1);
    }
    expect(all({ fixed: { c: "" } })).toMatchObject({ c: { values: [""] } });
  });
});
