// The calendar's arithmetic against the clock of JavaScript, which keeps the same calendar.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FINER_THAN_MICROSECONDS,
  readTimeOfDay,
  writeDate,
  writeTime,
} from "../../../containers/engine/core/civil-time.ts";
import { dateOfDays, daysOfDate } from "../../../kernel/time/civil-date.ts";

const DAY_MS = 86_400_000;
/** The furthest days from 1970 that a Date holds. */
const anyDay = fc.integer({ min: -100_000_000, max: 100_000_000 });
const into = Buffer.alloc(64);

const timeOf = (text: string): number => {
  const bytes = Buffer.from(`:${text}9`);
  return readTimeOfDay(bytes, 1, bytes.length - 1);
};

describe("a number of days and its date", () => {
  it("are those of JavaScript's calendar, in both directions", () => {
    fc.assert(
      fc.property(anyDay, (days) => {
        const at = new Date(days * DAY_MS);
        const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
        expect(dateOfDays(days)).toEqual(date);
        expect(daysOfDate(date.year, date.month, date.day)).toBe(days);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    [1970, 1, 1, 0],
    [2000, 2, 29, 11_016],
    [0, 2, 29, -719_469],
    [-400, 3, 1, -865_565],
    [1, 1, 1, -719_162],
    [9999, 12, 31, 2_932_896],
    [5_881_580, 7, 11, 2_147_483_647],
  ])("meet at %i-%i-%i", (year, month, day, days) => {
    expect(daysOfDate(year, month, day)).toBe(days);
    expect(dateOfDays(days)).toEqual({ year, month, day });
  });

  it.each([
    [2026, 0, 1],
    [2026, 13, 1],
    [2026, 1, 0],
    [2026, 1, 32],
    [2026, 4, 31],
    [2026, 2, 29],
    [1900, 2, 29],
    [Number.NaN, 1, 1],
    [2026, Number.NaN, 1],
    [2026, 1, Number.NaN],
  ])("are no day at %d-%d-%d", (year, month, day) => {
    expect(daysOfDate(year, month, day)).toBeNaN();
  });

  it("are written with at least four digits of a year", () => {
    const written = (days: number) => into.toString("latin1", 0, writeDate(into, 0, days));
    expect([0, -719_162, -719_163, -719_529, 2_932_897].map(written)).toEqual([
      "1970-01-01",
      "0001-01-01",
      "0000-12-31",
      "-0001-12-31",
      "10000-01-01",
    ]);
  });
});

describe("a time of day", () => {
  it("is read as it is written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000_000 - 1 }), (micros) => {
        const seconds = Math.floor(micros / 1_000_000);
        const end = writeTime(into, 0, seconds, (micros % 1_000_000) * 1_000);
        expect(readTimeOfDay(into, 0, end)).toBe(micros);
      }),
    );
  });

  it.each([
    ["00:00:00", 0],
    ["23:59:59.999999", 86_399_999_999],
    ["10:00:00.1000000000", 36_000_100_000],
  ])("is read from %s", (text, micros) => expect(timeOf(text)).toBe(micros));

  it.each(["24:00:00", "00:60:00", "00:00:60", "1:00:00", "00:00:00.", "00-00:00", "00:00:0a", "00:00:00,5", ""])(
    "is none in %j",
    (text) => expect(timeOf(text)).toBeNaN(),
  );

  it("is refused apart where it is finer than microseconds", () => {
    expect(timeOf("00:00:00.0000001")).toBe(FINER_THAN_MICROSECONDS);
    expect(timeOf("00:00:00.0000001x")).toBeNaN();
  });
});
