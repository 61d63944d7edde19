// A dataset is asked for under the filters: SQL keeps its text and gets conditions around it, whose values are bound
// and never pasted; a cube query gets filters. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { isRange, type FilterValues } from "./filter-values.ts";

export type Dataset = {
  engine: "sql" | "cube" | "python";
  sql?: string;
  integration_id?: string;
  integrationId?: string;
} & Readonly<Record<string, unknown>>;

export type DatasetRequest = Readonly<Record<string, unknown>>;

const CUBE_MEMBERS = ["measures", "dimensions", "segments", "timeDimensions", "order", "limit", "timezone"] as const;

/** Undefined where a dataset is no query: what its code answered is with its runs. */
export function requestOf(
  key: string,
  dataset: Dataset,
  filters: readonly Filter[],
  values: FilterValues,
): DatasetRequest | undefined {
  const set = filters.filter(
    ({ id, target }) => values[id]!.length > 0 && (target.datasets === undefined || target.datasets.includes(key)),
  );
  const integration = dataset.integrationId ?? dataset.integration_id;
  const where = integration === undefined ? {} : { integration_id: integration };
  if (dataset.engine === "cube") {
    const own = dataset["filters"];
    const query = Object.fromEntries(CUBE_MEMBERS.filter((member) => member in dataset).map((m) => [m, dataset[m]]));
    const added = set.filter(({ target }) => target.dimension).map((filter) => cubeFilter(filter, values[filter.id]!));
    return { ...where, cube_query: { ...query, filters: [...(Array.isArray(own) ? own : []), ...added] } };
  }
  if (dataset.engine !== "sql" || dataset.sql === undefined) return undefined;
  const own = { ...(dataset["parameters"] as object | undefined) } as Record<string, unknown>;
  const [bound, around] = [set.filter(({ id }) => id in own), set.filter(({ id }) => !(id in own))];
  for (const { id } of bound) own[id] = bindingOf(own[id], values[id]!);
  const conditions = around
    .filter(({ target }) => target.field)
    .map((filter, at) => sqlCondition(filter, values[filter.id]!, `filter_${at}`));
  const parameters = Object.assign({}, own, ...conditions.map((condition) => condition.parameters)) as object;
  const sql =
    conditions.length === 0
      ? dataset.sql
      : `SELECT * FROM (\n${dataset.sql.replace(/;\s*$/, "")}\n) AS dataset\nWHERE ${conditions.map((c) => c.sql).join("\n  AND ")}`;
  return { ...where, sql, ...(Object.keys(parameters).length > 0 && { parameters }) };
}

/** A parameter of the filter's own name takes its value, and keeps the type that it was declared with. */
function bindingOf(declared: unknown, values: readonly string[]): unknown {
  const isTyped = typeof declared === "object" && declared !== null && "type" in declared;
  const isList = Array.isArray(isTyped ? (declared as { value?: unknown }).value : declared);
  const value = isList ? values : values[0];
  return isTyped ? { ...declared, value } : value;
}

const cubeFilter = (filter: Filter, values: readonly string[]) => ({
  member: filter.target.dimension,
  operator: isRange(filter) ? "inDateRange" : (filter.operator ?? "equals"),
  values,
});

type Condition = { sql: string; parameters: Record<string, string> };

const COMPARISONS: Readonly<Record<string, string>> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

function sqlCondition(filter: Filter, values: readonly string[], name: string): Condition {
  const column = `"${filter.target.field!.replaceAll('"', '""')}"`;
  const parameters = Object.fromEntries(values.map((value, at) => [`${name}_${at}`, value]));
  const bound = Object.keys(parameters).map((key) => `$${key}`);
  const operator = filter.operator ?? "equals";
  if (isRange(filter))
    return {
      sql: `CAST(${column} AS DATE) BETWEEN CAST(${bound[0]} AS DATE) AND CAST(${bound[1] ?? bound[0]} AS DATE)`,
      parameters,
    };
  if (operator in COMPARISONS || filter.type === "number")
    return { sql: `${column} ${COMPARISONS[operator] ?? "="} CAST(${bound[0]} AS DOUBLE)`, parameters };
  if (filter.type === "date") return { sql: `CAST(${column} AS DATE) = CAST(${bound[0]} AS DATE)`, parameters };
  const text = `CAST(${column} AS VARCHAR)`;
  const isNegated = operator.startsWith("not");
  const one = /contains/i.test(operator)
    ? (value: string) => `contains(lower(${text}), lower(${value}))`
    : (value: string) => `${text} = ${value}`;
  const holds = `(${bound.map(one).join(" OR ")})`;
  return { sql: isNegated ? `NOT coalesce(${holds}, false)` : holds, parameters };
}
