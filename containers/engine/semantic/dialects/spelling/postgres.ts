// PostgreSQL's SQL, from version 12 on.

import { startOfMonth, unitOf, type Period, type Unit } from "../time/period.ts";
import { localText } from "../time/local-time.ts";
import { quoted, stacked, type ListSpelling, type NumberForm, type Spelling } from "./spelling.ts";

const NUMBER_TYPES: Readonly<Record<NumberForm["kind"], string>> = {
  integer: "bigint",
  decimal: "numeric",
  double: "float8",
};
const ROW_END = ",";
const CELL_END = "|";

const text = (literal: string): string => quoted(literal, "'");
const timeLiteral = (local: number): string => `TIMESTAMP '${localText(local)}'`;
const milliseconds = (ms: number): string => `INTERVAL '${ms} milliseconds'`;
/** This expression alone distinguishes a date from a time and is open to callers whom roles bind. */
const isDate = (time: string): string => `${time}::text NOT LIKE '%:%'`;
const truncated = (time: string, unit: Unit): string => `date_trunc('${unit}', ${time})`;

function startOfPeriod(time: string, period: Period): string {
  const unit = unitOf(period);
  if (unit) return truncated(time, unit);
  if (period.kind === "seconds") {
    const { seconds } = period;
    const origin = timeLiteral(period.origin);
    const steps = `floor(extract(epoch FROM ${time} - ${origin}) / ${seconds})`;
    return `(${origin} + make_interval(secs => (${seconds} * ${steps})::float8))`;
  }
  const { months, origin, shiftMs } = period;
  const shifted = `(${time} - ${milliseconds(shiftMs)})`;
  const month = `(12 * extract(year FROM ${shifted}) + extract(month FROM ${shifted}) - 1 - ${origin})`;
  const steps = `(${months} * floor(${month} / ${months}))::int`;
  return `(${timeLiteral(startOfMonth(origin))} + make_interval(months => ${steps}) + ${milliseconds(shiftMs)})`;
}

/** A name that no table of the facts has. */
const factName = (i: number): string => `"fjord fact ${i}"`;
const PATTERN_SIGNS = /[\\%_]/g;

/** Texts take the value's type, as one by one. */
const listOf =
  (type: "" | "::bigint[]"): ListSpelling =>
  (value, listed, bind, not) => {
    const list = bind(`{${listed.map((each) => `"${each.replace(/["\\]/g, "\\$&")}"`).join(",")}}`);
    return `${value} ${not ? "<> ALL" : "= ANY"} (${list}${type})`;
  };

export const POSTGRES: Spelling = {
  name: (name) => quoted(name, '"'),
  placeholder: (index) => `$${index + 1}`,
  isDate,
  truncated,
  startOfPeriod,
  shown: (time, zone) =>
    zone.isUtc
      ? `${time}::timestamp`
      : `CASE WHEN ${isDate(time)} THEN ${time}::timestamp ` +
        `ELSE timezone(${text(zone.name)}, ${time}::timestamptz) END`,
  boundTime: (parameter) => `${parameter}::timestamp`,
  boundNumber: (parameter, { kind }) => `${parameter}::${NUMBER_TYPES[kind]}`,
  // The text takes the value's type, whose own form of it the text may be.
  isText: (value, parameters, not) => `${value} ${not ? "NOT IN" : "IN"} (${parameters.join(", ")})`,
  lists: { integer: listOf("::bigint[]"), text: listOf("") },
  holdsText: (value, parameter) => `${value}::text ILIKE ${parameter}`,
  heldText: (held, place) => {
    const escaped = held.replace(PATTERN_SIGNS, "\\$&");
    return `${place === "start" ? "" : "%"}${escaped}${place === "end" ? "" : "%"}`;
  },
  keyText: (values) => values.map((value) => `length(${value}::text) || ':' || ${value}::text`).join(" || "),
  concat: (texts) => texts.join(" || "),
  // Approximate counts need an extension. The exact number replaces them.
  countDistinctApprox: (value) => `count(DISTINCT ${value})`,
  orderBy: ({ position }, descending) => `${position} ${descending ? "DESC" : "ASC"} NULLS LAST`,
  ordersAggregates: true,
  limit: (limit, offset) => `${limit === undefined ? "" : ` LIMIT ${limit}`}${offset === 0 ? "" : ` OFFSET ${offset}`}`,
  times(columns, rows, name) {
    const cells = columns.map((column, i) => `split_part(line, '${CELL_END}', ${i + 1})::timestamp AS ${column}`);
    const lines = text(rows.map((row) => row.join(CELL_END)).join(ROW_END));
    return `(SELECT ${cells.join(", ")} FROM unnest(string_to_array(${lines}, '${ROW_END}')) AS lines (line)) AS ${name}`;
  },
  // The NULLs in place of another part's columns must have its types: a join with its rows, none of which is met.
  beside(dimensions, parts, name) {
    const others = (part: number) => parts.map((_, i) => i).filter((i) => i !== part);
    const ofPart = (columns: readonly string[], part: number) =>
      columns.map((column) => `${factName(part)}.${column} AS ${column}`);
    const widened = parts.map((part, i) => {
      const cells = [
        ...ofPart(dimensions, i),
        ...ofPart(part.columns, i),
        ...others(i).flatMap((j) => ofPart(parts[j]!.columns, j)),
      ];
      return `(SELECT ${cells.join(", ")} FROM ${factName(i)} ${others(i)
        .map((j) => `LEFT JOIN ${factName(j)} ON FALSE`)
        .join(" ")}) AS w_${i}`;
    });
    const grouped = stacked(dimensions, parts, {
      nullOf: (column) => column,
      from: (i) => widened[i]!,
      pick: (column, i) => `(array_agg(${column}) FILTER (WHERE part = ${i}))[1]`,
    });
    return `(WITH ${parts.map(({ sql }, i) => `${factName(i)} AS (${sql})`).join(",\n")}\n${grouped}) AS ${name}`;
  },
};
