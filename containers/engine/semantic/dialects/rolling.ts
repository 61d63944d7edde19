// Measures over a window that moves with the time that a query groups by. The windows are reckoned here, each with its
// ends, so that no database's arithmetic of months counts.

import type { BaseMeasure } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseMeasure.js";
import {
  addInterval,
  periodOfUnit,
  isUnit,
  nextStart,
  readInterval,
  startOfPeriod,
  UNITS,
  type Period,
  type Unit,
} from "./time/period.ts";
import { compareTime } from "./condition.ts";
import { localText } from "./time/local-time.ts";
import { compared, typeOf, type MemberTimeDimension } from "./members.ts";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";

const WINDOWS_MAX = 5_000;
const MILLISECOND = 1;
const BEGINNING = Date.UTC(1000, 0, 1);
const END = Date.UTC(9999, 11, 31);
const AGGREGATING = new Set(["count", "countDistinct", "countDistinctApprox", "sum", "avg", "min", "max"]);

type RollingWindow = { type?: string; trailing?: string; leading?: string; offset?: string; granularity?: string };
/** A window of local times: its first, and the first after it. */
type Window = { from: number; to: number };
/** The part of a filter that Cube's planner uses: its condition, and the members whose cubes are joined for it. */
type Filter = { filterToWhere(): string | null; getMembers(): unknown[] };

/** The SQL of a rolling measure. Throws in words for people where the window has no single meaning. */
export function rollingSql(query: Planned, measure: BaseMeasure, isMultiplied: boolean): string {
  const definition = measure.measureDefinition() as { rollingWindow: RollingWindow; type: string };
  if (!AGGREGATING.has(typeOf(definition)))
    throw new Refused(`${measure.measure} can't roll over time: it is made of other measures.`);
  const partSql = (filters: Filter[]): string => {
    const all = [...(query.segments as Filter[]), ...(query.filters as Filter[]), ...filters] as never[];
    return isMultiplied
      ? query.aggregateSubQuery(measure.cube().name, [measure], all)
      : query.regularMeasuresSubQuery([measure], all);
  };
  const times = query.timeDimensions as MemberTimeDimension[];
  if (times.length === 0) return partSql([]);
  if (new Set(times.map(({ dimension }) => dimension)).size > 1)
    throw new Refused(`${measure.measure} rolls over one time: the query has several.`);
  const range = rangeOf(times, measure);
  const grouped = times.filter(({ granularity }) => granularity);
  const windowOf = (start: number, last: number) => windowAt(definition.rollingWindow, start, last);
  if (grouped.length === 0) return partSql(withinAll(query, times[0]!, [windowOf(...range)]));

  const series = finest(grouped);
  const starts = startsOf(series.period!, range);
  checkNested(grouped, series, starts);
  const windows = starts.map((start) => windowOf(start, nextStart(series.period!, start) - MILLISECOND));
  const isUngrouped = measure.shouldUngroupForCumulative();
  const base = query.groupedUngroupedSelect(
    () => partSql(withinAll(query, series, windows)),
    isUngrouped,
    isUngrouped ? undefined : coarsestUnit(windows),
  );
  return seriesSql(query, { measure, series, starts, windows, base });
}

function seriesSql(
  query: Planned,
  parts: { measure: BaseMeasure; series: MemberTimeDimension; starts: number[]; windows: Window[]; base: string },
): string {
  const { measure, series, starts, windows, base } = parts;
  const rows = windows.map(({ from, to }, i) => [starts[i]!, from, to].map(localText));
  const times = query.spelling.times(["date_from", "window_from", "window_to"], rows, "series");
  const columns = [
    ...query.dimensions.map((each) => `base.${each.aliasName()}`),
    ...(query.timeDimensions as MemberTimeDimension[])
      .filter(({ granularity }) => granularity)
      .map((time) => {
        const isSeries = time.granularity === series.granularity;
        const start = isSeries ? "series.date_from" : query.spelling.startOfPeriod("series.date_from", time.period!);
        return `${start} AS ${time.aliasName()}`;
      }),
    ...measure.cumulativeSelectColumns(),
  ];
  const time = `base.${series.aliasName()}`;
  return (
    `SELECT ${columns.join(", ")} FROM ${times} LEFT JOIN (${base}) AS base ` +
    `ON ${time} >= series.window_from AND ${time} < series.window_to${query.groupByClause()}`
  );
}

function rangeOf(times: readonly MemberTimeDimension[], measure: BaseMeasure): [number, number] {
  const ranges = times.flatMap(({ localRange }) => (localRange ? [localRange] : []));
  const [first, ...more] = ranges;
  if (!first)
    throw new Refused(`${measure.measure} rolls over time: the query needs a dateRange of ${times[0]!.dimension}.`);
  if (more.some(([from, to]) => from !== first[0] || to !== first[1]))
    throw new Refused(`${measure.measure} rolls over one range of time: the query has several.`);
  return first;
}

function windowAt(
  { type, granularity, trailing, leading, offset = "end" }: RollingWindow,
  start: number,
  last: number,
): Window {
  const toDate =
    type === "to_date" ? granularity : type?.endsWith("_to_date") ? type.slice(0, -"_to_date".length) : undefined;
  if (type !== undefined && type !== "fixed" && toDate === undefined)
    throw new Refused(`There is no rolling window ${type}.`);
  if (toDate !== undefined) {
    if (!isUnit(toDate))
      throw new Refused(`A rolling window begins with one of ${UNITS.join(", ")}, not with ${toDate}.`);
    return { from: startOfPeriod(periodOfUnit(toDate), start), to: last + MILLISECOND };
  }
  // From a group's end, which is the next one's start: a month before the end of a month is the end of the one before.
  const anchor = offset === "start" ? start : last + MILLISECOND;
  return {
    from: trailing === "unbounded" ? BEGINNING : moved(anchor, trailing, -1),
    to: leading === "unbounded" ? END : moved(anchor, leading, 1),
  };
}

function moved(at: number, interval: string | undefined, sign: 1 | -1): number {
  const { months, seconds } = readInterval(interval ?? "0 seconds");
  return addInterval(at, { months: sign * months, seconds: sign * seconds });
}

/** The rows that any window holds. */
function withinAll(query: Planned, time: MemberTimeDimension, windows: readonly Window[]): Filter[] {
  const from = windows.reduce((least, each) => Math.min(least, each.from), Number.POSITIVE_INFINITY);
  const to = windows.reduce((most, each) => Math.max(most, each.to), Number.NEGATIVE_INFINITY);
  const filter = (operator: "<" | ">=", local: number): Filter => ({
    getMembers: () => time.getMembers(),
    filterToWhere: () =>
      compareTime(
        {
          ...compared(time, query.dimensionSql(time) as string, "time"),
          spelling: query.spelling,
          bind: (value) => query.paramAllocator.allocateParam(value),
        },
        operator,
        local,
      ),
  });
  return [...(from === BEGINNING ? [] : [filter(">=", from)]), ...(to === END ? [] : [filter("<", to)])];
}

function startsOf(period: Period, [from, to]: [number, number]): number[] {
  const starts: number[] = [];
  for (let start = startOfPeriod(period, from); start <= to; start = nextStart(period, start)) {
    if (starts.push(start) > WINDOWS_MAX)
      throw new Refused(
        `A rolling measure has at most ${WINDOWS_MAX} windows: ask for a shorter range or longer groups.`,
      );
  }
  return starts;
}

const stepOf = ({ period }: MemberTimeDimension): number =>
  nextStart(period!, startOfPeriod(period!, 0)) - startOfPeriod(period!, 0);

const finest = (times: readonly MemberTimeDimension[]): MemberTimeDimension =>
  times.toSorted((a, b) => stepOf(a) - stepOf(b))[0]!;

/** Each of the finest groups lies in one of each coarser, so that a window belongs to one. */
function checkNested(
  times: readonly MemberTimeDimension[],
  series: MemberTimeDimension,
  starts: readonly number[],
): void {
  for (const { period, granularity } of times) {
    const isNested = starts.every((start) => {
      const last = nextStart(series.period!, start) - MILLISECOND;
      return startOfPeriod(period!, start) === startOfPeriod(period!, last);
    });
    if (!isNested)
      throw new Refused(
        `A rolling measure can't be grouped by ${series.granularity} and by ${granularity}: they overlap.`,
      );
  }
}

/**
 * The coarsest unit at whose bounds all windows begin and end: rows are summed up by it before they are joined with
 * windows.
 */
function coarsestUnit(windows: readonly Window[]): Unit {
  const ends = windows.flatMap(({ from, to }) => [from, to]).filter((end) => end !== BEGINNING && end !== END);
  const unit = UNITS.find((each) => ends.every((end) => startOfPeriod(periodOfUnit(each), end) === end));
  if (!unit) throw new Refused("A rolling window begins and ends with a whole second.");
  return unit;
}
