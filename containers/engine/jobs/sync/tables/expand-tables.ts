// A run's patterns are expanded to the source's tables that they mean.

import { foldName } from "../../../duckdb/names.ts";
import type { SyncWork } from "../../../../../kernel/jobs/work.ts";
import { isNameOf, withName, type NameFolding } from "../../../../../kernel/text/name-folding.ts";
import type { ListedTable } from "../../../sources/snapshot.ts";

export type Expansion = {
  tables: ListedTable[];
  /** Tables that were named and do not exist. */
  missing: string[];
  /** Tables that can't be distinguished from others; the reason in words. */
  unclear: Array<{ path: string; reason: string }>;
};

const isDotted = ([first, ...others]: readonly ListedTable[]): boolean =>
  others.some(({ path }) => path === first!.path);
const pathOf = ({ path }: ListedTable): string => path;
const schemaOf = ({ schema }: ListedTable): string => schema;

/** Each table once, in the order of the patterns. Partitions and views are taken where they are named. */
export function expandTables(
  { tables: patterns, only }: Pick<SyncWork, "tables" | "only">,
  listed: readonly ListedTable[],
  folding: NameFolding = "exact",
): Expansion {
  const found = new Map<string, ListedTable>();
  const expansion: Expansion = { tables: [], missing: [], unclear: [] };
  const isAsked = (path: string): boolean => only === null || only.some((typed) => isNameOf(folding, typed, path));
  for (const pattern of patterns) {
    const named = withName(folding, pattern, listed, pathOf);
    if (named.length === 1) found.set(named[0]!.path, named[0]!);
    else if (named.length > 1)
      expansion.unclear.push({
        path: pattern,
        reason: isDotted(named)
          ? `${pattern} can be read as more than one table: a name with a dot in it makes two of them alike. Rename one.`
          : `${pattern} can be read as more than one table: ${named.map(pathOf).join(", ")}. Name it as it is spelled.`,
      });
    else if (pattern.endsWith(".*"))
      for (const table of withName(folding, pattern.slice(0, -2), listed, schemaOf))
        if (!table.isView) found.set(table.path, table);
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
