// The one place that turns the D1 binding into a typed client.

import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database & { $client: D1Database };

const opened = new WeakMap<D1Database, Db>();

/** One client for each binding, which requests share: it holds no state, and is not free to make. */
export function openDb(binding: D1Database): Db {
  const known = opened.get(binding);
  if (known) return known;
  const db = drizzle(binding);
  opened.set(binding, db);
  return db;
}

/** Throws where the database does not answer. */
export const isAnswering = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare("select 1 as one").first("one")) === 1;
