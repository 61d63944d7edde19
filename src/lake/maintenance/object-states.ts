// An object of a lake has a state in its catalog; an orphan is named by nothing in it.

/**
 * `current`: a file of a table as of now, or of its Iceberg metadata. `kept`: only older snapshots read it.
 * `scheduled`: none does, and it waits for its deletion. `held`: named by nothing, but an upload of a job that holds
 * its lease. `unnamed`: none of these.
 */
export const OBJECT_STATES = ["current", "kept", "scheduled", "held", "unnamed"] as const;
export type ObjectState = (typeof OBJECT_STATES)[number];

/** The state of each object at these paths, which are relative to the lake's root, in their order. */
export function statesOfObjects(sql: SqlStorage, paths: readonly string[], nowMs: number): ObjectState[] {
  const named = new Map(
    sql
      .exec<{ path: string; state: ObjectState }>(
        `WITH asked AS (SELECT DISTINCT value AS path FROM json_each(?)),
           files AS (SELECT asked.path, f.end_snapshot FROM asked JOIN ducklake_data_file f ON f.path = asked.path
             UNION ALL SELECT asked.path, d.end_snapshot FROM asked JOIN ducklake_delete_file d ON d.path = asked.path)
         SELECT path, CASE WHEN end_snapshot IS NULL THEN 'current' ELSE 'kept' END AS state FROM files
         UNION ALL SELECT asked.path, CASE WHEN o.version >= (SELECT max(v.snapshot_id) FROM fjord_table_versions v
           WHERE v.table_id = o.table_id) THEN 'current' ELSE 'kept' END
           FROM asked JOIN fjord_iceberg_objects o ON o.path = asked.path
         UNION ALL SELECT path, 'scheduled' FROM asked
           WHERE path IN (SELECT path FROM ducklake_files_scheduled_for_deletion)`,
        JSON.stringify(paths.flatMap(tailsOf)),
      )
      .toArray()
      .map(({ path, state }) => [path, state] as const),
  );
  const holders = sql
    .exec<{ holder: string }>("SELECT holder FROM fjord_leases WHERE holder IS NOT NULL AND expires_at_ms > ?", nowMs)
    .toArray()
    .map(({ holder }) => `${holder}-`);
  return paths.map((path) => {
    const state = tailsOf(path).flatMap((tail) => named.get(tail) ?? [])[0];
    const name = path.slice(path.lastIndexOf("/") + 1);
    return state ?? (holders.some((holder) => name.startsWith(holder)) ? "held" : "unnamed");
  });
}

/**
 * A file's row names it below its table's folder, wherever that ends; the schedule from the lake's root. No two files
 * share a name.
 */
function tailsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, from) => parts.slice(from).join("/"));
}
