// Very many old snapshots of a lake, each of which alone reads a file.

import { uploadPath, tableFolder } from "../../../src/platform/lake/names.ts";
import { column } from "../../../test/support/node/lake/test-lake.ts";
import type { MaintainedLake } from "./maintained-lake.ts";

const TABLE = { schema: "main", name: "measured" };
const DAY_MS = 86_400_000;

/** So many that expire by age, and those that the lake keeps in any case. The files are in the catalog alone. */
export async function addSnapshots({ catalog }: MaintainedLake, count: number): Promise<void> {
  catalog.commit({ kind: "create_table", ...TABLE, columns: [column(1, "id", "int64")] });
  const folder = tableFolder(TABLE.schema, TABLE.name);
  for (let i = 0; i < count + KEPT; i++) {
    const path = uploadPath("job", folder, `old-${i}`);
    const file = { path, bytes: 1_000, footerBytes: 100, rows: 10, statistics: [] };
    catalog.commit({ kind: "overwrite", ...TABLE, files: [file] });
  }
  const old = new Date(Date.now() - 365 * DAY_MS).toISOString();
  catalog.storage.sql.exec(
    "UPDATE ducklake_snapshot SET snapshot_time = ?",
    `${old.slice(0, 19).replace("T", " ")}+00`,
  );
}

/** More than a lake keeps whatever their age. */
const KEPT = 100;
