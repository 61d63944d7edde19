// The tables that a Redshift database has, and why one that is asked for can't be read.

import type { FetchRows } from "../../row-collector.ts";
import type { ListedTable } from "../../snapshot.ts";
import { fetchTables } from "../catalog.ts";

export const listTables = async (fetchRows: FetchRows): Promise<ListedTable[]> =>
  (await fetchTables(fetchRows))
    .filter(({ isReadable }) => isReadable)
    .map(({ schema, name, kind, rows }) => ({
      schema,
      name,
      path: `${schema}.${name}`,
      isView: kind === "view" || kind === "materialized",
      rowsEstimated: rows,
    }));

/** Implements the method of `SourceSnapshot`. */
export async function explainMissing(
  fetchRows: FetchRows,
  paths: readonly string[],
  wereSynced: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const listed = new Set((await fetchTables(fetchRows)).map(({ schema, name }) => `${schema}.${name}`));
  return new Map(paths.map((path) => [path, reasonOf(path, listed.has(path), wereSynced.has(path))]));
}

function reasonOf(path: string, isThere: boolean, wasSynced: boolean): string {
  if (isThere)
    return `The source has ${path}, and this user may not read it: grant it USAGE on the schema and SELECT on the table.`;
  return wasSynced ? `${path} is gone at the source: dropped, or renamed.` : `The source has no table ${path}.`;
}
