// Tests of a table as SELECTs of the rows that fail them. They pass the gate as any SELECT does. Pure.

import type { TableTarget, TableTest } from "../../../../kernel/wire/builds.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { CATALOG_NAME } from "../sql/catalogs.ts";

type Of<Kind extends TableTest["kind"]> = Extract<TableTest, { kind: Kind }>;

type Named = Pick<TableTarget, "schema" | "name">;

const COMPOSERS: { [Kind in TableTest["kind"]]: (test: Of<Kind>, table: string) => string } = {
  not_null: ({ columns }, table) => `SELECT * FROM ${table} WHERE ${columns.map(isNull).join(" OR ")}`,
  unique({ columns }, table) {
    const names = columns.map(quoteIdentifier).join(", ");
    const known = columns.map((column) => `NOT ${isNull(column)}`).join(" AND ");
    return `SELECT ${names}, count(*) AS "rows" FROM ${table} WHERE ${known} GROUP BY ${names} HAVING count(*) > 1`;
  },
  accepted_values({ column, values }, table) {
    const name = quoteIdentifier(column);
    const accepted = values.map(literal).join(", ");
    return `SELECT ${name}, count(*) AS "rows" FROM ${table} WHERE ${name} NOT IN (${accepted}) GROUP BY ${name}`;
  },
  relationships({ column, to }, table) {
    const name = quoteIdentifier(column);
    const other = tableOf(to);
    return (
      `SELECT ${name}, count(*) AS "rows" FROM ${table} AS t WHERE NOT ${isNull(column)} AND NOT EXISTS ` +
      `(SELECT 1 FROM ${other} AS o WHERE o.${quoteIdentifier(to.column)} = t.${name}) GROUP BY ${name}`
    );
  },
  row_count({ min, max }, table) {
    const bounds = [...(min === null ? [] : [`"rows" < ${min}`]), ...(max === null ? [] : [`"rows" > ${max}`])];
    return `SELECT * FROM (SELECT count(*) AS "rows" FROM ${table}) WHERE ${bounds.join(" OR ") || "false"}`;
  },
  sql: ({ sql }) => sql,
};

const isNull = (column: string): string => `(${quoteIdentifier(column)} IS NULL)`;

const literal = (value: string | number | boolean): string =>
  typeof value === "string" ? quoteLiteral(value) : String(value);

const tableOf = ({ schema, name }: Named): string => [CATALOG_NAME, schema, name].map(quoteIdentifier).join(".");

export const composeTest = <Kind extends TableTest["kind"]>(test: Of<Kind>, table: Named): string =>
  COMPOSERS[test.kind as Kind](test, tableOf(table));
