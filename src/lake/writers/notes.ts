// Notes that writers keep in the catalog, in the transaction of their commit: how far a sync, or a table that a doc
// builds, is in its source.

import type { LakeCommit } from "../../../kernel/lake/commit.ts";

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
