// The values of an insert that takes its row from a select, so that it may depend on what else is there.

import { getTableColumns, type InferSelectModel, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** In the order in which an insert takes them, the table's; those in `own` in SQL of theirs. */
export function valuesInSql<Table extends SQLiteTable>(
  table: Table,
  row: InferSelectModel<Table>,
  own: Partial<Record<keyof InferSelectModel<Table>, SQL>> = {},
): SQL {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value: unknown = row[name as keyof typeof row];
    return own[name as keyof typeof own] ?? sql`${value === null ? null : column.mapToDriverValue(value)}`;
  });
  return sql.join(values, sql`, `);
}
