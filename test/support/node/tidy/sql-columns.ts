// The tables a folder of migrations leaves behind, read from a real SQLite, to be held against the drizzle tables.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Column = { name: string; type: string; notNull: boolean; primaryKey: boolean };

/** Table name → its columns, ordered by name. */
export function migratedTables(folder: string): Record<string, Column[]> {
  const database = new DatabaseSync(":memory:");
  for (const file of readdirSync(folder).sort())
    if (file.endsWith(".sql")) database.exec(readFileSync(join(folder, file), "utf8"));
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      String(name),
      database
        .prepare('select name, type, "notnull", pk from pragma_table_info(?) order by name')
        .all(String(name))
        .map((column) => ({
          name: String(column["name"]),
          type: String(column["type"]).toLowerCase(),
          notNull: column["notnull"] === 1,
          primaryKey: column["pk"] !== 0,
        })),
    ]),
  );
}
