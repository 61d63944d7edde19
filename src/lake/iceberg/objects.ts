// The objects of Iceberg's metadata lie in their table's folder. Each has a row from before it is written until its
// deletion is scheduled, so that no sweep takes one that is in use.

import { formatInstant } from "../format/instant.ts";

/** `list`: the manifest list of a snapshot. `metadata`: the table's metadata as JSON. */
export const ICEBERG_OBJECTS = ["data", "deletes", "list", "metadata"] as const;
export type IcebergObjectKind = (typeof ICEBERG_OBJECTS)[number];

/**
 * `key` is what the object's content follows from. `version` is the newest version of the table whose metadata names
 * the object. `bytes` and `facts` are null until the object is written. No number comes twice, so that no path does:
 * an object whose deletion is due is never one that is written anew.
 *
 * A table's files are in ranges by their ids, each beginning with a first one: a manifest is of one range.
 */
export const ICEBERG_TABLES = [
  `CREATE TABLE fjord_iceberg_objects (object_id INTEGER PRIMARY KEY AUTOINCREMENT, table_id INTEGER NOT NULL,
     kind TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER, facts TEXT,
     UNIQUE (table_id, kind, key))`,
  "CREATE UNIQUE INDEX fjord_iceberg_path ON fjord_iceberg_objects (path)",
  "CREATE INDEX fjord_iceberg_version ON fjord_iceberg_objects (table_id, kind, version)",
  `CREATE TABLE fjord_iceberg_ranges (table_id INTEGER NOT NULL, first_file_id INTEGER NOT NULL,
     PRIMARY KEY (table_id, first_file_id)) WITHOUT ROWID`,
  // Whose file it was: a table's folder may still hold files of another that had the folder before.
  "ALTER TABLE fjord_scheduled ADD COLUMN table_id INTEGER",
];

/** `path` is relative to the lake's root. `written` is null while nobody has confirmed that the object is there. */
export type IcebergObject = { objectId: number; path: string; written: { bytes: number; facts: string } | null };

type ObjectRow = { objectId: number; path: string; bytes: number | null; facts: string | null };

const toObject = ({ objectId, path, bytes, facts }: ObjectRow): IcebergObject => ({
  objectId,
  path,
  written: bytes === null ? null : { bytes, facts: facts ?? "" },
});

export type NewObject = {
  tableId: number;
  /** The table's, relative to the lake's root. */
  folder: string;
  kind: IcebergObjectKind;
  key: string;
  version: number;
};

const EXTENSION: Record<IcebergObjectKind, string> = {
  data: ".avro",
  deletes: ".avro",
  list: ".avro",
  metadata: ".metadata.json",
};

/** The object with this content, which has a row from here on. A caller wraps the call in its transaction. */
export function reserveObject(sql: SqlStorage, { tableId, folder, kind, key, version }: NewObject): IcebergObject {
  const [found] = sql
    .exec<ObjectRow & { version: number }>(
      `SELECT object_id AS objectId, path, bytes, facts, version FROM fjord_iceberg_objects
       WHERE table_id = ? AND kind = ? AND key = ?`,
      ...[tableId, kind, key],
    )
    .toArray();
  if (found && found.version < version)
    sql.exec("UPDATE fjord_iceberg_objects SET version = ? WHERE object_id = ?", version, found.objectId);
  if (found) return toObject(found);
  const { objectId } = sql
    .exec<{ objectId: number }>(
      `INSERT INTO fjord_iceberg_objects (table_id, kind, key, version, path) VALUES (?, ?, ?, ?, '')
       RETURNING object_id AS objectId`,
      ...[tableId, kind, key, version],
    )
    .one();
  const path = `${folder}metadata/${kind}-${version}-${objectId}${EXTENSION[kind]}`;
  sql.exec("UPDATE fjord_iceberg_objects SET path = ? WHERE object_id = ?", path, objectId);
  return { objectId, path, written: null };
}

/** Paths of the written metadata of the table's version, by key. */
export const findMetadata = (sql: SqlStorage, tableId: number, version: number): Record<string, string> =>
  Object.fromEntries(
    sql
      .exec(
        `SELECT key, path FROM fjord_iceberg_objects
         WHERE table_id = ? AND kind = 'metadata' AND version = ? AND bytes IS NOT NULL`,
        ...[tableId, version],
      )
      .raw<[key: string, path: string]>(),
  );

/**
 * The table's metadata of this key, in the place of what the profile had before: of an older version, or of this one
 * before the oldest snapshot expired, which gives it another number. Keys of one profile begin with its name.
 */
export function replaceMetadata(
  storage: DurableObjectStorage,
  { profile, key, ...table }: Omit<NewObject, "kind"> & { profile: string },
  nowMs: number,
): IcebergObject {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const replaced = sql
      .exec<{ id: number }>(
        `SELECT object_id AS id FROM fjord_iceberg_objects
         WHERE table_id = ? AND kind = 'metadata' AND version <= ? AND key LIKE ? AND key <> ?`,
        ...[table.tableId, table.version, `${profile}:%`, `${profile}:${key}`],
      )
      .toArray();
    scheduleObjects(sql, replaced, nowMs);
    return reserveObject(sql, { ...table, kind: "metadata", key: `${profile}:${key}` });
  });
}

export type WrittenObject = { objectId: number; bytes: number; facts: string };

/** Notes that the objects are there. Answers false, and notes nothing, where the deletion of one is scheduled. */
export function keepWritten(storage: DurableObjectStorage, written: readonly WrittenObject[]): boolean {
  return storage.transactionSync(() => {
    const document = JSON.stringify(written);
    const { known } = storage.sql
      .exec<{ known: number }>(
        `SELECT count(*) AS known FROM fjord_iceberg_objects
         WHERE object_id IN (SELECT value ->> 'objectId' FROM json_each(?))`,
        document,
      )
      .one();
    if (known < new Set(written.map(({ objectId }) => objectId)).size) return false;
    storage.sql.exec(
      `UPDATE fjord_iceberg_objects SET bytes = w.value ->> 'bytes', facts = w.value ->> 'facts'
       FROM json_each(?) AS w WHERE object_id = w.value ->> 'objectId'`,
      document,
    );
    return true;
  });
}

/** No table has as many objects whose versions end at once: what is left ends with the next expiry. */
const ENDED_MAX = 100_000;

type Ended = { files: number; bytes: number };

/**
 * Objects that no snapshot's metadata names, once `?1` is the oldest snapshot: those of tables that are gone, and those
 * of versions that a later one replaced at or before that snapshot.
 */
const ENDED = `FROM fjord_iceberg_objects o
  WHERE NOT EXISTS (SELECT 1 FROM ducklake_table t
      WHERE t.table_id = o.table_id AND (t.end_snapshot IS NULL OR t.end_snapshot > ?1))
    OR o.version < (SELECT max(v.snapshot_id) FROM fjord_table_versions v
      WHERE v.table_id = o.table_id AND v.snapshot_id <= ?1)`;

/** What {@link endObjects} would schedule, were this the oldest snapshot. */
export const countEnded = (sql: SqlStorage, oldestSnapshotId: number): Ended =>
  sql.exec<Ended>(`SELECT count(*) AS files, coalesce(sum(o.bytes), 0) AS bytes ${ENDED}`, oldestSnapshotId).one();

/** Schedules the deletion of objects that have ended, `max` at most. A caller wraps the call in its transaction. */
export function endObjects(sql: SqlStorage, { max, nowMs }: { max: number; nowMs: number }): Ended {
  const { oldest } = sql.exec<{ oldest: number }>("SELECT min(snapshot_id) AS oldest FROM ducklake_snapshot").one();
  const ended = sql
    .exec<{ id: number; bytes: number }>(
      `SELECT o.object_id AS id, coalesce(o.bytes, 0) AS bytes ${ENDED} LIMIT ?2`,
      oldest,
      Math.min(max, ENDED_MAX),
    )
    .toArray();
  scheduleObjects(sql, ended, nowMs);
  sql.exec("DELETE FROM fjord_iceberg_ranges WHERE table_id NOT IN (SELECT table_id FROM ducklake_table)");
  return { files: ended.length, bytes: ended.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** On the schedule an object is known by the negative of its number, as its files are by theirs. */
function scheduleObjects(sql: SqlStorage, objects: readonly { id: number }[], nowMs: number): void {
  if (objects.length === 0) return;
  const ids = JSON.stringify(objects.map(({ id }) => id));
  const these = "object_id IN (SELECT value FROM json_each(?1))";
  sql.exec(
    `INSERT INTO ducklake_files_scheduled_for_deletion (data_file_id, path, path_is_relative, schedule_start)
     SELECT -object_id, path, 1, ?2 FROM fjord_iceberg_objects WHERE ${these}`,
    ids,
    formatInstant(nowMs),
  );
  sql.exec(
    `INSERT OR REPLACE INTO fjord_scheduled (file_id, bytes, table_id)
     SELECT -object_id, coalesce(bytes, 0), table_id FROM fjord_iceberg_objects WHERE ${these}`,
    ids,
  );
  sql.exec(`DELETE FROM fjord_iceberg_objects WHERE ${these}`, ids);
}
