// Makes what lies in the lakes of a stopped platform older than it is: snapshots, objects, and what is scheduled for
// deletion. A test does not wait for the 48 hours that files are kept.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const DAY_MS = 86_400_000;

/** Instants of the catalog are texts such as `2026-01-31 08:50:09.778+00`. */
const CATALOG_INSTANTS = [
  ["ducklake_snapshot", "snapshot_time"],
  ["ducklake_files_scheduled_for_deletion", "schedule_start"],
] as const;

export async function ageState(state: string, days: number): Promise<void> {
  const folder = join(state, "data", "v3");
  for (const path of await databasesIn(join(folder, "do", "fjord-CatalogObject")))
    changeDatabase(path, (database) => {
      for (const [table, column] of CATALOG_INSTANTS)
        database.exec(
          `UPDATE ${table} SET ${column} = strftime('%Y-%m-%d %H:%M:%f', substr(${column}, 1, 23), '-${days} days') || '+00'`,
        );
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
