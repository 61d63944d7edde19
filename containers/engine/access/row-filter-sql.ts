// Row filters of data-access roles as SQL, in the words of the database that runs it.

import type { RowCondition } from "../../../kernel/access/access.ts";
import type { TextPlace } from "../../../kernel/access/filter-grammar.ts";
import { readCondition, type ConditionReader, type TypedColumn } from "../../../kernel/access/read-condition.ts";

/** A column as a condition reads it: an expression that has no side effects and stands by itself. */
export type FilterColumn = TypedColumn & { sql: string };

/** How a database writes what filters say. */
export type FilterDialect<Column extends FilterColumn = FilterColumn> = {
  /** A constant of the column's type. */
  constant(column: Column, constant: string): string;
  /** Whether the column has one of the constants, exactly; NULL for NULL. */
  isOneOf(column: Column, constants: readonly string[]): string;
  /** Whether the column's text contains the given text, whatever the case of its letters; NULL for NULL. */
  holdsText(column: Column, text: string, place: TextPlace): string;
};

export const NEVER = "FALSE";
export const ALWAYS = "TRUE";

/** The columns that conditions are about, by key. */
export type FilterColumns<Column extends FilterColumn> = ReadonlyMap<number, Column>;

/** A condition as an expression in parentheses, or one of the words for all and no rows. NULL is no. */
export const conditionSql = <Column extends FilterColumn>(
  condition: RowCondition,
  columns: FilterColumns<Column>,
  dialect: FilterDialect<Column>,
): string => readCondition(condition, columns, sqlReader(dialect));

const sqlReader = <Column extends FilterColumn>(dialect: FilterDialect<Column>): ConditionReader<Column, string> => ({
  never: NEVER,
  both,
  either,
  not: (sql) => `(NOT ${sql})`,
  isNull: ({ sql }) => `(${sql} IS NULL)`,
  isNotNull: ({ sql }) => `(${sql} IS NOT NULL)`,
  isOneOf: (column, constants) =>
    dialect.isOneOf(
      column,
      constants.map((constant) => dialect.constant(column, constant)),
    ),
  compares: (column, op, constant) => `(${column.sql} ${op} ${dialect.constant(column, constant)})`,
  holdsText: (column, text, place) => dialect.holdsText(column, text, place),
});

export function both(parts: readonly string[]): string {
  if (parts.includes(NEVER)) return NEVER;
  const all = parts.filter((part) => part !== ALWAYS);
  return all.length === 0 ? ALWAYS : all.length === 1 ? all[0]! : `(${all.join(" AND ")})`;
}

export function either(parts: readonly string[]): string {
  if (parts.includes(ALWAYS)) return ALWAYS;
  const some = parts.filter((part) => part !== NEVER);
  return some.length === 0 ? NEVER : some.length === 1 ? some[0]! : `(${some.join(" OR ")})`;
}
