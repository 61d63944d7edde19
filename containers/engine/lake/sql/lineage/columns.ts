// The columns of queries and relations, and the columns of tables that their values come from. Pure.

import { foldName, sameName } from "../../../duckdb/names.ts";
import type { SourceColumn } from "../../../../../kernel/wire/builds.ts";

/** Columns of tables, each once; null where they are unknown. */
export type Sources = ReadonlyMap<string, SourceColumn> | null;

/** A column of a query or a relation. `name` is undefined where DuckDB makes it up. */
export type Column = { name: string | undefined; sources: Sources };

/** The columns in their order; null where it is not certain which there are. */
export type Columns = readonly Column[] | null;

/** A relation by the name that the query gives it, and by its schema where it has no alias. */
export type Relation = { alias: string; schema: string | undefined; columns: Columns };

/** `visible`: the columns that names without a relation's, and `*`, mean; null where they are not certain. */
export type NameScope = { relations: readonly Relation[]; visible: Columns };

export const sourceOf = (column: SourceColumn): Sources =>
  new Map([[JSON.stringify([column.schema, column.name, column.column]), column]]);

export const joined = (all: readonly Sources[]): Sources =>
  all.every((each) => each !== null) ? new Map(all.flatMap((each) => [...each])) : null;

export const hasName = ({ name }: Column, wanted: string): boolean => name !== undefined && sameName(name, wanted);

/** The sources of the one column of that name. */
export function sourcesNamed(columns: Columns, name: string): Sources {
  const found = columns?.filter((column) => hasName(column, name)) ?? [];
  return found.length === 1 ? found[0]!.sources : null;
}

/** The columns of a relation, the first of them with other names. DuckDB makes others of names that come twice. */
export function renamed(columns: Columns, aliases: readonly string[] = []): Columns {
  if (columns === null || aliases.length > columns.length) return null;
  const taken = new Set<string>();
  return columns.map(({ name: own, sources }, i) => {
    const name = aliases[i] ?? own;
    if (name === undefined || taken.has(foldName(name))) return { name: undefined, sources };
    taken.add(foldName(name));
    return { name, sources };
  });
}
