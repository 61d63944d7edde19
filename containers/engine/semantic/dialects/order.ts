// A semantic query's rows are ordered by these of its columns.

import { nextStart } from "./time/period.ts";
import type { MemberTimeDimension } from "./members.ts";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";

type OrderColumn = { position: number; alias: string; descending: boolean };

/**
 * Orders by the query's own order. Rows that it leaves equal are ordered by the dimensions, so that pages by limit and
 * offset hold each row once. Throws for a member that is not among the columns.
 */
export function orderColumns(query: Planned): OrderColumn[] {
  // Cube's own queries of dimensions have an empty object.
  const order = (Array.isArray(query.order) ? query.order : []) as { id?: string; desc?: boolean }[];
  const columns = columnsOf(query);
  const chosen = order.map(({ id = "", desc }) => ({ ...find(columns, id), descending: Boolean(desc) }));
  if (chosen.length === 0) return [];
  const dimensions = columns.slice(0, query.dimensionAliasNames().length);
  const rest = dimensions.filter(({ position }) => !chosen.some((column) => column.position === position));
  return [...chosen, ...rest.map((column) => ({ ...column, descending: false }))].map(
    ({ position, alias, descending }) => ({ position, alias, descending }),
  );
}

/** `step`: the time that a row of the column stands for. */
type Column = { position: number; alias: string; ids: string[]; step: number };

function columnsOf(query: Planned): Column[] {
  const times = (query.timeDimensions as MemberTimeDimension[]).filter(({ granularity }) => granularity);
  return [
    ...query.dimensions.map((each) => ({
      alias: each.aliasName() as string,
      ids: [each.dimension as string, each.expressionName as string],
      step: 0,
    })),
    ...times.map((each) => ({
      alias: each.aliasName() as string,
      ids: [`${each.dimension}.${each.granularity}`, each.dimension as string],
      step: nextStart(each.period!, 0),
    })),
    ...query.measures.map((each) => ({
      alias: each.aliasName(),
      ids: [each.measure as string, each.expressionName as string],
      step: 0,
    })),
  ].map((column, i) => ({ ...column, position: i + 1 }));
}

/** A time without its granularity is the finest that is grouped by. */
function find(columns: readonly Column[], id: string): Column {
  const [found] = columns.filter(({ ids }) => ids.includes(id)).toSorted((a, b) => a.step - b.step);
  if (!found) throw new Refused(`The query is ordered by ${id}, which it does not ask for.`);
  return found;
}
