import { describe, expect, it } from "vitest";
import { openZoneClock } from "../../../../../kernel/time/zone-clock.ts";
import { readDateRange, readFilterDates } from "../../../../../src/features/semantic/query/dates/date-range.ts";
import { LocalNow } from "../../../../../src/features/semantic/query/dates/local-time.ts";

const nowIn = (zone: string, now: string): LocalNow => new LocalNow(openZoneClock(zone)!, new Date(now));
const inUtc = nowIn("UTC", "2026-11-22T13:45:30.250Z");

/** A day's name stands for its first millisecond, or its last. */
const day = (from: string, to = from): [string, string] => [`${from}T00:00:00.000`, `${to}T23:59:59.999`];

describe("words for a range of time", () => {
  // A Sunday, the last day of its week.
  it.each([
    ["today", ...day("2026-11-22")],
    ["yesterday", ...day("2026-11-21")],
    ["tomorrow", ...day("2026-11-23")],
    ["now", ...day("2026-11-22")],
    ["  ToDay ", ...day("2026-11-22")],
    ["this second", "2026-11-22T13:45:30.000", "2026-11-22T13:45:30.999"],
    ["this minute", "2026-11-22T13:45:00.000", "2026-11-22T13:45:59.999"],
    ["last minute", "2026-11-22T13:44:00.000", "2026-11-22T13:44:59.999"],
    ["this hour", "2026-11-22T13:00:00.000", "2026-11-22T13:59:59.999"],
    ["next hour", "2026-11-22T14:00:00.000", "2026-11-22T14:59:59.999"],
    ["this day", ...day("2026-11-22")],
    ["this week", ...day("2026-11-16", "2026-11-22")],
    ["last week", ...day("2026-11-09", "2026-11-15")],
    ["next  week", ...day("2026-11-23", "2026-11-29")],
    ["this month", ...day("2026-11-01", "2026-11-30")],
    ["last month", ...day("2026-10-01", "2026-10-31")],
    ["next month", ...day("2026-12-01", "2026-12-31")],
    ["this quarter", ...day("2026-10-01", "2026-12-31")],
    ["last quarter", ...day("2026-07-01", "2026-09-30")],
    ["next quarter", ...day("2027-01-01", "2027-03-31")],
    ["this year", ...day("2026-01-01", "2026-12-31")],
    ["last year", ...day("2025-01-01", "2025-12-31")],
    ["last 1 day", ...day("2026-11-21")],
    ["last 7 days", ...day("2026-11-15", "2026-11-21")],
    ["next 1 day", ...day("2026-11-23")],
    ["next 5 days", ...day("2026-11-23", "2026-11-27")],
    ["last 2 weeks", ...day("2026-11-02", "2026-11-15")],
    ["last 6 months", ...day("2026-05-01", "2026-10-31")],
    ["next 6 months", ...day("2026-12-01", "2027-05-31")],
    ["last 2 quarters", ...day("2026-04-01", "2026-09-30")],
    ["last 3 years", ...day("2023-01-01", "2025-12-31")],
    ["last 6 hours", "2026-11-22T07:00:00.000", "2026-11-22T12:59:59.999"],
    ["last 90 seconds", "2026-11-22T13:44:00.000", "2026-11-22T13:45:29.999"],
    ["from 1 days ago to now", ...day("2026-11-21", "2026-11-22")],
    ["from 7 days ago to 7 days from now", ...day("2026-11-15", "2026-11-29")],
    ["from 1 quarter ago to now", ...day("2026-08-22", "2026-11-22")],
    ["from 23 hours ago to now", "2026-11-21T14:00:00.000", "2026-11-22T13:59:59.999"],
    ["from now to 23 hours from now", "2026-11-22T13:00:00.000", "2026-11-23T12:59:59.999"],
    ["from yesterday to tomorrow", ...day("2026-11-21", "2026-11-23")],
    ["from 2026-01-05 to 2026-02-03", ...day("2026-01-05", "2026-02-03")],
    ["2026-01-05 - 2026-02-03", ...day("2026-01-05", "2026-02-03")],
    ["from 2026-01-05 to now", ...day("2026-01-05", "2026-11-22")],
    ["from Jan 5, 2026 to 3rd of February 2026", ...day("2026-01-05", "2026-02-03")],
    ["an hour ago", "2026-11-22T12:00:00.000", "2026-11-22T12:59:59.999"],
    ["2 weeks ago", ...day("2026-11-08")],
    ["2 weeks ago by hour", "2026-11-08T13:00:00.000", "2026-11-08T13:59:59.999"],
    ["in 3 days", ...day("2026-11-25")],
    ["2026-02-28", ...day("2026-02-28")],
    ["2026-02-28T10:30:00", ...day("2026-02-28")],
    ["December 24, 2025", ...day("2025-12-24")],
  ])("%s", (words, start, end) => expect(readDateRange(words, inUtc)).toEqual([start, end]));

  it.each([
    ["2021-02-15T13:00:00Z", "last 2 quarters", day("2020-07-01", "2020-12-31")],
    ["2021-03-15T13:00:00Z", "last 6 months", day("2020-09-01", "2021-02-28")],
    ["2021-05-03T12:00:00Z", "from 1 quarter ago to now", day("2021-02-03", "2021-05-03")],
    ["2026-03-31T12:00:00Z", "1 month ago", day("2026-02-28")],
    ["2024-02-29T12:00:00Z", "1 year ago", day("2023-02-28")],
    ["2026-01-31T12:00:00Z", "next month", day("2026-02-01", "2026-02-28")],
    ["2027-01-01T12:00:00Z", "this week", day("2026-12-28", "2027-01-03")],
  ])("at %s: %s", (now, words, range) => expect(readDateRange(words, nowIn("UTC", now))).toEqual(range));
});

describe("words in a zone", () => {
  it.each([
    // The day is the zone's, whatever it is elsewhere.
    ["America/New_York", "2026-11-22T03:00:00Z", "today", ...day("2026-11-21")],
    ["Asia/Tokyo", "2026-11-22T15:30:00Z", "today", ...day("2026-11-23")],
    ["Pacific/Apia", "2026-12-31T12:00:00Z", "this year", ...day("2027-01-01", "2027-12-31")],
    [
      "America/Los_Angeles",
      "2020-09-22T13:03:20Z",
      "from 1 hour ago to now",
      "2020-09-22T05:00:00.000",
      "2020-09-22T06:59:59.999",
    ],
    // Berlin's clocks go from 01:59 to 03:00 on March 29, and from 02:59 back to 02:00 on October 25.
    ["Europe/Berlin", "2026-03-29T01:30:00Z", "this hour", "2026-03-29T03:00:00.000", "2026-03-29T03:59:59.999"],
    ["Europe/Berlin", "2026-03-29T01:30:00Z", "last hour", "2026-03-29T01:00:00.000", "2026-03-29T01:59:59.999"],
    ["Europe/Berlin", "2026-03-29T01:30:00Z", "last 3 hours", "2026-03-28T23:00:00.000", "2026-03-29T01:59:59.999"],
    ["Europe/Berlin", "2026-03-29T12:00:00Z", "yesterday", ...day("2026-03-28")],
    ["Europe/Berlin", "2026-03-30T12:00:00Z", "yesterday", ...day("2026-03-29")],
    ["Europe/Berlin", "2026-10-25T02:30:00Z", "last 2 hours", "2026-10-25T02:00:00.000", "2026-10-25T02:59:59.999"],
    ["Europe/Berlin", "2026-10-25T02:30:00Z", "last 3 hours", "2026-10-25T01:00:00.000", "2026-10-25T02:59:59.999"],
    ["Europe/Berlin", "2026-10-25T22:59:59Z", "today", ...day("2026-10-25")],
    ["Europe/Berlin", "2026-10-25T23:00:00Z", "today", ...day("2026-10-26")],
    // New York's go from 01:59 to 03:00 on March 8, and from 01:59 back to 01:00 on November 1.
    ["America/New_York", "2026-03-08T07:30:00Z", "last hour", "2026-03-08T01:00:00.000", "2026-03-08T01:59:59.999"],
    ["America/New_York", "2026-03-09T03:30:00Z", "yesterday", ...day("2026-03-07")],
    ["America/New_York", "2026-03-09T04:30:00Z", "yesterday", ...day("2026-03-08")],
    ["America/New_York", "2026-11-01T06:30:00Z", "last 2 hours", "2026-11-01T00:00:00.000", "2026-11-01T01:59:59.999"],
    ["America/New_York", "2026-11-02T04:59:00Z", "last 2 days", ...day("2026-10-30", "2026-10-31")],
    // Lord Howe's move by half an hour: 01:59 to 02:30 on October 4, 01:59 back to 01:30 on April 5.
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z", "this hour", "2026-10-04T02:00:00.000", "2026-10-04T02:59:59.999"],
    [
      "Australia/Lord_Howe",
      "2026-10-03T16:10:00Z",
      "last 2 hours",
      "2026-10-04T00:00:00.000",
      "2026-10-04T01:59:59.999",
    ],
    ["Australia/Lord_Howe", "2026-10-03T12:59:00Z", "today", ...day("2026-10-03")],
    ["Australia/Lord_Howe", "2026-04-04T15:40:00Z", "last hour", "2026-04-05T01:00:00.000", "2026-04-05T01:59:59.999"],
    ["Australia/Lord_Howe", "2026-04-04T13:00:00Z", "today", ...day("2026-04-05")],
    // São Paulo had no midnight on October 15, 2017, and two hours before that of February 18, 2018.
    ["America/Sao_Paulo", "2017-10-15T03:30:00Z", "today", ...day("2017-10-15")],
    ["America/Sao_Paulo", "2017-10-15T03:30:00Z", "last hour", "2017-10-14T23:00:00.000", "2017-10-14T23:59:59.999"],
    ["America/Sao_Paulo", "2018-02-18T02:30:00Z", "today", ...day("2018-02-17")],
    ["America/Sao_Paulo", "2018-02-18T02:30:00Z", "this hour", "2018-02-17T23:00:00.000", "2018-02-17T23:59:59.999"],
    ["America/Sao_Paulo", "2018-02-18T03:00:00Z", "yesterday", ...day("2018-02-17")],
    // Apia had no December 30, 2011: the calendar has, without an instant in it.
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "today", ...day("2011-12-31")],
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "yesterday", ...day("2011-12-30")],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", "today", ...day("2011-12-29")],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", "next hour", "2011-12-31T00:00:00.000", "2011-12-31T00:59:59.999"],
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "last 7 days", ...day("2011-12-24", "2011-12-30")],
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "last 24 hours", "2011-12-29T14:00:00.000", "2011-12-31T13:59:59.999"],
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "last month", ...day("2011-11-01", "2011-11-30")],
  ])("%s at %s: %s", (zone, now, words, start, end) =>
    expect(readDateRange(words, nowIn(zone, now))).toEqual([start, end]),
  );
});

describe("dates that say nothing, or not surely what", () => {
  it.each([
    "",
    "unexpected date",
    "last weekend",
    "last monday",
    "last days",
    "last 0 days",
    "last 1.5 days",
    "last 9999999 days",
    "last 999999 years",
    "next 999999 weeks",
    "this month please",
    "from last month to today",
    "from today to 3 hours from now",
    "from 2026-01-01 10:00 to in 2 hours",
    "2026-02-29",
    "2026-13-01",
    "0000-01-01",
    "31 february 2026",
    "2026-01-01T24:00",
    "2026-01-01T10:61:00",
    "tomorrow'; drop table orders; --",
    `from ${"a".repeat(200)} to now`,
    "from to to to",
    "é".repeat(50),
  ])("%s", (words) => expect(() => readDateRange(words, inUtc)).toThrow(/^Can't parse date: '/));

  it("are named, the one of two that is at fault", () => {
    expect(() => readDateRange("from invalid to 2020-02-02", inUtc)).toThrow("Can't parse date: 'invalid'");
    expect(() => readDateRange("from 2020-02-02 to Invalid", inUtc)).toThrow("Can't parse date: 'invalid'");
    expect(() => readDateRange(["2020-02-02", "last week"], inUtc)).toThrow("Can't parse date: 'last week'");
  });
});

describe("dates that are written out", () => {
  it.each<[string[], string, string]>([
    [["2026-01-31"], ...day("2026-01-31")],
    [["2026-01-01", "2026-01-31"], ...day("2026-01-01", "2026-01-31")],
    [["2026-01-01T10:30", "2026-01-31"], "2026-01-01T10:30:00.000", "2026-01-31T23:59:59.999"],
    [["2026-01-01T10:30:15.5", "2026-01-31 11:00:00.123"], "2026-01-01T10:30:15.500", "2026-01-31T11:00:00.123"],
    [["2026-01-01T00:00:00.000000", "2026-01-01T23:59:59.999999"], ...day("2026-01-01")],
    [["0001-01-01", "9999-12-31"], ...day("0001-01-01", "9999-12-31")],
    [["2024-02-29T23:59:59.999"], "2024-02-29T23:59:59.999", "2024-02-29T23:59:59.999"],
  ])("%j", (dates, start, end) => expect(readDateRange(dates, inUtc)).toEqual([start, end]));

  it.each([
    ["2026-03-29T00:59:59.999Z", "2026-03-29T01:59:59.999"],
    ["2026-03-29T01:00:00Z", "2026-03-29T03:00:00.000"],
    ["2026-10-25T03:30:00+02:00", "2026-10-25T02:30:00.000"],
    ["2026-10-25T03:30:00-0500", "2026-10-25T09:30:00.000"],
    ["2026-10-25 03:30:00+01", "2026-10-25T03:30:00.000"],
  ])("%s is an instant, as Berlin's clocks show it", (date, local) =>
    expect(readDateRange([date], nowIn("Europe/Berlin", "2026-11-22T00:00:00Z"))).toEqual([local, local]),
  );

  it("are refused where they are finer than a millisecond, which would be lost", () => {
    for (const date of ["2026-01-01T10:00:00.0001", "2026-01-01T10:00:00.1239999"])
      expect(() => readDateRange([date], inUtc)).toThrow("Can't parse date");
  });
});

describe("the dates of a filter", () => {
  it.each<[Parameters<typeof readFilterDates>[0], string[], string[]]>([
    ["inDateRange", ["last week"], day("2026-11-09", "2026-11-15")],
    ["notInDateRange", ["2026-01-01", "2026-01-31"], day("2026-01-01", "2026-01-31")],
    ["inDateRange", ["2026-01-05"], day("2026-01-05")],
    ["onTheDate", ["yesterday"], day("2026-11-21")],
    ["onTheDate", ["2026-01-05"], day("2026-01-05")],
    ["onTheDate", ["2026-01-05T10:30:00"], day("2026-01-05")],
    ["beforeDate", ["yesterday"], ["2026-11-21T00:00:00.000"]],
    ["afterOrOnDate", ["yesterday"], ["2026-11-21T00:00:00.000"]],
    ["beforeOrOnDate", ["yesterday"], ["2026-11-21T23:59:59.999"]],
    ["afterDate", ["yesterday"], ["2026-11-21T23:59:59.999"]],
    ["beforeDate", ["2026-01-05"], ["2026-01-05T00:00:00.000"]],
    ["beforeOrOnDate", ["2026-01-05"], ["2026-01-05T23:59:59.999"]],
    ["afterDate", ["2026-01-05"], ["2026-01-05T23:59:59.999"]],
    ["afterDate", ["2026-01-05T10:30:00.000"], ["2026-01-05T10:30:00.000"]],
    ["beforeOrOnDate", ["2026-01-05T10:30:00.000"], ["2026-01-05T10:30:00.000"]],
  ])("%s %j", (operator, values, dates) => expect(readFilterDates(operator, values, inUtc)).toEqual(dates));

  it("are refused where a range is mixed of words, or there are too many, or none", () => {
    const refuse = (operator: "inDateRange" | "afterDate" | "onTheDate", values: (string | null)[], words: string) =>
      expect(() => readFilterDates(operator, values, inUtc)).toThrow(words);
    refuse("inDateRange", ["last week", "this week"], "Relative-date strings are only supported");
    refuse("onTheDate", ["last week", "2024-01-31"], "Relative-date strings are only supported");
    refuse("inDateRange", ["2024-01-01", "2024-01-02", "2024-01-03"], "takes one date or two");
    refuse("inDateRange", ["2024-01-01", null], "takes one date or two");
    refuse("afterDate", ["2024-01-01", "2024-01-02"], "takes one date");
    refuse("afterDate", ["definitely not a date"], "Can't parse date: 'definitely not a date'");
  });
});
