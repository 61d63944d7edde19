import { describe, expect, it } from "vitest";
import {
  cubeQueryOf,
  EMPTY,
  isAskable,
  readExploration,
  textOf,
  withOrder,
  withToggled,
  type Exploration,
} from "../../../../src/console/screens/explore/state/exploration.ts";
import { membersOf, searchMembers } from "../../../../src/console/screens/explore/state/members.ts";
import { operatorsFor, takenBy } from "../../../../src/console/screens/explore/state/operators.ts";

const full: Exploration = {
  measures: ["orders.count"],
  dimensions: ["customers.country"],
  segments: ["orders.cancelled"],
  timeDimensions: [{ dimension: "orders.at", granularity: "month", dateRange: "last 30 days" }],
  filters: [{ member: "customers.country", operator: "equals", values: ["Norway", 'an "odd" one'] }],
  order: [["orders.count", "desc"]],
  limit: 10,
  timezone: "Europe/Oslo",
};

describe("a question of the explorer", () => {
  it("is the same once the address was read", () => {
    expect(readExploration(textOf(full)!)).toEqual({ exploration: full, unread: [] });
    expect(textOf(EMPTY)).toBeUndefined();
    expect(readExploration(null)).toEqual({ exploration: EMPTY, unread: [] });
  });

  it("is sent in Cube's keys, without what is empty and without conditions that wait for their values", () => {
    expect(cubeQueryOf(full)).toEqual({ ...full });
    const waiting = { member: "a.b", operator: "equals", values: [] } as const;
    const set = { member: "a.b", operator: "set", values: [] } as const;
    expect(cubeQueryOf({ ...EMPTY, measures: ["a.n"], filters: [waiting, set] })).toEqual({
      measures: ["a.n"],
      filters: [{ member: "a.b", operator: "set" }],
    });
    expect(readExploration(textOf({ ...EMPTY, filters: [waiting] })!).exploration.filters).toEqual([waiting]);
  });

  it("names the parts of an address that it has no place for, and shows the others", () => {
    const asked = {
      measures: ["a.n"],
      total: true,
      filters: [{ or: [] }],
      timeDimensions: [{ dimension: "a.t", compareDateRange: [] }],
    };
    const { exploration, unread } = readExploration(JSON.stringify(asked));
    expect(exploration).toEqual({ ...EMPTY, measures: ["a.n"] });
    expect(unread.sort()).toEqual(["filters", "timeDimensions", "total"]);
    for (const broken of ["{", "[]", "7", '{"measures":"a.n"}', '{"limit":[1]}'])
      expect(readExploration(broken).unread).toHaveLength(1);
  });

  it("lets a member go that is chosen again, and its order with it", () => {
    const measure = { name: "orders.count", kind: "measure" } as const;
    const without = withToggled(full, measure);
    expect([without.measures, without.order]).toEqual([[], []]);
    expect(withToggled(without, measure).measures).toEqual(["orders.count"]);
    const time = { name: "orders.at", kind: "time" } as const;
    expect(withToggled(EMPTY, time).timeDimensions).toEqual([{ dimension: "orders.at", granularity: "month" }]);
    expect(withToggled(full, time).timeDimensions).toEqual([]);
  });

  it("keeps the place of an order that turns round", () => {
    const both = withOrder(full, "customers.country", "asc");
    expect(withOrder(both, "orders.count", "asc").order).toEqual([
      ["orders.count", "asc"],
      ["customers.country", "asc"],
    ]);
    expect(withOrder(both, "orders.count", undefined).order).toEqual([["customers.country", "asc"]]);
  });

  it("is asked only where it selects something", () => {
    expect(isAskable(full)).toBe(true);
    expect(isAskable({ ...EMPTY, segments: ["a.s"], timeDimensions: [{ dimension: "a.t", dateRange: "today" }] })).toBe(
      false,
    );
    expect(isAskable({ ...EMPTY, timeDimensions: [{ dimension: "a.t", granularity: "day" }] })).toBe(true);
  });
});

describe("the members of a model", () => {
  const members = membersOf([
    {
      name: "orders",
      title: "Orders",
      measures: [
        {
          name: "orders.sum",
          title: "Orders Sum",
          shortTitle: "Sum",
          type: "number",
          format: "currency",
          description: "Net",
        },
      ],
      dimensions: [
        {
          name: "orders.at",
          title: "Orders At",
          shortTitle: "At",
          type: "time",
          granularities: [{ name: "season", title: "Season" }],
        },
        {
          name: "orders.status",
          title: "Orders Status",
          shortTitle: "Status",
          type: "string",
          format: { type: "link" },
        },
      ],
      segments: [{ name: "orders.late", title: "Orders Late", shortTitle: "Late" }],
    },
  ]);

  it("are measures, dimensions, times and segments, with their formats and granularities", () => {
    expect(members.map(({ name, kind, format }) => [name, kind, format])).toEqual([
      ["orders.sum", "measure", "currency"],
      ["orders.status", "dimension", undefined],
      ["orders.at", "time", undefined],
      ["orders.late", "segment", undefined],
    ]);
    expect(members[2]!.granularities.at(-1)).toEqual({ value: "season", label: "Season" });
  });

  it("are found by every word of their names, titles and descriptions", () => {
    const found = (text: string) => searchMembers(members, text).map(({ name }) => name);
    expect(found("net ORDERS")).toEqual(["orders.sum"]);
    expect(found("segment")).toEqual(["orders.late"]);
    expect(found("nothing")).toEqual([]);
  });
});

describe("the operators of a filter", () => {
  it.each([
    ["string", ["equals", "contains", "set"], ["gt", "inDateRange", "in"]],
    ["number", ["equals", "gt", "lte", "notSet"], ["contains", "inDateRange"]],
    ["time", ["inDateRange", "beforeDate", "set"], ["equals", "gt"]],
    ["boolean", ["equals", "notSet"], ["contains", "gt", "onTheDate"]],
  ])("of a %s are those that its values have", (type, has, lacks) => {
    const operators: string[] = operatorsFor(type);
    expect(operators).toEqual(expect.arrayContaining(has));
    expect(operators.filter((operator) => lacks.includes(operator))).toEqual([]);
  });

  it("take as many values as Cube's grammar says", () =>
    expect([takenBy("equals"), takenBy("set"), takenBy("gt"), takenBy("beforeDate"), takenBy("inDateRange")]).toEqual([
      "values",
      "nothing",
      "value",
      "date",
      "dates",
    ]));
});
