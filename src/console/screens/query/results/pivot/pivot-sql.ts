// The statement of a pivot: the workspace's own one, grouped where it runs. What it answers is laid out by
// `pivot-grid.ts`. Pure.

import type { ResultColumn } from "../../../../../../kernel/docs/draw/result-table.ts";
import { DIALECTS, type DatabaseKind } from "../../text/dialects.ts";
import { within } from "../../text/wrapped.ts";
import { kindOf, type Aggregate, type PivotChoice } from "./pivot-choice.ts";

type Pivoted = { columns: readonly ResultColumn[]; database: DatabaseKind; rows: number };

/** A row for each group and value of the column that is spread: the row columns, the spread one, the aggregate. */
export function pivotSql(sql: string, choice: PivotChoice, { columns, database, rows }: Pivoted): string {
  const { quoteName, limited } = DIALECTS[database];
  const groups = [...choice.rows, ...(choice.spread === null ? [] : [choice.spread])].map(quoteName).join(", ");
  const figure = figureSql(choice, { columns, database });
  return limited(`${groups}, ${figure} AS pivot_value ${within(sql)} GROUP BY ${groups} ORDER BY ${groups}`, rows);
}

/** A row for each group, over all values of the column that is spread. */
export const totalsSql = (sql: string, choice: PivotChoice, pivoted: Pivoted): string =>
  pivotSql(sql, { ...choice, spread: null }, pivoted);

function figureSql({ value, aggregate }: PivotChoice, { columns, database }: Omit<Pivoted, "rows">): string {
  const { quoteName, count, summand, averaged } = DIALECTS[database];
  if (value === null) return `${count}(*)`;
  const name = quoteName(value);
  const figures: Record<Aggregate, string> = {
    count: `${count}(${name})`,
    distinct: `${count}(DISTINCT ${name})`,
    sum: `sum(${summand(name, kindOf(columns, value) ?? "text")})`,
    avg: `avg(${averaged(name)})`,
    min: `min(${name})`,
    max: `max(${name})`,
  };
  return figures[aggregate];
}
