// Row filters in PostgreSQL's SQL. Nothing here fails on a value of a row, whatever it is: its error would tell of rows
// that the filter hides.

import type { FilterColumn, FilterDialect } from "../../../access/row-filter-sql.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";
import type { RelationColumn } from "./describe-relations.ts";

/** `constantType`: what the column is compared as. */
export type PostgresFilterColumn = FilterColumn & { constantType: string };

/** Whether its type holds any text and compares the whole of it. */
export const isPlainText = ({ type }: Pick<RelationColumn, "type">): boolean =>
  type === '"pg_catalog"."text"' || type === '"pg_catalog"."varchar"';

export function postgresFilterColumn(column: RelationColumn): PostgresFilterColumn {
  const { name, type, filterType } = column;
  const quoted = quoteIdentifier(name);
  if (filterType.kind !== "text") {
    const sql = column.isDomain ? `(${quoted}::${type})` : quoted;
    return { sql, type: filterType, constantType: type };
  }
  const isText = isPlainText(column);
  const text = isText && !column.isDomain ? quoted : `(${quoted}::pg_catalog.text)`;
  // An index serves the column as it is; by bytes it is compared where the collation would find others equal.
  const sql = column.isDeterministic && isText ? text : `(${text} COLLATE pg_catalog."C")`;
  return { sql, type: filterType, constantType: "pg_catalog.text" };
}

export const POSTGRES_FILTERS: FilterDialect<PostgresFilterColumn> = {
  constant: ({ type, constantType }, constant) => {
    const isFloat4 = type.kind === "number" && type.scale === "float";
    const text = isFloat4 ? String(Math.fround(Number(constant))) : constant;
    return `${quoteLiteral(constantType === '"pg_catalog"."timestamptz"' ? `${text}+00` : text)}::${constantType}`;
  },
  isOneOf: ({ sql }, constants) =>
    constants.length === 1 ? `(${sql} = ${constants[0]!})` : `(${sql} IN (${constants.join(", ")}))`,
  holdsText: ({ sql }, text, place) => {
    const held = folded(`${quoteLiteral(text)}::pg_catalog.text`);
    const holder = folded(sql);
    if (place === "anywhere") return `(strpos(${holder}, ${held}) > 0)`;
    return `(${place === "start" ? "left" : "right"}(${holder}, length(${held})) = ${held})`;
  },
};

/** In small letters of every script, and compared by bytes. */
const folded = (sql: string): string => `(lower(${sql} COLLATE pg_catalog."default") COLLATE pg_catalog."C")`;
