// The conditions of filters around a statement on the lake. Values are bound, and never become part of the text. Pure.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { readFilter, type FilterReader } from "../../../../kernel/access/filter-grammar.ts";
import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { readParameter } from "../../../core/parameters.ts";
import { conditionOf, type FilterValue } from "./filter-value.ts";

/** A value that is bound beside the statement's own. */
export type AddedParameter = { type: BoundParameter["type"]; list: boolean; value: string | readonly string[] };

export type Conditioned = { sql: string; added: Record<string, AddedParameter> };

type Bind = (type: BoundParameter["type"], value: string | readonly string[]) => string;

/** `taken`: the names of the statement's own parameters. */
export function conditionedSql(
  sql: string,
  set: readonly (readonly [Filter, FilterValue])[],
  taken: ReadonlySet<string>,
): Conditioned {
  if (set.length === 0) return { sql, added: {} };
  const added: Record<string, AddedParameter> = {};
  let count = 0;
  const bind: Bind = (type, value) => {
    do count++;
    while (taken.has(`fjord_filter_${count}`));
    const name = `fjord_filter_${count}`;
    added[name] = { type, list: typeof value !== "string", value };
    return `$${name}`;
  };
  const conditions = set.map(([filter, value]) => {
    const { operator, values } = conditionOf(filter, value);
    return readFilter(operator, values, readerOf(filter, bind));
  });
  return {
    sql: `SELECT * FROM (\n${withoutSemicolon(sql)}\n) AS dataset\nWHERE ${conditions.join("\n  AND ")}`,
    added,
  };
}

/**
 * A statement without the semicolon at its end, which comments of a line may follow. What could stand in quotes or in a
 * comment of several lines ends by one of the signs that no such comment has here.
 */
export function withoutSemicolon(sql: string): string {
  const at = sql.lastIndexOf(";");
  const isEnd = sql
    .slice(at + 1)
    .split("\n")
    .every((line) => /^\s*(--[^'"$*]*)?$/.test(line));
  return at >= 0 && isEnd ? sql.slice(0, at) + sql.slice(at + 1) : sql;
}

const HOLDS = { anywhere: "contains", start: "starts_with", end: "ends_with" } as const;

/**
 * The type of a column is not known: its text is what equals, unless the filter is of numbers. A row whose value is
 * none of the filter's type is left out: an error would quote it to readers from whom the filter hides it.
 */
function readerOf({ target, type }: Filter, bind: Bind): FilterReader<string, string> {
  const column = quoteIdentifier(target.field!);
  const text = `CAST(${column} AS VARCHAR)`;
  const isNumber = type === "number";
  const isOneOf = (values: readonly string[]) =>
    isNumber ? `TRY(${column} IN (${bind(numberType(values), values)}))` : `${text} IN (${bind("text", values)})`;
  return {
    both: (tests) => `(${tests.join(" AND ")})`,
    either: (tests) => `(${tests.join(" OR ")})`,
    not: (test) => `NOT ${test}`,
    isNull: () => `${column} IS NULL`,
    isNotNull: () => `${column} IS NOT NULL`,
    equalTo: (value) => value,
    partOf: (value) => value,
    timeOf: (day) => day,
    isOneOf,
    isNoneOf: (values) => `NOT ${isOneOf(values)}`,
    holdsText: (part, place) => `${HOLDS[place]}(lower(${text}), lower(${bind("text", part)}))`,
    compares: (order, value) =>
      isNumber
        ? `TRY(${column} ${order} ${bind(numberType([value]), value)})`
        : `${column} ${order} ${bind("inferred", value)}`,
    comparesDate: (order, day) => {
      const time = order === "<" || order === ">=" ? "00:00:00" : "23:59:59.999999";
      return `TRY_CAST(${column} AS TIMESTAMP) ${order} ${bind("timestamp", `${day} ${time}`)}`;
    },
    refuse: () => {
      throw new Error("The values of a filter were not checked");
    },
  };
}

/** Decimals keep all digits; what is none of them is a double. */
const numberType = (values: readonly string[]): "decimal" | "number" =>
  "parameter" in readParameter({ type: "decimal", value: values }) ? "decimal" : "number";
