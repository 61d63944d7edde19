// A condition that a batch depends on: it is checked within the batch's transaction, so nothing comes in between.

import { sql, type SQL } from "drizzle-orm";
import type { Db } from "./client.ts";

/** A statement that fails, and its batch with it, where the condition does not hold: a plain word is no JSON. */
export const requireInSql = (db: Db, condition: SQL) =>
  db.select({ holds: sql`json(case when ${condition} then 'true' else 'unmet' end)` }).from(sql`(select 1)`);
