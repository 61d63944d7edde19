// Times on each database: what zones' clocks show across their changes, groups by granularities, ranges, and windows,
// beside a plain reckoning by the host's own clocks.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { periodOfDefinition } from "../../../../containers/engine/semantic/dialects/time/period.ts";
import { openZone } from "../../../../containers/engine/semantic/dialects/time/zone.ts";
import { toLocal } from "../../../support/node/semantic/reckoning/local-times.ts";
import { DialectDatabases, sorted, TestModel, type Cell } from "../../../support/node/semantic/dialect-databases.ts";

const ZONES = [
  "UTC",
  "America/New_York",
  "Australia/Sydney",
  "America/Sao_Paulo",
  "Asia/Kathmandu",
  "Africa/Casablanca",
];
/** Zones and columns. Days are the same everywhere: two zones show that they are. */
const CLOCKS = [
  ...ZONES.flatMap((zone) => ["plain", "zoned"].map((column) => [zone, column] as const)),
  ...ZONES.slice(0, 2).map((zone) => [zone, "day"] as const),
];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Around changes of clocks, ends of months, and weeks; some to the microsecond. */
const INSTANTS = [
  "2024-03-10T06:59:59.999Z",
  "2024-03-10T07:00:00.000Z",
  "2024-11-03T05:30:00.000Z",
  "2024-11-03T06:30:00.000Z",
  "2024-10-05T13:30:00.000Z",
  "2024-10-05T15:59:59.000Z",
  "2024-10-05T16:00:00.000Z",
  "2018-11-04T02:30:00.000Z",
  "2018-11-04T03:00:00.000Z",
  "2018-02-18T01:30:00.000Z",
  "2018-02-18T02:30:00.000Z",
  "2024-02-29T23:59:59.999Z",
  "2024-01-01T00:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "2024-03-31T23:59:59.999Z",
  "2024-01-07T23:00:00.000Z",
  "1969-07-20T20:17:40.500Z",
  "1899-12-31T12:00:00.000Z",
  "2024-04-14T02:00:00.000Z",
  "2024-03-10T12:00:00.000Z",
].map((text) => Date.parse(text));
const stored = (at: number) => new Date(at).toISOString().slice(0, -1).replace("T", " ");

const cut = (local: number, step: number, origin = 0) => origin + Math.floor((local - origin) / step) * step;
const monthCut = (local: number, months: number, first = 0) => {
  const date = new Date(local);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const start = first + Math.floor((month - first) / months) * months;
  return Date.UTC(Math.floor(start / 12), start % 12, 1);
};
const JANUARY_2020 = Date.UTC(2020, 0, 1);

const GROUPS: Record<string, (local: number) => number> = {
  second: (local) => cut(local, 1_000),
  minute: (local) => cut(local, 60_000),
  hour: (local) => cut(local, HOUR),
  day: (local) => cut(local, DAY),
  week: (local) => cut(local, 7 * DAY, Date.UTC(1970, 0, 5)),
  month: (local) => monthCut(local, 1),
  quarter: (local) => monthCut(local, 3),
  year: (local) => monthCut(local, 12),
  fiscal_year: (local) => monthCut(local, 12, 2020 * 12 + 3),
  half_year: (local) => monthCut(local, 6, 2020 * 12 + 1),
  two_years: (local) => monthCut(local, 24, 2020 * 12),
  from_the_tenth: (local) => monthCut(local - 9 * DAY, 1) + 9 * DAY,
  late_month: (local) => monthCut(local + 10 * DAY, 1) - 10 * DAY,
  five_days: (local) => cut(local, 5 * DAY, JANUARY_2020),
  shifts: (local) => cut(local, 8 * HOUR, JANUARY_2020 + 6 * HOUR),
  two_weeks: (local) => cut(local, 14 * DAY, Date.UTC(2020, 0, 1, 9)),
  sunday_week: (local) => cut(local, 7 * DAY, Date.UTC(2024, 0, 7)),
};
const GRANULARITIES = [
  { name: "fiscal_year", interval: "1 year", origin: "2020-04-01" },
  { name: "half_year", interval: "6 months", offset: "1 month" },
  { name: "two_years", interval: "2 years", origin: "2020-01-01" },
  { name: "from_the_tenth", interval: "1 month", origin: "2021-03-10" },
  { name: "late_month", interval: "1 month", offset: "-10 days" },
  { name: "five_days", interval: "5 days", origin: "2020-01-01" },
  { name: "shifts", interval: "8 hours", offset: "6 hours" },
  { name: "two_weeks", interval: "2 weeks", origin: "2020-01-01 09:00:00" },
  { name: "sunday_week", interval: "1 week", offset: "-1 day" },
  { name: "mixed", interval: "1 month 3 days", origin: "2020-01-01" },
  { name: "endless", interval: "1 month", origin: "2020-01-31" },
];

it("refuses groups that would be others next year", () => {
  for (const interval of ["5 days", "2 years", "5 months", "3 weeks", "7 days"])
    expect(() => periodOfDefinition("a.b", { interval }, openZone("UTC")), interval).toThrow("needs an origin");
});

let databases: DialectDatabases;
let model: TestModel;
beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "events",
      columns: { id: "number", plain: "timestamp", zoned: "instant", day: "date", kind: "text" },
      rows: [
        ...INSTANTS.map((at, i): Cell[] => {
          // MariaDB keeps no instants before 1970.
          return [i, stored(at), at < 0 ? null : stored(at), stored(at).slice(0, 10), i % 2 ? "odd" : "even"];
        }),
        [100, null, null, null, null],
        [101, "2024-06-30 23:59:59.999999", "2024-06-30 23:59:59.999999", "2024-06-30", "odd"],
      ],
    },
  ]);
  const time = (name: string) => ({ name, sql: name, type: "time", granularities: GRANULARITIES });
  const rolling = (name: string, type: string, window: object) => ({ name, sql: "id", type, rolling_window: window });
  model = new TestModel({
    cubes: [
      {
        name: "events",
        sql_table: databases.table("events"),
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { name: "kind", sql: "kind", type: "string" },
          time("plain"),
          time("zoned"),
          time("day"),
        ],
        measures: [
          { name: "count", type: "count" },
          rolling("last_month", "sum", { trailing: "1 month" }),
          rolling("last_ids", "count_distinct", { trailing: "1 month" }),
          rolling("about_ids", "count_distinct_approx", { trailing: "7 days" }),
          rolling("ahead", "sum", { leading: "2 days", offset: "start" }),
          rolling("all_so_far", "count", { trailing: "unbounded" }),
          rolling("year_so_far", "sum", { type: "to_date", granularity: "year" }),
          rolling("last_hours", "sum", { trailing: "90 minutes" }),
          { name: "broken", sql: "{count} + 1", type: "number", rolling_window: { trailing: "1 day" } },
        ],
      },
    ],
    views: [],
  });
}, 120_000);
afterAll(() => databases?.close());

/** The local times of a column in a zone; dates are equal in every zone. */
const localsOf = (column: string, zone: string): (number | null)[] =>
  [...INSTANTS, null, Date.UTC(2024, 5, 30, 23, 59, 59, 999)].map((at) => {
    if (at === null || (column === "zoned" && at < 0)) return null;
    return column === "day" ? cut(at, DAY) : toLocal(at, zone);
  });

const shownTime = (local: number | null): Cell =>
  local === null
    ? null
    : stored(local)
        .replace(/\.000$/, "")
        .replace(/(\.\d*?)0+$/, "$1");

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ask = (query: Partial<SemanticQuery>) => databases.run(dialect, model.sql(dialect, query));

  it.each(CLOCKS)("groups in %s by what its clocks show of a %s time", async (timezone, column) => {
    for (const [granularity, groupOf] of Object.entries(GROUPS)) {
      const groups = Map.groupBy(localsOf(column, timezone), (local) => (local === null ? null : groupOf(local)));
      const rows = await ask({
        measures: ["events.count"],
        timeDimensions: [{ dimension: `events.${column}`, granularity }],
        timezone,
      });
      expect(sorted(rows), granularity).toEqual(
        sorted([...groups].map(([start, all]) => [shownTime(start), all.length])),
      );
    }
  });

  it.each(ZONES)("shows times as the clocks of %s do", async (timezone) => {
    const rows = await ask({
      dimensions: ["events.id", "events.plain", "events.day"],
      timezone,
      order: [{ id: "events.id", desc: false }],
    });
    const [plain, day] = [localsOf("plain", timezone), localsOf("day", timezone)];
    expect(rows.slice(0, INSTANTS.length)).toEqual(
      INSTANTS.map((_, i) => [i, shownTime(plain[i]!), shownTime(day[i]!)]),
    );
  });

  const RANGES: [string, string][] = [
    ["2024-03-10", "2024-03-10"],
    ["2024-11-03", "2024-11-03"],
    ["2024-10-06", "2024-10-06"],
    ["2018-11-04", "2018-11-04"],
    ["2018-02-17", "2018-02-17"],
    ["2024-01-01", "2024-06-30"],
    ["2023-12-31", "2023-12-31"],
    ["2024-03-10", "9999-12-31"],
    ["0001-01-01", "2024-03-10"],
    ["0001-01-01", "9999-12-31"],
  ];
  it.each(CLOCKS)("finds in %s what lies in a range of a %s time, and what does not", async (timezone, column) => {
    const locals = localsOf(column, timezone);
    for (const [from, to] of RANGES) {
      const [start, end] = [Date.parse(from), Date.parse(to) + DAY];
      const values = [`${from}T00:00:00.000`, `${to}T23:59:59.999`];
      const member = `events.${column}`;
      const count = async (query: Partial<SemanticQuery>) =>
        (await ask({ measures: ["events.count"], timezone, ...query }))[0]![0];
      const expected = (meant: (local: number) => boolean) =>
        locals.filter((local) => local !== null && meant(local)).length;
      const inRange = expected((local) => local >= start && local < end);
      const by = (operator: SemanticFilterOperator, some: string[]) =>
        count({ filters: [{ member, operator, values: some }] });
      expect(await count({ timeDimensions: [{ dimension: member, dateRange: [values[0]!, values[1]!] }] }), from).toBe(
        inRange,
      );
      expect(await by("inDateRange", values), from).toBe(inRange);
      expect(await by("notInDateRange", values), from).toBe(expected((local) => local < start || local >= end));
      expect(await by("beforeDate", [values[0]!]), from).toBe(expected((local) => local < start));
      expect(await by("beforeOrOnDate", [values[1]!]), from).toBe(expected((local) => local < end));
      expect(await by("afterDate", [values[1]!]), from).toBe(expected((local) => local >= end));
      expect(await by("afterOrOnDate", [from]), from).toBe(expected((local) => local >= start));
      expect(await by("onTheDate", [from]), from).toBe(expected((local) => local >= start && local < start + DAY));
    }
  });

  type SemanticFilterOperator =
    | "inDateRange"
    | "notInDateRange"
    | "beforeDate"
    | "beforeOrOnDate"
    | "afterDate"
    | "afterOrOnDate"
    | "onTheDate";
  type RollingCase = {
    measure: string;
    granularity: string;
    timezone: string;
    window: (start: number, next: number) => [number, number];
    of: (ids: number[]) => number | null;
  };
  const months = (local: number, count: number) => {
    const date = new Date(local);
    const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
    const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate();
    return start + (Math.min(date.getUTCDate(), days) - 1) * DAY + (((local % DAY) + DAY) % DAY);
  };
  const sum = (ids: number[]) => (ids.length === 0 ? null : ids.reduce((all, id) => all + id, 0));
  it.each<RollingCase>([
    {
      measure: "last_month",
      granularity: "week",
      timezone: "UTC",
      window: (_, next) => [months(next, -1), next],
      of: sum,
    },
    {
      measure: "last_month",
      granularity: "month",
      timezone: "America/New_York",
      window: (_, next) => [months(next, -1), next],
      of: sum,
    },
    {
      measure: "last_ids",
      granularity: "month",
      timezone: "Asia/Kathmandu",
      window: (_, next) => [months(next, -1), next],
      of: (ids) => ids.length,
    },
    {
      measure: "about_ids",
      granularity: "day",
      timezone: "UTC",
      window: (_, next) => [next - 7 * DAY, next],
      of: (ids) => ids.length,
    },
    {
      measure: "ahead",
      granularity: "day",
      timezone: "Australia/Sydney",
      window: (start) => [start, start + 2 * DAY],
      of: sum,
    },
    {
      measure: "all_so_far",
      granularity: "month",
      timezone: "UTC",
      window: (_, next) => [-Infinity, next],
      of: (ids) => ids.length,
    },
    {
      measure: "year_so_far",
      granularity: "week",
      timezone: "UTC",
      window: (start, next) => [monthCut(start, 12), next],
      of: sum,
    },
    {
      measure: "last_hours",
      granularity: "day",
      timezone: "America/New_York",
      window: (_, next) => [next - 1.5 * HOUR, next],
      of: sum,
    },
  ])(
    "rolls $measure by $granularity in $timezone over exactly its windows",
    async ({ measure, granularity, timezone, window, of }) => {
      const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 3, 30)];
      const rows = await ask({
        measures: [`events.${measure}`],
        timeDimensions: [
          {
            dimension: "events.plain",
            granularity,
            dateRange: [`${stored(from).replace(" ", "T")}`, "2024-04-29T23:59:59.999"],
          },
        ],
        timezone,
        order: [{ id: `events.plain.${granularity}`, desc: false }],
      });
      const locals = localsOf("plain", timezone);
      const expected: Cell[][] = [];
      for (let start = GROUPS[granularity]!(from); start < to; ) {
        let next = start + 1_000;
        while (GROUPS[granularity]!(next) === start) next += HOUR;
        next = GROUPS[granularity]!(next);
        const [first, end] = window(start, next);
        const ids = locals.flatMap((local, i) =>
          local !== null && local >= first && local < end ? [i === INSTANTS.length + 1 ? 101 : i] : [],
        );
        expected.push([shownTime(start), of(ids)]);
        start = next;
      }
      expect(rows).toEqual(expected);
    },
  );

  it("rolls beside what does not, and by dimensions, and loses no row", async () => {
    const dateRange: [string, string] = ["2024-03-01T00:00:00.000", "2024-03-31T23:59:59.999"];
    const timeDimensions = [{ dimension: "events.plain", granularity: "month", dateRange }];
    const rows = await ask({ measures: ["events.count", "events.last_month"], timeDimensions });
    expect(rows).toEqual([["2024-03-01 00:00:00", 4, 0 + 1 + 14 + 19]]);
    const empty = await ask({
      measures: ["events.count", "events.all_so_far"],
      timeDimensions: [
        {
          dimension: "events.plain",
          granularity: "month",
          dateRange: ["2024-05-01T00:00:00.000", "2024-05-31T23:59:59.999"],
        },
      ],
    });
    expect(empty).toEqual([["2024-05-01 00:00:00", 0, 15]]);
    const byKind = await ask({ measures: ["events.all_so_far"], dimensions: ["events.kind"], timeDimensions });
    expect(sorted(byKind)).toEqual(
      sorted([
        ["even", "2024-03-01 00:00:00", 6],
        ["odd", "2024-03-01 00:00:00", 8],
      ]),
    );
  });

  it.each<[string, Partial<SemanticQuery>, string]>([
    [
      "months and days in one interval",
      { timeDimensions: [{ dimension: "events.plain", granularity: "mixed" }] },
      "mixes months with days",
    ],
    [
      "an origin that some months lack",
      { timeDimensions: [{ dimension: "events.plain", granularity: "endless" }] },
      "beyond the 28th",
    ],
    [
      "a window without a range",
      { measures: ["events.last_month"], timeDimensions: [{ dimension: "events.plain", granularity: "day" }] },
      "needs a dateRange",
    ],
    [
      "a window of what is made of measures",
      {
        measures: ["events.broken"],
        timeDimensions: [
          {
            dimension: "events.plain",
            granularity: "day",
            dateRange: ["2024-01-01T00:00:00.000", "2024-01-02T23:59:59.999"],
          },
        ],
      },
      "can't roll over time",
    ],
    [
      "too many windows",
      {
        measures: ["events.last_month"],
        timeDimensions: [
          {
            dimension: "events.plain",
            granularity: "minute",
            dateRange: ["2024-01-01T00:00:00.000", "2024-01-31T23:59:59.999"],
          },
        ],
      },
      "at most",
    ],
    ["a zone that there is not", { measures: ["events.count"], timezone: "Mars/Olympus" }, "timezone"],
  ])("refuses %s in words", (_what, query, words) => {
    expect(() => model.sql(dialect, { measures: ["events.count"], ...query })).toThrow(words);
  });

  it("has a window for each of five thousand groups", async () => {
    const dateRange: [string, string] = ["2011-01-01T00:00:00.000", "2024-08-31T23:59:59.999"];
    const rows = await ask({
      measures: ["events.all_so_far"],
      timeDimensions: [{ dimension: "events.plain", granularity: "day", dateRange }],
    });
    expect(rows).toHaveLength((Date.UTC(2024, 8, 1) - Date.UTC(2011, 0, 1)) / DAY);
  });
});
