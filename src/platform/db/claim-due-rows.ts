// Rows that wait for a sweep until their time comes.

import { and, asc, type InferSelectModel, inArray, lte } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";

/** `key` names a row of the table; `due` is the column that holds the instant from which the row is to be worked on. */
type Waiting<Table extends SQLiteTable> = {
  table: Table;
  key: SQLiteColumn;
  due: keyof Table["_"]["columns"] & keyof Table & string;
};
export type Claim = { at: string; nextAt: string; rowsMax: number };

/**
 * Claims the rows that have waited longest. The claim is one statement, so that of two sweeps only one gets a row: what
 * it claims is not due again until `nextAt`.
 */
export async function claimDueRows<Table extends SQLiteTable>(
  db: Db,
  { table, key, due }: Waiting<Table>,
  { at, nextAt, rowsMax }: Claim,
): Promise<InferSelectModel<Table>[]> {
  const dueAt = table[due] as SQLiteColumn;
  const isDue = lte(dueAt, at);
  const longest = db.select({ key }).from(table).where(isDue).orderBy(asc(dueAt)).limit(rowsMax);
  const claimed = await db
    .update(table)
    .set({ [due]: nextAt } as SQLiteUpdateSetSource<Table>)
    .where(and(inArray(key, longest), isDue))
    .returning();
  return claimed as InferSelectModel<Table>[];
}
