// Data-access roles at a source whose statements the engine can't rewrite: a bound caller's statement reads a table
// wholly or not at all. Where it can't be known what a name stands for, it counts as each table that it could be. This
// file is pure.

import { isGrantedWhole, type AccessIndex } from "../../../../kernel/access/decide-table.ts";
import type { SourceTableName } from "../../extract/source-table.ts";
import { notThere } from "./not-there.ts";

/**
 * A name as the source understands it, part by part, folded as it folds what stands without quotes: `sales.orders` has
 * two parts. A part that is left out (`shop..orders`) is empty.
 */
export type WrittenName = readonly string[];

/** Tables that the caller may not read wholly. */
export const hiddenTables = <Table extends SourceTableName>(index: AccessIndex, tables: readonly Table[]): Table[] =>
  tables.filter((table) => !isGrantedWhole(index, table));

/** Throws {@link notThere} where a statement that reads these tables could show what the roles hide. */
export function checkWholeTables(index: AccessIndex, tables: readonly SourceTableName[]): void {
  if (hiddenTables(index, tables).length > 0) throw notThere();
}

/**
 * The tables of `known` that a statement could mean by the names in it, wherever they stand: each part of a name may be
 * a table's, of the schema that stands before it where there is one, else of any. `fold`: names are one to the source
 * where these are equal.
 */
export function tablesNamed<Table extends SourceTableName>(
  names: readonly WrittenName[],
  known: readonly Table[],
  fold: (name: string) => string,
): Table[] {
  const byName = Map.groupBy(known, ({ name }) => fold(name));
  const found = new Set<Table>();
  for (const parts of names)
    parts.forEach((part, i) => {
      const schema = parts[i - 1] ?? "";
      for (const table of byName.get(fold(part)) ?? [])
        if (schema === "" || fold(schema) === fold(table.schema)) found.add(table);
    });
  return [...found];
}
