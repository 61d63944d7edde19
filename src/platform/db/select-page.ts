// A page of a table's rows and how many there are in all, read in one batch, so that both are of one instant.

import { count, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "./client.ts";

/** `columns` absent: all of them. `orderBy` ends in a column that no two rows share, or pages would overlap. */
export type PageQuery<Row, Item> = {
  columns?: { [Name in keyof Row]?: SQLiteColumn };
  where: SQL | undefined;
  orderBy: SQL[];
  page: Page;
  /** Absent: an item is its row. */
  toItem?: (row: Row) => Item;
};

export async function selectPage<Table extends SQLiteTable, Item = Table["$inferSelect"]>(
  db: Db,
  table: Table,
  { columns, where, orderBy, page, toItem = (row) => row as Item }: PageQuery<Table["$inferSelect"], Item>,
): Promise<PageOf<Item>> {
  const selected = columns ? db.select(columns as Record<string, SQLiteColumn>) : db.select();
  const [rows, totals] = await db.batch([
    selected
      .from(table)
      .where(where)
      .orderBy(...orderBy)
      .limit(page.limit)
      .offset(page.offset),
    db.select({ total: count() }).from(table).where(where),
  ]);
  return { items: (rows as Table["$inferSelect"][]).map(toItem), total: totals[0]!.total, ...page };
}
