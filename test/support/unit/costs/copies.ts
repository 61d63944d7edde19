// Rows in numbers: copies of a row that the platform's own code wrote, and the bytes that each takes in D1.

import { env } from "cloudflare:workers";

/** Another id as long as the one it stands for. */
export const ANOTHER_ID = "lower(hex(randomblob(18)))";

/** Copies one row of the table; `own` says in SQL which columns of a copy are its own, by name. */
export async function copyRow(table: string, copies: number, own: Record<string, string>): Promise<void> {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info(?)").bind(table).all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  const values = columns.map((name) => own[name] ?? `one."${name}"`);
  await env.DB.prepare(
    `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${copies})
     SELECT ${values.join(", ")} FROM (SELECT * FROM ${table} LIMIT 1) one, n`,
  ).run();
}

/** Bytes that each of so many things takes, indexes included. */
export async function bytesOf(things: number, add: () => Promise<void>): Promise<number> {
  const before = await databaseBytes();
  await add();
  return ((await databaseBytes()) - before) / things;
}

const databaseBytes = async (): Promise<number> => (await env.DB.prepare("SELECT 1").run()).meta.size_after;
