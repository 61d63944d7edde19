// Files for tables go to a folder before they are committed: a table's own, or the one it would be made with.

import { accept, refuse, type Answer } from "../../core/answer.ts";
import { isAlive } from "./leases.ts";
import { tableFolder } from "../format/names.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";

/**
 * In the order of `tables`, relative to the lake's root. A job that was taken over could only leave orphans, and a lake
 * that was removed would fill again.
 */
export function uploadFolders(
  sql: SqlStorage,
  lease: string,
  fence: number,
  tables: readonly LakeTableName[],
): Answer<string[]> {
  if (!isAlive(sql, lease, fence))
    return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
  const find = ({ schema, name }: LakeTableName): string | undefined =>
    sql
      .exec<{ folder: string }>(
        `SELECT s.path || t.path AS folder FROM ducklake_schema s CROSS JOIN ducklake_table t USING (schema_id)
         WHERE s.schema_name = ? COLLATE NOCASE AND t.table_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL
           AND t.end_snapshot IS NULL`,
        schema,
        name,
      )
      .toArray()[0]?.folder;
  return accept(tables.map((table) => find(table) ?? tableFolder(table.schema, table.name)));
}
