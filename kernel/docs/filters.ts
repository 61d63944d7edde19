// A filter takes values of the shape that its type and its operator say, and acts on the datasets that take it.

import type { FilterOperator } from "../access/access.ts";
import { FILTER_GRAMMAR } from "../access/filter-grammar.ts";
import { isObject } from "../text/is-object.ts";
import type { Filter } from "./dashboard.ts";

/** `flag`: it is set or not; `range`: days from one to another; `many`: one value or several. */
export type FilterShape = "flag" | "range" | "day" | "one" | "many";

type Meaning = Pick<Filter, "type" | "operator">;

export function shapeOf({ type, operator = "equals" }: Meaning): FilterShape {
  const { takes } = FILTER_GRAMMAR[operator];
  if (takes === "nothing") return "flag";
  if (type === "dateRange" || (takes === "dates" && operator !== "onTheDate")) return "range";
  if (type === "date" || takes === "date" || takes === "dates") return "day";
  return takes === "value" || (type !== undefined && type !== "multiSelect") ? "one" : "many";
}

/** The operator by which it compares: of days one of dates. */
export function operatorOf({ type, operator = "equals" }: Meaning): FilterOperator {
  const operation = FILTER_GRAMMAR[operator];
  const isNegated = operator.startsWith("not");
  const shape = shapeOf({ type, operator });
  if (shape === "range") return isNegated ? "notInDateRange" : "inDateRange";
  if (shape !== "day" || operation.takes === "date" || operation.takes === "dates") return operator;
  if (operation.takes === "value") return OF_DAYS[operation.order];
  return isNegated ? "notInDateRange" : "onTheDate";
}

const OF_DAYS = { ">": "afterDate", ">=": "afterOrOnDate", "<": "beforeDate", "<=": "beforeOrOnDate" } as const;

/** Whether its operator means nothing for days, and another stands for it. */
export function isReplaced({ type, operator = "equals" }: Meaning): boolean {
  const operation = FILTER_GRAMMAR[operator];
  const shape = shapeOf({ type, operator });
  if ((shape !== "range" && shape !== "day") || operatorOf({ type, operator }) === operator) return false;
  if (operation.takes === "values") return operation.test !== "equality";
  return shape === "range" || operation.takes !== "value";
}

/** `filters`: those whose values its parameters have; `isOnOwnLake`: whether it reads the team's own lake. */
export type FilterTaker = { engine: "sql" | "cube" | "python"; filters: readonly string[]; isOnOwnLake: boolean };

export const takerOf = ({ engine, parameters, integrationId }: DatasetOfDoc): FilterTaker => ({
  engine,
  filters: Object.values(engine === "sql" && isObject(parameters) ? parameters : {}).flatMap((parameter) =>
    isObject(parameter) && typeof parameter["filter"] === "string" ? [parameter["filter"]] : [],
  ),
  isOnOwnLake: integrationId === undefined,
});
type DatasetOfDoc = { engine: FilterTaker["engine"]; parameters?: unknown; integrationId?: unknown };

/** A dataset takes a filter in one of these ways. */
export type FilterWay = "parameters" | "dimension" | "field";

/**
 * SQL takes it by its own parameters; else it is a condition on the rows of SQL on the team's lake, or one more of a
 * semantic query. Without `target.datasets` that is of all datasets that tiles draw.
 */
export function wayOf(
  { id, target }: Pick<Filter, "id" | "target">,
  { engine, filters, isOnOwnLake }: FilterTaker,
  { key, drawn }: { key: string; drawn: readonly string[] },
): FilterWay | undefined {
  if (filters.includes(id)) return "parameters";
  if (!(target.datasets ?? drawn).includes(key)) return undefined;
  if (engine === "cube" && target.dimension !== undefined) return "dimension";
  return engine === "sql" && isOnOwnLake && target.field !== undefined ? "field" : undefined;
}
