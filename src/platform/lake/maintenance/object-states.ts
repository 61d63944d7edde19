// Which objects nothing in the catalog names.

/**
 * Of objects, by their paths relative to the lake's root, those that are no file of any snapshot, are not scheduled for
 * deletion, and are no upload of a job that holds its lease. A caller asks only about objects older than any job could
 * name any more.
 */
export function findOrphans(sql: SqlStorage, paths: readonly string[], nowMs: number): string[] {
  const named = new Set(
    sql
      .exec<{ path: string }>(
        `WITH asked AS (SELECT DISTINCT value AS path FROM json_each(?))
         SELECT path FROM asked WHERE EXISTS (SELECT 1 FROM ducklake_data_file f WHERE f.path = asked.path)
           OR EXISTS (SELECT 1 FROM ducklake_delete_file d WHERE d.path = asked.path)
           OR path IN (SELECT path FROM ducklake_files_scheduled_for_deletion)`,
        JSON.stringify(paths.flatMap(tailsOf)),
      )
      .toArray()
      .map(({ path }) => path),
  );
  const holders = sql
    .exec<{ holder: string }>("SELECT holder FROM fjord_leases WHERE holder IS NOT NULL AND expires_at_ms > ?", nowMs)
    .toArray()
    .map(({ holder }) => `${holder}-`);
  return paths.filter(
    (path) =>
      !tailsOf(path).some((tail) => named.has(tail)) &&
      !holders.some((holder) => path.slice(path.lastIndexOf("/") + 1).startsWith(holder)),
  );
}

/**
 * A file's row names it below its table's folder, wherever that ends; the schedule from the lake's root. No two files
 * share a name.
 */
function tailsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, from) => parts.slice(from).join("/"));
}
