// Makes what lies in the lakes of a stopped platform older than it is: snapshots, objects, and what is scheduled for
// deletion. A test does not wait for the 48 hours that files are kept.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const DAY_MS = 86_400_000;

/** Instants of the catalog, texts such as `2026-01-31 08:50:09.778+00`, and after how many days their rows are due. */
const CATALOG_INSTANTS = [
  { table: "ducklake_snapshot", column: "snapshot_time", keptDays: 30 },
  { table: "ducklake_files_scheduled_for_deletion", column: "schedule_start", keptDays: 2 },
] as const;

/** `dueWithinMs`: the catalog's rows become due one after the other, over this time from now. */
export async function ageState(state: string, days: number, dueWithinMs: number): Promise<void> {
  const folder = join(state, "data", "v3");
  for (const path of await databasesIn(join(folder, "do", "fjord-CatalogObject")))
    changeDatabase(path, (database) => {
      for (const { table, column, keptDays } of CATALOG_INSTANTS) {
        const before = `(SELECT count(*) FROM ${table} AS other WHERE other.rowid < ${table}.rowid)`;
        const seconds = `${before} * ${dueWithinMs / 1_000} / (SELECT count(*) FROM ${table})`;
        const instant = `'now', '-${keptDays} days', (${seconds}) || ' seconds'`;
        database.exec(`UPDATE ${table} SET ${column} = strftime('%Y-%m-%d %H:%M:%f', ${instant}) || '+00'`);
      }
    });
  for (const path of await databasesIn(join(folder, "r2", "miniflare-R2BucketObject")))
    changeDatabase(path, (database) => database.exec(`UPDATE _mf_objects SET uploaded = uploaded - ${days * DAY_MS}`));
}

async function databasesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (names.length === 0) throw new Error(`No database is in ${folder}.`);
  return names.map((name) => join(folder, name));
}

function changeDatabase(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  try {
    change(database);
  } finally {
    database.close();
  }
}
