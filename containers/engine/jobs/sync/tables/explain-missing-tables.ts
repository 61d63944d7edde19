// Why a table that a sync names can't be read, and what is to be done about it: in words for people.

import type { SourceSnapshot } from "../../../sources/open-snapshot.ts";
import { quoteLiteral } from "../../../sources/postgres/sql-text.ts";

/** By `schema.table`. `wereSynced`: those the lake has a copy of. */
export async function explainMissingTables(
  snapshot: SourceSnapshot,
  paths: readonly string[],
  wereSynced: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const found =
    snapshot.kind === "postgres" && paths.length > 0
      ? await lookUp(snapshot, paths, signal)
      : new Map<string, string>();
  return new Map(
    paths.map((path) => [
      path,
      found.get(path) ?? (wereSynced.has(path) ? gone(path, snapshot.kind) : neverThere(path, snapshot.kind)),
    ]),
  );
}

/** What the lake has of a table that can't be read any more. */
export const TABLE_KEPT = "The lake keeps the table as it was.";

/** MySQL shows no account what it may not read. */
const gone = (path: string, kind: SourceSnapshot["kind"]): string =>
  kind === "postgres"
    ? `${path} is gone at the source: dropped, or renamed.`
    : `${path} is gone at the source, or this account may not read it any more.`;
const neverThere = (path: string, kind: SourceSnapshot["kind"]): string =>
  kind === "postgres"
    ? `The source has no table ${path}.`
    : `The source has no table ${path}, or this account may not read it.`;

async function lookUp(
  snapshot: SourceSnapshot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const rows = await snapshot.fetchRows(hiddenQuery(paths), "tTT", signal);
  return new Map(rows.map(([path, parent, mayUse]) => [path!, reasonOf(path!, parent ?? null, mayUse === "t")]));
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
