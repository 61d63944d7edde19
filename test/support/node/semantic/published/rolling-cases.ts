// Published cases of rolling windows. Expected rows are those of the snapshot postgres-full.test.ts.snap.

import type { ProofRow } from "../proof-servers.ts";
import { byMonth, instant, ordered, type PublishedCase, type PublishedQuery, unordered } from "./rows.ts";

const YEAR: [string, string] = ["2020-01-01", "2020-12-31"];
const BIG_DATE = "BigECommerce.orderDate";

const rollingByMonth = (name: string, measure: string, values: (number | null)[]): PublishedCase =>
  ordered(
    `querying BigECommerce: ${name}`,
    {
      measures: [`BigECommerce.${measure}`],
      timeDimensions: [{ dimension: BIG_DATE, granularity: "month", dateRange: YEAR }],
      order: [[BIG_DATE, "asc"]],
    },
    byMonth(`BigECommerce.${measure}`, values),
  );

const TWO_WEEKS = [1, 1, 1, null, 2, 3, null, null, 3, 3, 2, 2];
const TWO_DAYS = [null, null, null, null, null, null, null, null, null, 1, null, null];
const TO_DATE = [2, 3, 5, 6, 11, 18, 18, 18, 24, 28, 37, 44];

/** The year to date on each day up to 2020-03-01, with the month and the week that the day is in. */
function toDateByDay(): ProofRow[] {
  const start = Date.UTC(2020, 0);
  return Array.from({ length: 61 }, (_, at) => {
    const day = new Date(start + at * 86_400_000);
    const monday = new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000);
    const shown = (date: Date): string => date.toISOString().slice(0, -1);
    return {
      [BIG_DATE]: shown(day),
      [`${BIG_DATE}.day`]: shown(day),
      [`${BIG_DATE}.week`]: shown(monday),
      [`${BIG_DATE}.month`]: instant(`${day.toISOString().slice(0, 7)}-01`),
      "BigECommerce.rollingCountYTD": at < 22 ? 1 : at < 46 ? 2 : 3,
    };
  });
}

const toDate = (granularities: (string | undefined)[], dateRange?: [string, string]): PublishedQuery => ({
  measures: ["BigECommerce.rollingCountYTD"],
  timeDimensions: granularities.map((granularity) => ({
    dimension: BIG_DATE,
    ...(granularity && { granularity }),
    ...(dateRange && { dateRange }),
  })),
  ...(granularities[0] && { order: [[BIG_DATE, "asc"]] as [string, "asc"][] }),
});
const TO_MARCH: [string, string] = ["2020-01-01", "2020-03-01"];

/** Published as NULL where nothing is counted, as a union of no sketches is; a count of nothing is none. */
const noneAsZero = (values: readonly (number | null)[]): number[] => values.map((value) => value ?? 0);

export const ROLLING_CASES: readonly PublishedCase[] = [
  rollingByMonth(
    "time series in rolling window",
    "customersCountPrev1Month",
    // biome-ignore format: a value for each month
    [null, 2, 1, 2, 1, 5, 7, null, null, 6, 4, 9],
  ),
  rollingByMonth("rolling window by 2 day", "rollingCountBy2Day", TWO_DAYS),
  rollingByMonth("rolling window by 2 week", "rollingCountBy2Week", TWO_WEEKS),
  rollingByMonth("rolling window by 2 month", "rollingCountBy2Month", [2, 3, 3, 3, 6, 12, 7, null, 6, 10, 13, 16]),
  rollingByMonth("rolling count_distinct_approx window by 2 day", "rollingCountApproxBy2Day", noneAsZero(TWO_DAYS)),
  rollingByMonth(
    "rolling count_distinct_approx window by 2 week",
    "rollingCountApproxBy2Week",
    noneAsZero(TWO_WEEKS.with(9, 2)),
  ),
  rollingByMonth(
    "rolling count_distinct_approx window by 2 month",
    "rollingCountApproxBy2Month",
    // biome-ignore format: a value for each month
    [2, 3, 3, 3, 6, 12, 7, 0, 6, 9, 11, 15],
  ),
  rollingByMonth("rolling window YTD (month)", "rollingCountYTD", TO_DATE),
  unordered("querying BigECommerce: rolling window YTD without granularity", toDate([undefined], TO_MARCH), [
    { "BigECommerce.rollingCountYTD": 3 },
  ]),
  ordered(
    "querying BigECommerce: rolling window YTD (month + week + day)",
    toDate(["month", "week", "day"], TO_MARCH),
    toDateByDay(),
  ),
  ordered(
    "querying BigECommerce: rolling window YTD (month + week + day + no gran)",
    toDate(["month", "week", "day", undefined], TO_MARCH),
    toDateByDay(),
  ),
  unordered(
    "pre-aggregations Customers: running total without time dimension",
    { measures: ["Customers.runningTotal"] },
    [{ "Customers.runningTotal": 41 }],
  ),
];

/** Published with rows that name a week for what is counted to the end of its month. */
export const OVERLAPPING_CASES: readonly { name: string; query: PublishedQuery }[] = [
  { name: "querying BigECommerce: rolling window YTD (month + week)", query: toDate(["month", "week"], YEAR) },
  {
    name: "querying BigECommerce: rolling window YTD (month + week + no gran)",
    query: toDate(["month", "week", undefined], YEAR),
  },
];
