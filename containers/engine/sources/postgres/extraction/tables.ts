// The tables that a PostgreSQL database has, and why one that is asked for can't be read.

import type { FetchRows } from "../../row-collector.ts";
import { listedTables, type ListedTable } from "../../snapshot.ts";
import { quoteLiteral } from "../sql-text.ts";

export const listTables = async (fetchRows: FetchRows): Promise<ListedTable[]> =>
  listedTables(await fetchRows(TABLES, "tttN"));

/**
 * Both of PostgreSQL's estimates may lag: what ANALYZE last saw, which a new table lacks, and what has been counted
 * since, which a promoted server begins anew. Neither touches the table, so that none waits for a lock.
 */
const TABLES = `
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

/** Implements the method of `SourceSnapshot`. */
export async function explainMissing(
  fetchRows: FetchRows,
  paths: readonly string[],
  wereSynced: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await fetchRows(hiddenQuery(paths), "tTT");
  const found = new Map(rows.map(([path, parent, mayUse]) => [path, reasonOf(path!, parent ?? null, mayUse === "t")]));
  const unseen = (path: string): string =>
    wereSynced.has(path) ? `${path} is gone at the source: dropped, or renamed.` : `The source has no table ${path}.`;
  return new Map(paths.map((path) => [path, found.get(path) ?? unseen(path)]));
}

function reasonOf(path: string, parent: string | null, mayUse: boolean): string {
  if (parent !== null) return `${path} is a partition of ${parent} now, and is read with it: sync that one instead.`;
  const right = mayUse ? "SELECT on it" : `USAGE on its schema`;
  return `The source has ${path}, and this role may not read it: grant it ${right}.`;
}

const hiddenQuery = (paths: readonly string[]): string => `
  SELECT n.nspname || '.' || c.relname, CASE WHEN c.relispartition
    THEN (SELECT min(i.inhparent::pg_catalog.regclass::text) FROM pg_catalog.pg_inherits i
    WHERE i.inhrelid = c.oid) END,
    pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname || '.' || c.relname IN (${paths.map(quoteLiteral).join(", ")})`;
