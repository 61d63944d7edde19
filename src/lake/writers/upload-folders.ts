// Files for tables go to a folder before they are committed: a table's own, or the one that the job would make it in.

import { accept, refuse, type Answer } from "../../core/answer.ts";
import { isAlive } from "./leases.ts";
import { folderOf, ownFolder } from "../format/names.ts";
import type { UploadTarget } from "../../../kernel/lake/commit.ts";

/**
 * In the order of `tables`, relative to the lake's root. A job that was taken over could only leave orphans, and a lake
 * that was removed would fill again.
 */
export function uploadFolders(
  sql: SqlStorage,
  { lease, fence, jobId }: { lease: string; fence: number; jobId: string },
  tables: readonly UploadTarget[],
): Answer<string[]> {
  if (!isAlive(sql, lease, fence))
    return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
  const find = ({ schema, name }: UploadTarget): string | undefined =>
    sql
      .exec<{ folder: string }>(
        `SELECT s.path || t.path AS folder FROM ducklake_schema s CROSS JOIN ducklake_table t USING (schema_id)
         WHERE s.schema_name = ? COLLATE NOCASE AND t.table_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL
           AND t.end_snapshot IS NULL`,
        schema,
        name,
      )
      .toArray()[0]?.folder;
  const own = ({ schema, name }: UploadTarget): string => folderOf(schema) + ownFolder(jobId, name);
  return accept(tables.map((table) => (table.isNew ? own(table) : (find(table) ?? own(table)))));
}
