// Folders that hold files of tables, so that no other table is made there.

import type { LakeChange } from "../../../kernel/lake/commit.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { behindFolder, folderOf } from "../format/names.ts";

/**
 * Folders that the commit's new tables would have by their names, and that a table has or had, or that hold files which
 * wait for their deletion. They are relative to the lake's root.
 */
export function readTakenFolders(
  sql: SqlStorage,
  changes: readonly LakeChange[],
  schemas: ReadonlyMap<string, { path: string }>,
): Set<string> {
  const folders = changes.flatMap((change) =>
    change.kind === "create_table"
      ? (schemas.get(foldName(change.schema))?.path ?? folderOf(change.schema)) + folderOf(change.name)
      : [],
  );
  if (folders.length === 0) return new Set();
  const asked = JSON.stringify(folders.map((folder) => [folder, behindFolder(folder)]));
  const rows = sql.exec<{ folder: string }>(
    `WITH asked AS (SELECT value ->> 0 AS folder, value ->> 1 AS behind FROM json_each(?))
     SELECT folder FROM asked
     WHERE folder IN (SELECT s.path || t.path FROM ducklake_table t JOIN ducklake_schema s USING (schema_id))
       OR EXISTS (SELECT 1 FROM ducklake_files_scheduled_for_deletion d
         WHERE d.path >= asked.folder AND d.path < asked.behind)`,
    asked,
  );
  return new Set(rows.toArray().map(({ folder }) => folder));
}
