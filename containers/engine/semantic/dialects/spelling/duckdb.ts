// DuckDB's SQL.

import type { TextPlace } from "../../../../../kernel/access/filter-grammar.ts";
import { startOfMonth, unitOf, type Period, type Unit } from "../time/period.ts";
import { localText } from "../time/local-time.ts";
import { quoted, stacked, type ListKind, type ListSpelling, type NumberForm, type Spelling } from "./spelling.ts";

const HOLDS: Readonly<Record<TextPlace, string>> = { anywhere: "contains", start: "starts_with", end: "ends_with" };
const ROW_END = ",";
const CELL_END = "|";

const isDate = (time: string): string => `typeof(${time}) = 'DATE'`;
const timeLiteral = (local: number): string => `TIMESTAMP '${localText(local)}'`;
const text = (literal: string): string => quoted(literal, "'");
const asText = (value: string): string => `CAST(${value} AS VARCHAR)`;
const milliseconds = (ms: number): string => `INTERVAL '${ms} milliseconds'`;
const truncated = (time: string, unit: Unit): string => `date_trunc('${unit}', ${time})`;

function startOfPeriod(time: string, period: Period): string {
  const unit = unitOf(period);
  if (unit) return truncated(time, unit);
  if (period.kind === "seconds")
    return `time_bucket(INTERVAL '${period.seconds} seconds', ${time}, ${timeLiteral(period.origin)})`;
  const { months, origin, shiftMs } = period;
  const shifted = `(${time} - ${milliseconds(shiftMs)})`;
  const month = `(12 * year(${shifted}) + month(${shifted}) - 1 - ${origin})`;
  const start = timeLiteral(startOfMonth(origin));
  return `(${start} + to_months(CAST(${months} * floor(${month} / ${months}) AS INTEGER)) + ${milliseconds(shiftMs)})`;
}

function boundNumber(parameter: string, form: NumberForm): string {
  if (form.kind === "decimal") return `CAST(${parameter} AS DECIMAL(${form.precision}, ${form.scale}))`;
  return `CAST(${parameter} AS ${form.kind === "integer" ? "BIGINT" : "DOUBLE"})`;
}

const LIST_TYPES: Readonly<Record<ListKind, string>> = { integer: "BIGINT", text: "VARCHAR" };

/**
 * DuckDB's planner takes longer with each expression: of thousands of values it is a matter of seconds. By the least
 * and the greatest files and row groups are left out.
 */
const listOf =
  (kind: ListKind): ListSpelling =>
  (value, listed, bind, not) => {
    const type = LIST_TYPES[kind];
    const compared = kind === "text" ? asText(value) : value;
    const list = bind(kind === "integer" ? `[${listed.join(",")}]` : JSON.stringify(listed));
    const isListed = `${compared} ${not ? "NOT IN" : "IN"} (SELECT unnest(from_json(${list}, '["${type}"]')))`;
    const end = (each: string) => `CAST(${bind(each)} AS ${type})`;
    return not
      ? isListed
      : `${compared} >= ${end(listed[0]!)} AND ${compared} <= ${end(listed.at(-1)!)} AND ${isListed}`;
  };

export const DUCKDB: Spelling = {
  name: (name) => quoted(name, '"'),
  placeholder: () => "?",
  isDate,
  truncated,
  startOfPeriod,
  // The value to compare with is known before any row is read, so that the type decides once.
  shown: (time, zone) =>
    zone.isUtc
      ? `CAST(${time} AS TIMESTAMP)`
      : `CASE WHEN ${isDate(time)} THEN CAST(${time} AS TIMESTAMP) ` +
        `ELSE timezone(${text(zone.name)}, CAST(${time} AS TIMESTAMPTZ)) END`,
  boundTime: (parameter) => `CAST(${parameter} AS TIMESTAMP)`,
  boundNumber,
  isText: (value, parameters, not) => `${asText(value)} ${not ? "NOT IN" : "IN"} (${parameters.join(", ")})`,
  lists: { integer: listOf("integer"), text: listOf("text") },
  holdsText: (value, parameter, place) => `${HOLDS[place]}(lower(${asText(value)}), lower(${parameter}))`,
  heldText: (held) => held,
  keyText: (values) => values.map((value) => `length(${asText(value)}) || ':' || ${asText(value)}`).join(" || "),
  concat: (texts) => texts.join(" || "),
  countDistinctApprox: (value) => `approx_count_distinct(${value})`,
  orderBy: ({ position }, descending) => `${position} ${descending ? "DESC" : "ASC"} NULLS LAST`,
  ordersAggregates: true,
  limit: (limit, offset) => `${limit === undefined ? "" : ` LIMIT ${limit}`}${offset === 0 ? "" : ` OFFSET ${offset}`}`,
  times(columns, rows, name) {
    const cells = columns.map(
      (column, i) => `CAST(split_part(line, '${CELL_END}', ${i + 1}) AS TIMESTAMP) AS ${column}`,
    );
    const lines = text(rows.map((row) => row.join(CELL_END)).join(ROW_END));
    return `(SELECT ${cells.join(", ")} FROM (SELECT unnest(string_split(${lines}, '${ROW_END}')) AS line) AS lines) AS ${name}`;
  },
  beside: (dimensions, parts, name) =>
    `(${stacked(dimensions, parts, {
      nullOf: () => "NULL",
      from: (i) => `(${parts[i]!.sql}) AS q_${i}`,
      pick: (column, i) => `any_value(${column}) FILTER (WHERE part = ${i})`,
    })}) AS ${name}`,
};
