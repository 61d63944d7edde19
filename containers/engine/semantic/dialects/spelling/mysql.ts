// The SQL of MySQL and MariaDB. A server knows zones by name only where somebody has loaded them, so the changes of
// their clocks are part of the statement.

import type { TextPlace } from "../../../../../kernel/access/filter-grammar.ts";
import { startOfMonth, unitOf, type Period, type Unit } from "../time/period.ts";
import { localText } from "../time/local-time.ts";
import { quoted, stacked, type ListSpelling, type NumberForm, type Spelling } from "./spelling.ts";
import type { ClockChange } from "../time/zone.ts";

const LIMIT_NONE = "18446744073709551615";
/** Seconds from year 0 to 1970, as TO_SECONDS counts. */
const SECONDS_BEFORE_1970 = 62_167_219_200;
const SECOND_MS = 1_000;
const MILLISECOND_US = 1_000;

const spaced = (local: number): string => localText(local).replace("T", " ");
const timeLiteral = (local: number): string => `TIMESTAMP '${spaced(local)}'`;
const isDate = (time: string): string => `CONCAT(${time}, '') NOT LIKE '%:%'`;

const TRUNCATED: Readonly<Record<Unit, (time: string) => string>> = {
  year: (time) => `TIMESTAMP(MAKEDATE(YEAR(${time}), 1))`,
  quarter: (time) => `TIMESTAMPADD(MONTH, 3 * QUARTER(${time}) - 3, TIMESTAMP(MAKEDATE(YEAR(${time}), 1)))`,
  month: (time) => `TIMESTAMP(SUBDATE(DATE(${time}), DAYOFMONTH(${time}) - 1))`,
  week: (time) => `TIMESTAMP(SUBDATE(DATE(${time}), WEEKDAY(${time})))`,
  day: (time) => `TIMESTAMP(DATE(${time}))`,
  hour: (time) => `TIMESTAMP(DATE_FORMAT(${time}, '%Y-%m-%d %H:00:00'))`,
  minute: (time) => `TIMESTAMP(DATE_FORMAT(${time}, '%Y-%m-%d %H:%i:00'))`,
  second: (time) => `TIMESTAMP(DATE_FORMAT(${time}, '%Y-%m-%d %H:%i:%s'))`,
};

function startOfPeriod(time: string, period: Period): string {
  const unit = unitOf(period);
  if (unit) return TRUNCATED[unit](time);
  if (period.kind === "seconds") {
    const { seconds, origin } = period;
    const passed = `(TO_SECONDS(${time}) - ${Math.floor(origin / SECOND_MS) + SECONDS_BEFORE_1970})`;
    return `TIMESTAMPADD(SECOND, ${seconds} * FLOOR(${passed} / ${seconds}), ${timeLiteral(origin)})`;
  }
  const { months, origin, shiftMs } = period;
  const shiftedBy = (ms: number, shifted: string) =>
    shiftMs === 0 ? shifted : `TIMESTAMPADD(MICROSECOND, ${MILLISECOND_US * ms}, ${shifted})`;
  const shifted = shiftedBy(-shiftMs, time);
  const month = `(12 * YEAR(${shifted}) + MONTH(${shifted}) - 1 - ${origin})`;
  const start = timeLiteral(startOfMonth(origin));
  return shiftedBy(shiftMs, `TIMESTAMPADD(MONTH, ${months} * FLOOR(${month} / ${months}), ${start})`);
}

/** The offset is found by where the time lies among those of the changes. */
function moved(time: string, changes: readonly ClockChange[]): string {
  const offsets = changes.map(({ offsetMs }) => offsetMs / SECOND_MS);
  if (offsets.length === 1) return `TIMESTAMPADD(SECOND, ${offsets[0]!}, ${time})`;
  const ends = changes.slice(1).map(({ at }) => at / SECOND_MS + SECONDS_BEFORE_1970);
  const offset = `ELT(INTERVAL(TO_SECONDS(${time}), 0, ${ends.join(", ")}), ${offsets.join(", ")})`;
  return `TIMESTAMPADD(SECOND, ${offset}, ${time})`;
}

function boundNumber(parameter: string, form: NumberForm): string {
  if (form.kind === "double") return `(${parameter} + 0e0)`;
  const type = form.kind === "integer" ? "SIGNED" : `DECIMAL(${form.precision}, ${form.scale})`;
  return `CAST(${parameter} AS ${type})`;
}

/**
 * The server has no list to bind. A statement that binds each integer takes three times as long as one that holds their
 * digits, by which the server plans as it does for typed SQL.
 */
const isListedInteger: ListSpelling = (value, listed, _bind, not) =>
  `${value} ${not ? "NOT IN" : "IN"} (${listed.join(", ")})`;

/** A number that is compared with a text would make the text a number, however little of it is one. */
const asText = (value: string): string => `CONCAT(${value}, '')`;
/** Letters become small by one rule on both sides, and are then compared as they are. */
const smallLetters = (value: string): string =>
  `LOWER(CONVERT(${value} USING utf8mb4) COLLATE utf8mb4_unicode_ci) COLLATE utf8mb4_bin`;

export const MYSQL: Spelling = {
  name: (name) => quoted(name, "`"),
  placeholder: () => "?",
  isDate,
  truncated: (time, unit) => TRUNCATED[unit](time),
  startOfPeriod,
  shown: (time, zone, changes) =>
    zone.isUtc ? `TIMESTAMP(${time})` : `IF(${isDate(time)}, TIMESTAMP(${time}), ${moved(time, changes())})`,
  boundTime: (parameter) => `CAST(${parameter} AS DATETIME(3))`,
  boundNumber,
  // Comparing the value itself can use an index.
  isText: (value, parameters, not) =>
    not
      ? `${asText(value)} NOT IN (${parameters.join(", ")})`
      : `${value} IN (${parameters.join(", ")}) AND ${asText(value)} IN (${parameters.join(", ")})`,
  lists: { integer: isListedInteger, text: undefined },
  holdsText: (value, parameter) => `${smallLetters(value)} LIKE ${smallLetters(parameter)} ESCAPE '|'`,
  heldText(held, place: TextPlace) {
    const escaped = held.replace(/[|%_]/g, "|$&");
    return `${place === "start" ? "" : "%"}${escaped}${place === "end" ? "" : "%"}`;
  },
  keyText: (values) => `CONCAT(${values.map((value) => `HEX(${asText(value)}), '-'`).join(", ")})`,
  concat: (texts) => `CONCAT(${texts.join(", ")})`,
  countDistinctApprox: (value) => `COUNT(DISTINCT ${value})`,
  // NULL is the least, so that it comes last by itself where the greatest is first.
  orderBy: ({ alias }, descending) => (descending ? `${alias} DESC` : `${alias} IS NULL, ${alias} ASC`),
  ordersAggregates: false,
  limit: (limit, offset) =>
    limit === undefined && offset === 0
      ? ""
      : ` LIMIT ${limit ?? LIMIT_NONE}${offset === 0 ? "" : ` OFFSET ${offset}`}`,
  times(columns, rows, name) {
    const cells = (row: readonly string[]) =>
      row.map((cell, i) => `TIMESTAMP '${cell.replace("T", " ")}' AS ${columns[i]!}`);
    return `(${rows.map((row) => `SELECT ${cells(row).join(", ")}`).join(" UNION ALL ")}) AS ${name}`;
  },
  beside: (dimensions, parts, name) =>
    `(${stacked(dimensions, parts, {
      nullOf: () => "NULL",
      from: (i) => `(${parts[i]!.sql}) AS q_${i}`,
      pick: (column, i) => `MAX(CASE WHEN part = ${i} THEN ${column} END)`,
    })}) AS ${name}`,
};
