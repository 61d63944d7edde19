import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SemanticStatement } from "../../../../../kernel/semantic/query.ts";
import { isProblem } from "../../../../../src/core/problem.ts";
import { openZoneClock } from "../../../../../kernel/time/zone-clock.ts";
import { DateFlaw } from "../../../../../src/features/semantic/query/dates/date-flaw.ts";
import { readDateRange } from "../../../../../src/features/semantic/query/dates/date-range.ts";
import { LocalNow, TIME_UNITS } from "../../../../../src/features/semantic/query/dates/local-time.ts";
import { planSemantic } from "../../../../../src/features/semantic/query/plan.ts";
import { SHOP_META } from "./shop-meta.ts";

const MODEL = { meta: SHOP_META, definitions: { cubes: [], views: [] } };
const NOW = new Date("2026-11-22T13:45:30Z");

/** Mostly of the kind that is asked for. */
const members = (...known: string[]) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom("orders.id", "nope.x", "orders.constructor", "__proto__.x", "", ...ALL) },
  );
const MEASURES = ["orders.count", "orders.total", "line_items.quantity"];
const DIMENSIONS = ["orders.status", "line_items.product"];
const TIMES = ["orders.created", "orders.shipped"];
const ALL = [...MEASURES, ...DIMENSIONS, ...TIMES, "orders.paid", "orders.created.month"];
const dates = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom("2026-01-31", "2026-02-28T10:30:00.5") },
  { weight: 1, arbitrary: fc.constantFrom("today", "2026-02-30", "x", "") },
);
const oddly = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
const maybe = (arbitrary: fc.Arbitrary<unknown>) => fc.option(oddly(arbitrary), { nil: undefined });

const { filter } = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: "filters" },
    fc.record({
      member: oddly(members(...DIMENSIONS)),
      operator: oddly(fc.constantFrom("equals", "gt", "set", "contains")),
      values: oddly(fc.array(oddly(fc.oneof(dates, fc.integer(), fc.constant(null))), { minLength: 1, maxLength: 3 })),
    }),
    fc.record({
      member: oddly(members(...TIMES)),
      operator: oddly(fc.constantFrom("inDateRange", "afterDate", "onTheDate")),
      values: oddly(fc.array(dates, { minLength: 1, maxLength: 1 })),
    }),
    fc.record({ and: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));
const time = fc.record(
  {
    dimension: oddly(members(...TIMES)),
    granularity: oddly(fc.constantFrom("day", "month", null)),
    dateRange: maybe(fc.array(dates, { minLength: 1, maxLength: 2 })),
  },
  { requiredKeys: ["dimension"] },
);
const query = fc.record(
  {
    measures: oddly(fc.array(members(...MEASURES), { minLength: 1, maxLength: 3 })),
    dimensions: oddly(fc.array(members(...DIMENSIONS, "orders.created.day"), { maxLength: 3 })),
    segments: oddly(fc.array(members("orders.paid"), { maxLength: 1 })),
    timeDimensions: oddly(fc.array(oddly(time), { maxLength: 2 })),
    filters: oddly(fc.array(oddly(filter), { maxLength: 3 })),
    order: oddly(fc.dictionary(members(...MEASURES), fc.constantFrom("asc", "desc"), { maxKeys: 1 })),
    limit: oddly(fc.integer({ min: 0, max: 50_500 })),
    timezone: oddly(fc.constantFrom("UTC", "Europe/Berlin", "America/New_York")),
    ungrouped: oddly(fc.boolean()),
  },
  { requiredKeys: ["measures"] },
);

describe("any query", () => {
  it("becomes a statement that the engine takes, or is refused with flaws that point into it", () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(query, (drawn) => {
        const raw = JSON.parse(JSON.stringify(drawn)) as Record<string, unknown>;
        try {
          const planned = planSemantic({ raw, model: MODEL, dialect: "duckdb", now: NOW });
          expect(SemanticStatement.parse(planned)).toEqual(planned);
          seen.taken++;
        } catch (error) {
          if (!isProblem(error)) throw error;
          expect(error.code).toBe("validation_failed");
          for (const { pointer } of error.flaws) expect(pointer).toMatch(/^\/cube_query(\/|$)/);
          expect(error.flaws.length).toBeGreaterThan(0);
          seen.refused++;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
  });
});

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"];
const zoned = fc.record({
  zone: fc.constantFrom(...ZONES),
  now: fc.date({ min: new Date("2005-01-01"), max: new Date("2035-01-01"), noInvalidDate: true }),
});
const rangeOf = (words: string, { zone, now }: { zone: string; now: Date }) =>
  readDateRange(words, new LocalNow(openZoneClock(zone)!, now));
/** What the zone's clocks show, by way of another formatter than the one that is tested. */
const shownAt = ({ zone, now }: { zone: string; now: Date }): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })
    .format(now)
    .replace(" ", "T")
    .concat(".000");

describe("words for time", () => {
  it("mean what the clocks of the zone show, in whole units that follow each other", () => {
    fc.assert(
      fc.property(
        zoned,
        fc.constantFrom(...TIME_UNITS.slice(3)),
        fc.integer({ min: 1, max: 50 }),
        (at, unit, count) => {
          const [from, to] = rangeOf(`this ${unit}`, at);
          expect(from <= shownAt(at) && shownAt(at) <= to).toBe(true);
          const after = (local: string): string => new Date(Date.parse(`${local}Z`) + 1).toISOString().slice(0, -1);
          expect(after(rangeOf(`last ${count} ${unit}s`, at)[1])).toBe(from);
          expect(after(to)).toBe(rangeOf(`next ${count} ${unit}`, at)[0]);
          expect(rangeOf(`last 1 ${unit}`, at)).toEqual(rangeOf(`last ${unit}`, at));
          expect(rangeOf(`last ${count + 1} ${unit}`, at)[0] < rangeOf(`last ${count} ${unit}`, at)[0]).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("are whole hours of time that passes, whatever is done to the clocks", () => {
    fc.assert(
      fc.property(zoned, fc.integer({ min: 1, max: 200 }), (at, count) => {
        const [from, to] = rangeOf(`last ${count} hours`, at);
        const hourAt = (ago: number): string =>
          shownAt({ ...at, now: new Date(at.now.getTime() - ago * 3_600_000) }).slice(0, 13);
        expect([from, to]).toEqual([`${hourAt(count)}:00:00.000`, `${hourAt(1)}:59:59.999`]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are understood, or refused as no date", () => {
    const word = fc.constantFrom(
      ...["last", "this", "next", "from", "to", "ago", "now", "in", "a", "day", "weeks", "hour", "by", "today"],
      ...["2026-01-31", "2026-02-30", "may", "5", "999999", "0", "-", "2026-01-31T10:00:00+14:00", "\u0000", "e\u0301"],
    );
    fc.assert(
      fc.property(zoned, fc.array(word, { maxLength: 8 }), (at, words) => {
        try {
          const range = rangeOf(words.join(" "), at);
          for (const local of range) expect(local).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);
        } catch (error) {
          if (!(error instanceof DateFlaw)) throw error;
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
