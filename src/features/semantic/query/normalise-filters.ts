// The filters of a query with their dates resolved, each group of one kind: rows or groups of rows.

import type { SemanticFilter } from "../../../../kernel/semantic/query.ts";
import { isDateOperator, readFilterDates } from "./dates/date-range.ts";
import type { LocalNow } from "./dates/local-time.ts";
import type { QueryFlaws } from "./flaws.ts";
import type { MetaMembers } from "./meta-members.ts";
import type { SentCondition, SentFilter, SentGroup } from "./read-filters.ts";
import type { SentQuery } from "./read-query.ts";

export function normaliseFilters(
  { filters, ungrouped }: Pick<SentQuery, "filters" | "ungrouped">,
  members: MetaMembers,
  now: LocalNow,
  flaws: QueryFlaws,
): SemanticFilter[] {
  const isMeasure = ({ member }: SentCondition): boolean => members.find("measures", member) !== undefined;

  const normaliseOne = (filter: SentFilter): SemanticFilter[] =>
    "kind" in filter ? normaliseGroup(filter) : normaliseCondition(filter);

  const normaliseCondition = (condition: SentCondition): SemanticFilter[] => {
    const { member, operator, values, path } = condition;
    const measure = members.find("measures", member);
    const found = measure ?? members.find("dimensions", member);
    if (!found) flaws.add(path, members.whyMissing(["dimensions", "measures"], member));
    if (found && operator === "measureFilter" && !measure)
      flaws.add(path, `measureFilter takes a measure: '${member}' is a dimension`);
    if (measure && ungrouped && operator !== "measureFilter")
      flaws.add(path, "Measure filters aren't allowed in ungrouped query");
    if (!isDateOperator(operator)) return [{ member, operator, values }];
    if (!measure && found && found.type !== "time")
      flaws.add(path, `'${operator}' compares times: '${member}' is a dimension of type ${found.type}`);
    const dates = flaws.readDates([...path, "values"], () => readFilterDates(operator, values, now));
    return dates ? [{ member, operator, values: dates }] : [];
  };

  /** One without a condition in it asks for nothing, whichever its kind. */
  const normaliseGroup = (group: SentGroup): SemanticFilter[] => {
    const conditions = conditionsIn(group);
    if (conditions.some(isMeasure) && !conditions.every(isMeasure))
      flaws.add(group.path, `You cannot use dimension and measure in same condition: ${describe(group)}`);
    if (conditions.some(({ operator }) => operator === "measureFilter"))
      flaws.add(group.path, "measureFilter can't be in a group of filters");
    const inner = group.filters.flatMap(normaliseOne);
    if (inner.length === 0) return [];
    return [group.kind === "and" ? { and: inner } : { or: inner }];
  };

  return filters.flatMap(normaliseOne);
}

const conditionsIn = (filter: SentFilter): SentCondition[] =>
  "kind" in filter ? filter.filters.flatMap(conditionsIn) : [filter];

const SHOWN_MAX = 300;

const describe = (group: SentGroup): string => JSON.stringify(plain(group)).slice(0, SHOWN_MAX);

const plain = (filter: SentFilter): unknown =>
  "kind" in filter
    ? { [filter.kind]: filter.filters.map(plain) }
    : { member: filter.member, operator: filter.operator, values: filter.values };
