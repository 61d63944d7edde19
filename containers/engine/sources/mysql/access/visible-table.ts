// A table as a bound caller sees it, as the query that stands in its place.

import type { MaskValue, RowCondition, TableView } from "../../../../../kernel/access/access.ts";
import { ALWAYS, conditionSql, either } from "../../../access/row-filter-sql.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../sql-text.ts";
import { filterColumn, isBooleanType, MYSQL_FILTERS, readBooleans, type ColumnType } from "./column-filters.ts";

export type TableColumn = ColumnType & {
  name: string;
  /** `SELECT *` does not give it. */
  isInvisible: boolean;
};

/**
 * Makes both servers write the rows that are shown aside before anything of the statement looks at one: they push no
 * condition, and merge no query, past a LIMIT. The largest number is to parts of them no limit at all; this one is.
 */
const FENCE = "LIMIT 9223372036854775807";

/**
 * Undefined where the caller sees no column. `view` names the table's columns by index; `whole` shows all of them. A
 * fenced table's query writes aside only the columns that the statement `reads`.
 */
export function visibleTable(
  table: SourceTableName,
  columns: readonly TableColumn[],
  view: TableView | "whole",
  reads: (column: string) => boolean,
): string | undefined {
  const where = view === "whole" ? ALWAYS : either(view.grants.map((condition) => toSql(condition, columns)));
  const shown = view === "whole" ? wholeCells(columns) : restrictedCells(columns, view, where);
  const cells = shown.filter(({ column }) => !columns[column]!.isInvisible);
  if (cells.length === 0) return undefined;
  const queryOf = (listed: readonly Cell[]) => `SELECT ${listed.map(toItem).join(", ")} FROM ${quoteTable(table)}`;
  const toItem = ({ column, sql }: Cell) => {
    const name = quoteIdentifier(columns[column]!.name);
    return sql === name ? name : `${sql} AS ${name}`;
  };
  // Constants in place of cells show nothing of any row to whoever looks earlier.
  const isOpen = where === ALWAYS && shown.every(({ isConditional }) => !isConditional);
  if (isOpen) return queryOf(cells);
  const read = cells.filter(({ column }) => reads(columns[column]!.name));
  return `${queryOf(read.length > 0 ? read : cells.slice(0, 1))} WHERE ${where} ${FENCE}`;
}

type Cell = { column: number; sql: string; isConditional: boolean };

const wholeCells = (columns: readonly TableColumn[]): Cell[] =>
  columns.map(({ name }, column) => ({ column, sql: quoteIdentifier(name), isConditional: false }));

const restrictedCells = (columns: readonly TableColumn[], { grants, cells }: TableView, where: string): Cell[] =>
  cells.map(({ column, cases }) => {
    const name = quoteIdentifier(columns[column]!.name);
    let rest = "NULL";
    let whens = "";
    for (const { grants: of, mask } of cases) {
      const value = mask === undefined ? name : maskSql(mask);
      const condition = either(of.map((grant) => toSql(grants[grant]!, columns)));
      // Rows for which it does not hold are not there.
      if (condition === where) {
        rest = value;
        break;
      }
      whens += ` WHEN ${condition} THEN ${value}`;
    }
    const isConditional = whens !== "";
    if (isConditional) return { column, sql: `CASE${whens} ELSE ${rest} END`, isConditional };
    return { column, sql: rest === "NULL" ? nullOf(name) : rest, isConditional };
  });

/** A NULL of the column's type, without a look at its cells. */
const nullOf = (name: string): string => `CASE WHEN FALSE THEN ${name} END`;

const toSql = (condition: RowCondition, columns: readonly TableColumn[]): string =>
  conditionSql(
    readBooleans(condition, (column) => columns[column] !== undefined && isBooleanType(columns[column])),
    new Map(columns.map((column, key) => [key, filterColumn(column.name, column)])),
    MYSQL_FILTERS,
  );

const maskSql = (mask: MaskValue): string =>
  mask === null ? "NULL" : typeof mask === "string" ? quoteLiteral(mask) : String(mask).toUpperCase();
