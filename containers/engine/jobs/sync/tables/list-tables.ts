// The tables a source has, and which of them a run's patterns mean.

import type { SourceTableName } from "../../../extract/source-table.ts";
import type { SourceSnapshot } from "../../../sources/open-snapshot.ts";
import { foldName } from "../../../duckdb/names.ts";

/** `isView`: a star does not mean it. `rowsEstimated` is by the server's statistics; null where it keeps none. */
export type ListedTable = SourceTableName & { path: string; isView: boolean; rowsEstimated: number | null };

/** As of the snapshot, the server's own schemas left out. Partitions belong to their table. */
export async function listTables(snapshot: SourceSnapshot, signal: AbortSignal): Promise<ListedTable[]> {
  const rows = await snapshot.fetchRows(snapshot.kind === "postgres" ? POSTGRES : MYSQL, "tttN", signal);
  return rows.map(([schema, name, isView, estimate]) => ({
    schema: schema!,
    name: name!,
    path: `${schema}.${name}`,
    isView: isView === "1",
    rowsEstimated: readEstimate(estimate),
  }));
}

/** More than any table has: what a server's statistics say may be anything. */
const ROWS_MAX = 1e15;
const readEstimate = (text: string | null | undefined): number | null =>
  text == null ? null : Math.min(ROWS_MAX, Math.max(0, Number(text)));

/**
 * Both of PostgreSQL's estimates may lag: what ANALYZE last saw, which a new table lacks, and what has been counted
 * since, which a promoted server begins anew. Neither touches the table, so that none waits for a lock.
 */
const POSTGRES = `
  SELECT n.nspname, c.relname, CASE WHEN c.relkind IN ('v', 'm') THEN '1' ELSE '0' END,
    (WITH RECURSIVE leaves(oid) AS (SELECT c.oid UNION SELECT i.inhrelid
      FROM leaves l JOIN pg_catalog.pg_inherits i ON i.inhparent = l.oid)
      SELECT nullif(
        sum(least(greatest(leaf.reltuples::float8, pg_catalog.pg_stat_get_live_tuples(leaf.oid), 0), 1e13))::bigint, 0)
      FROM leaves JOIN pg_catalog.pg_class leaf USING (oid) WHERE leaf.relkind IN ('r', 'm', 'f'))
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> 'information_schema'
    AND n.nspname !~ '^pg_'
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
      OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
  ORDER BY 1, 2`;

const MYSQL = `
  SELECT table_schema, table_name, IF(table_type LIKE '%VIEW%', '1', '0'), table_rows FROM information_schema.tables
  WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    AND table_type <> 'SEQUENCE' ORDER BY 1, 2`;

export type Expansion = {
  tables: ListedTable[];
  /** Named, and not to be found. */
  missing: string[];
  /** Tables that can't be distinguished from others; the reason in words. */
  unclear: Array<{ path: string; reason: string }>;
};

/** Each table once, in the order of the patterns. Partitions and views are taken where they are named. */
export function expandTables(
  patterns: readonly string[],
  only: readonly string[] | null,
  listed: readonly ListedTable[],
): Expansion {
  const found = new Map<string, ListedTable>();
  const expansion: Expansion = { tables: [], missing: [], unclear: [] };
  const isAsked = (path: string): boolean => only === null || only.includes(path);
  for (const pattern of patterns) {
    const named = listed.filter(({ path }) => path === pattern);
    if (named.length === 1) found.set(pattern, named[0]!);
    else if (named.length > 1)
      expansion.unclear.push({
        path: pattern,
        reason:
          `${pattern} can be read as more than one table: a name with a dot in it makes two of them alike. ` +
          "Rename one.",
      });
    else if (pattern.endsWith(".*"))
      for (const table of listed)
        if (table.schema === pattern.slice(0, -2) && !table.isView) found.set(table.path, table);
    if (named.length === 0 && !pattern.endsWith(".*")) expansion.missing.push(pattern);
  }
  const byName = new Map<string, ListedTable>();
  for (const table of found.values()) {
    const other = byName.get(foldName(table.name));
    if (other)
      expansion.unclear.push({
        path: table.path,
        reason: `${other.path} and ${table.path} would be one lake table. Sync them into different schemas.`,
      });
    else byName.set(foldName(table.name), table);
  }
  expansion.tables = [...byName.values()].filter(({ path }) => isAsked(path));
  expansion.missing = expansion.missing.filter(isAsked);
  expansion.unclear = expansion.unclear.filter(({ path }) => isAsked(path));
  return expansion;
}
