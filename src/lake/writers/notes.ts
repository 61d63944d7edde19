// Notes that writers keep in the catalog, in the transaction of their commit: how far a sync, or a table that a doc
// builds, is in its source.

import type { LakeCommit } from "../../../kernel/lake/commit.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";

/** A caller wraps the call in its transaction. */
export function writeState(sql: SqlStorage, changes: NonNullable<LakeCommit["state"]>, snapshotId: number): void {
  for (const { key, value } of changes) {
    if (value === null) sql.exec("DELETE FROM fjord_state WHERE key = ?", key);
    else
      sql.exec("INSERT OR REPLACE INTO fjord_state (key, value, snapshot_id) VALUES (?, ?, ?)", key, value, snapshotId);
  }
}

/** The key of a note that is not as the writer expects it. */
export function findMovedNote(sql: SqlStorage, expected: NonNullable<LakeCommit["expects"]>): string | undefined {
  const notes = readNotes(
    sql,
    expected.map(({ key }) => key),
  );
  return expected.find(({ key, value }) => notes[key] !== value)?.key;
}

/** The notes under the keys; null where there is none. */
export function readNotes(sql: SqlStorage, keys: readonly string[]): Record<string, string | null> {
  const find = (key: string) =>
    sql.exec<{ value: string }>("SELECT value FROM fjord_state WHERE key = ?", key).toArray()[0]?.value ?? null;
  return Object.fromEntries(keys.map((key) => [key, find(key)]));
}

/**
 * A note about a table. It is not of the table where that is gone, or was made after the note under the name of one
 * that is; nor where the note under `beside`, which every writer of the table keeps, was written by a later commit.
 */
export function noteOfTable(
  sql: SqlStorage,
  { key, beside }: { key: string; beside: string },
  { schema, name }: LakeTableName,
): { note: string | null; isOfTable: boolean } {
  const [row] = sql
    .exec<{ value: string; at: number }>("SELECT value, snapshot_id AS at FROM fjord_state WHERE key = ?", key)
    .toArray();
  if (!row) return { note: null, isOfTable: false };
  const found = sql.exec(
    `SELECT 1 FROM ducklake_table t JOIN ducklake_schema s ON s.schema_id = t.schema_id
       WHERE s.schema_name = ? COLLATE NOCASE AND t.table_name = ? COLLATE NOCASE
         AND t.end_snapshot IS NULL AND s.end_snapshot IS NULL
         AND (SELECT min(b.begin_snapshot) FROM ducklake_table b WHERE b.table_id = t.table_id) <= ?
         AND EXISTS (SELECT 1 FROM fjord_state WHERE key = ? AND snapshot_id = ?)`,
    schema,
    name,
    row.at,
    beside,
    row.at,
  );
  return { note: row.value, isOfTable: found.toArray().length > 0 };
}

/** Forgets every note whose key starts with the prefix, but those in `kept`. Answers how many there were. */
export const forgetNotes = (sql: SqlStorage, prefix: string, kept: readonly string[] = []): number =>
  sql
    .exec(
      `DELETE FROM fjord_state WHERE substr(key, 1, length(?1)) = ?1 AND key NOT IN (SELECT value FROM json_each(?2))
        RETURNING 1`,
      prefix,
      JSON.stringify(kept),
    )
    .toArray().length;
