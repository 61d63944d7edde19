import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CronSchedule, parseCron } from "../../../src/core/schedule/cron.ts";

/** The next times after `after`, as the zone's clocks show them, with the offset from UTC. */
function timesOf(cron: string, zone: string, { after, count }: { after: string; count: number }): string[] {
  const schedule = read(cron, zone);
  let at = new Date(after);
  return Array.from({ length: count }, () => {
    at = schedule.next(at);
    return shown(at, zone);
  });
}

function read(cron: string, zone = "UTC"): CronSchedule {
  const schedule = parseCron(cron, zone);
  if (!(schedule instanceof CronSchedule)) throw new Error(`${cron} in ${zone} ${schedule.reason}`);
  return schedule;
}

/** By another way than the code's: the offset as the host names it, and the date by adding that. */
function shown(at: Date, zone: string): string {
  const text = offsetNames(zone).format(at);
  const [, offset = "+00:00", sign, hours, minutes] = /GMT(([+-])(\d+):(\d+))?/.exec(text) ?? [];
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === "-" ? -1 : 1);
  return `${new Date(at.getTime() + offsetMs).toISOString().slice(0, 16).replace("T", " ")}${offset}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function offsetNames(zone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formatters.set(zone, formatter);
  return formatter;
}

describe("times that a clock change skips or repeats", () => {
  it.each([
    // Clocks go from 02:00 to 03:00, and back from 03:00 to 02:00.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "03-30 02:30+02:00"]],
    ["0 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "03-30 02:00+02:00"]],
    ["0 3 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "03-30 03:00+02:00"]],
    ["0,20,40 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "03-30 02:00+02:00"]],
    ["*/15 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "03-30 02:00+02:00"]],
    [
      "30 1-3 * * *",
      "Europe/Berlin",
      "2026-03-28T12:00Z",
      ["03-29 01:30+01:00", "03-29 03:00+02:00", "03-29 03:30+02:00"],
    ],
    ["30 2 * * 0", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00", "04-05 02:30+02:00"]],
    ["30 2 29 3 *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29 03:00+02:00"]],
    ["30 * * * *", "Europe/Berlin", "2026-03-29T00:00Z", ["03-29 01:30+01:00", "03-29 03:30+02:00"]],
    ["0 */2 * * *", "Europe/Berlin", "2026-03-28T22:59Z", ["03-29 00:00+01:00", "03-29 04:00+02:00"]],
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", ["10-25 02:30+02:00", "10-26 02:30+01:00"]],
    [
      "0,30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T12:00Z",
      ["10-25 02:00+02:00", "10-25 02:30+02:00", "10-26 02:00+01:00"],
    ],
    [
      "*/30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T12:00Z",
      ["10-25 02:00+02:00", "10-25 02:30+02:00", "10-26 02:00+01:00"],
    ],
    [
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-10-24T23:59Z",
      ["10-25 02:00+02:00", "10-25 02:30+02:00", "10-25 02:00+01:00", "10-25 02:30+01:00", "10-25 03:00+01:00"],
    ],
    [
      "30 * * * *",
      "Europe/Berlin",
      "2026-10-24T23:00Z",
      ["10-25 01:30+02:00", "10-25 02:30+02:00", "10-25 02:30+01:00", "10-25 03:30+01:00"],
    ],
    // Clocks go from 02:00 to 03:00, and back from 02:00 to 01:00.
    ["30 2 * * *", "America/New_York", "2026-03-07T12:00Z", ["03-08 03:00-04:00", "03-09 02:30-04:00"]],
    ["30 1 * * *", "America/New_York", "2026-10-31T12:00Z", ["11-01 01:30-04:00", "11-02 01:30-05:00"]],
    ["0 2 * * *", "America/New_York", "2026-10-31T12:00Z", ["11-01 02:00-05:00", "11-02 02:00-05:00"]],
    [
      "*/20 * * * *",
      "America/New_York",
      "2026-11-01T05:20Z",
      ["11-01 01:40-04:00", "11-01 01:00-05:00", "11-01 01:20-05:00"],
    ],
    // Clocks go on and back by half an hour: from 02:00 to 02:30, from 02:00 to 01:30.
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T10:00Z", ["10-04 02:30+11:00", "10-05 02:15+11:00"]],
    ["30 2 * * *", "Australia/Lord_Howe", "2026-10-03T10:00Z", ["10-04 02:30+11:00", "10-05 02:30+11:00"]],
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T10:00Z", ["04-05 01:45+11:00", "04-06 01:45+10:30"]],
    ["15 1 * * *", "Australia/Lord_Howe", "2026-04-04T10:00Z", ["04-05 01:15+11:00", "04-06 01:15+10:30"]],
    [
      "45 * * * *",
      "Australia/Lord_Howe",
      "2026-04-04T14:00Z",
      ["04-05 01:45+11:00", "04-05 01:45+10:30", "04-05 02:45+10:30"],
    ],
    ["*/15 * * * *", "Australia/Lord_Howe", "2026-10-03T15:20Z", ["10-04 02:30+11:00", "10-04 02:45+11:00"]],
    // Clocks went from 00:00 to 01:00: the day begins at one. And back at midnight, to 23:00 of the day before.
    ["0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00Z", ["11-04 01:00-02:00", "11-05 00:00-02:00"]],
    ["30 0 4 11 *", "America/Sao_Paulo", "2018-11-03T12:00Z", ["11-04 01:00-02:00"]],
    ["0 0 * * 0", "America/Sao_Paulo", "2018-11-03T12:00Z", ["11-04 01:00-02:00", "11-11 00:00-02:00"]],
    ["30 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00Z", ["02-17 23:30-02:00", "02-18 23:30-03:00"]],
    ["0 0 * * *", "America/Sao_Paulo", "2018-02-17T12:00Z", ["02-18 00:00-03:00", "02-19 00:00-03:00"]],
    [
      "30 * * * *",
      "America/Sao_Paulo",
      "2018-02-18T01:00Z",
      ["02-17 23:30-02:00", "02-17 23:30-03:00", "02-18 00:30-03:00"],
    ],
    // A gap that ends after midnight, and a day that is skipped as a whole.
    ["30 23 * * *", "America/Nuuk", "2027-03-27T12:00Z", ["03-28 00:00-01:00", "03-28 23:30-01:00"]],
    ["0 9 * * *", "Pacific/Apia", "2011-12-29T12:00Z", ["12-29 09:00-10:00", "12-31 00:00+14:00", "12-31 09:00+14:00"]],
  ])("%s in %s after %s is due once for each", (cron, zone, after, expected) => {
    const year = after.slice(0, 4);
    expect(timesOf(cron, zone, { after, count: expected.length })).toEqual(expected.map((time) => `${year}-${time}`));
  });
});

describe("the fields", () => {
  it.each([
    ["0 0 29 2 *", "2026-03-01T00:00Z", ["2028-02-29 00:00", "2032-02-29 00:00"]],
    ["0 0 29 2 *", "2096-03-01T00:00Z", ["2104-02-29 00:00"]],
    ["0 0 31 * *", "2026-01-31T00:00Z", ["2026-03-31 00:00", "2026-05-31 00:00"]],
    // Either day will do where both are restricted.
    [
      "0 0 13 * 5",
      "2026-02-06T00:00Z",
      ["2026-02-13 00:00", "2026-02-20 00:00", "2026-02-27 00:00", "2026-03-06 00:00", "2026-03-13 00:00"],
    ],
    ["0 0 31 2 1", "2026-02-01T00:00Z", ["2026-02-02 00:00"]],
    ["0 0 L * *", "2026-02-01T00:00Z", ["2026-02-28 00:00", "2026-03-31 00:00"]],
    ["0 9 15W * *", "2026-08-01T00:00Z", ["2026-08-14 09:00"]],
    ["0 9 * * MON#1", "2026-08-01T00:00Z", ["2026-08-03 09:00", "2026-09-07 09:00"]],
    ["0 9 * * FRIL", "2026-08-01T00:00Z", ["2026-08-28 09:00"]],
    ["0 9 * * mon-fri", "2026-08-07T09:00Z", ["2026-08-10 09:00"]],
    ["0 0 * * 7", "2026-08-03T00:00Z", ["2026-08-09 00:00"]],
    ["5-20/5,59 23 31 dec *", "2026-12-31T23:15Z", ["2026-12-31 23:20", "2026-12-31 23:59", "2027-12-31 23:05"]],
    ["  0\t0  1 1 * ", "2026-08-03T00:00Z", ["2027-01-01 00:00"]],
  ])("%s after %s", (cron, after, expected) => {
    const times = timesOf(cron, "UTC", { after, count: expected.length });
    expect(times).toEqual(expected.map((time) => `${time}+00:00`));
  });

  it("are due after an instant, and not at it", () => {
    const schedule = read("0 12 * * *");
    expect(schedule.next(new Date("2026-08-03T12:00:00.000Z")).toISOString()).toBe("2026-08-04T12:00:00.000Z");
    expect(schedule.next(new Date("2026-08-03T11:59:59.999Z")).toISOString()).toBe("2026-08-03T12:00:00.000Z");
  });
});

describe("what is refused", () => {
  it.each([
    ["", /needs five fields .* and has 1/],
    ["@daily", /needs five fields .* and has 1/],
    ["* * * *", /has 4/],
    ["0 * * * * *", /has 6/],
    ["0 0 1 1 * * 2027", /has 7/],
    ["60 * * * *", /the minute field '60': it takes 0-59/],
    ["* 24 * * *", /the hour field '24'/],
    ["* * 0 * *", /the day-of-month field '0'/],
    ["* * 32 * *", /the day-of-month field '32'/],
    ["* * * 13 *", /the month field '13'/],
    ["* * * * 8", /the day-of-week field '8'/],
    ["* * * * MON#6", /the day-of-week field/],
    ["*/0 * * * *", /the minute field/],
    ["5/5 * * * *", /the minute field/],
    ["20-10 * * * *", /the minute field/],
    ["1,,2 * * * *", /the minute field/],
    ["? * * * *", /the minute field/],
    ["* * 1 * +MON", /the day-of-week field/],
    ["* * * FOO *", /the month field 'FOO'/],
    ["٣ * * * *", /the minute field/],
    ["0 0 30 2 *", /never fires/],
    ["0 0 31 2,4,6,9,11 *", /never fires/],
    ["0 0 30W FEB *", /never fires/],
    [`${"0,".repeat(200)}0 * * * *`, /longer than 256 characters/],
  ])("'%s'", (cron, reason) => {
    expect(parseCron(cron, "UTC")).toEqual({ field: "cron", reason: expect.stringMatching(reason) });
  });

  it.each(["", "Mars/Phobos", "+02:00", "-05", "GMT+5", "BST", "PST", " Europe/Berlin", "Europe/Berlin; DROP"])(
    "the zone '%s'",
    (zone) => {
      expect(parseCron("* * * * *", zone)).toEqual({ field: "timezone", reason: expect.any(String) });
    },
  );
});

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "America/Nuuk"];
const field = (low: number, high: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min: low, max: high });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    { weight: 3, arbitrary: value.map(String) },
    fc.uniqueArray(value, { minLength: 1, maxLength: 4 }).map((values) => values.join(",")),
    fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.integer({ min: 2, max: high }).map((step) => `*/${step}`),
  );
};
const expressions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
  .map((fields) => fields.join(" "));
const instants = fc.date({ min: new Date("2015-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });

describe("any expression", () => {
  it("has times that go up, each of which its fields match or a gap ends at", () => {
    fc.assert(
      fc.property(expressions, fc.constantFrom(...ZONES), instants, (cron, zone, after) => {
        const schedule = read(cron, zone);
        let before = after;
        for (let n = 0; n < 5; n++) {
          const at = schedule.next(before);
          expect(at.getTime()).toBeGreaterThan(before.getTime());
          expect(matches(cron, shown(at, zone)) || endsGap(at, zone)).toBe(true);
          before = at;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("has no time between one and the next, minute by minute, but a repeated one", () => {
    const changes = fc.constantFrom(
      ["Europe/Berlin", "2026-03-29T01:00Z"],
      ["Europe/Berlin", "2026-10-25T01:00Z"],
      ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
      ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
      ["America/Sao_Paulo", "2018-11-04T03:00Z"],
      ["America/Sao_Paulo", "2018-02-18T02:00Z"],
    );
    const clockFields = fc.tuple(field(0, 59), field(0, 23)).map((fields) => `${fields.join(" ")} * * *`);
    fc.assert(
      fc.property(
        clockFields,
        changes,
        fc.integer({ min: -180, max: 60 }),
        (cron, [zone = "", change = ""], minutes) => {
          const after = new Date(Date.parse(change) + minutes * 60_000);
          const next = read(cron, zone).next(after).getTime();
          const keepsPace = cron.split(" ")[1]?.startsWith("*");
          for (let at = after.getTime() + 60_000; at < next; at += 60_000) {
            const time = shown(new Date(at), zone);
            if (!matches(cron, time)) continue;
            expect(keepsPace).toBe(false);
            expect(
              [30, 60].some((back) => shown(new Date(at - back * 60_000), zone).slice(0, 16) === time.slice(0, 16)),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** An expression of numbers, *, lists, ranges and steps, read naively. */
function matches(cron: string, time: string): boolean {
  const [, month, day, hour, minute] = (/^(\d+)-(\d+)-(\d+) (\d+):(\d+)/.exec(time) ?? []).slice(1).map(Number);
  const weekday = new Date(`${time.slice(0, 10)}T00:00Z`).getUTCDay();
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = cron.split(" ");
  const isDay = includes(days, day ?? 0, 1);
  const isWeekday = includes(weekdays, weekday) || (weekday === 0 && includes(weekdays, 7));
  const both = days === "*" || weekdays === "*";
  return (
    includes(minutes, minute ?? 0) &&
    includes(hours, hour ?? 0) &&
    includes(months, month ?? 0, 1) &&
    (both ? isDay && isWeekday : isDay || isWeekday)
  );
}

/** `low` is the least value, from which a step counts. */
function includes(field: string, value: number, low = 0): boolean {
  if (field.startsWith("*")) return (value - low) % Number(field.split("/")[1] ?? 1) === 0;
  const [from = "", to] = field.split("-");
  return to === undefined ? field.split(",").map(Number).includes(value) : Number(from) <= value && value <= Number(to);
}

/** The clocks have just been set on. */
function endsGap(at: Date, zone: string): boolean {
  const minutes = (of: Date): number => Date.parse(`${shown(of, zone).slice(0, 16).replace(" ", "T")}Z`) / 60_000;
  return minutes(at) - minutes(new Date(at.getTime() - 60_000)) > 1;
}
