// Old rows are forgotten a bounded number at a time.

import { inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";

/** Deletes at most so many rows of the column's table. No two rows share a value of the column. */
export function deleteSome(db: Db, key: SQLiteColumn, where: SQL | undefined, rowsMax: number) {
  const table = key.table as SQLiteTable;
  const some = db.select({ key }).from(table).where(where).limit(rowsMax);
  return db.delete(table).where(inArray(key, some));
}
