// The columns of a new table are checked. Pure.

import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { CHILD_NAMES, flawOfType } from "../format/column-types.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { flawOfName } from "../format/names.ts";

/**
 * Parquet field ids are positive 32-bit integers. The last 200 are those of columns that are no table's, as the row ids
 * of a file that was compacted: Iceberg reserves them so, and DuckLake's are among them.
 */
const FIELD_ID_MAX = 2 ** 31 - 1 - 200;

/** A column as the catalog stores it: `order` counts depth first from 1. */
export type CatalogColumn = {
  id: number;
  name: string;
  type: string;
  nullable: boolean;
  order: number;
  parentId: number | null;
};

/** Columns depth first, in order from `first` on, children under the names the specification gives them. */
export function flattenColumns(columns: readonly LakeColumn[], first = 1): CatalogColumn[] {
  const flat: CatalogColumn[] = [];
  const add = (column: LakeColumn, name: string, parentId: number | null) => {
    flat.push({
      id: column.id,
      name,
      type: column.type,
      nullable: column.nullable,
      order: flat.length + first,
      parentId,
    });
    column.children.forEach((child, index) => add(child, CHILD_NAMES[column.type]?.[index] ?? child.name, column.id));
  };
  for (const column of columns) add(column, column.name, null);
  return flat;
}

export function flawsOfColumns(columns: readonly LakeColumn[], pointer: string): Flaw[] {
  const flaws: Flaw[] = [];
  const ids = new Set<number>();
  const visit = (siblings: readonly LakeColumn[], at: string, depth: number) => {
    if (depth > LAKE_CATALOG_LIMITS.columnDepthMax)
      return void flaws.push({ pointer: at, message: "Columns are nested too deeply." });
    const names = new Set<string>();
    siblings.forEach((column, index) => {
      const here = `${at}/${index}`;
      const say = (field: string, message: string | undefined) =>
        message && flaws.push({ pointer: `${here}/${field}`, message });
      say("name", flawOfName(column.name));
      if (names.has(foldName(column.name))) say("name", "Another column has this name.");
      if (column.id < 1 || column.id > FIELD_ID_MAX)
        say("id", `A field id is a whole number from 1 to ${FIELD_ID_MAX}.`);
      if (ids.has(column.id)) say("id", "Another column has this id.");
      say("type", flawOfType(column.type, column.children.length));
      names.add(foldName(column.name));
      ids.add(column.id);
      if (column.children.length > 0) visit(column.children, `${here}/children`, depth + 1);
    });
  };
  visit(columns, pointer, 1);
  const message = flawOfColumnCount(ids.size);
  return message ? [...flaws, { pointer, message }] : flaws;
}

/** Why a table can't have this many columns, nested ones among them, or undefined. */
export function flawOfColumnCount(count: number): string | undefined {
  if (count === 0) return "A table has at least one column.";
  return count > LAKE_CATALOG_LIMITS.columnsPerTableMax
    ? `A table has at most ${LAKE_CATALOG_LIMITS.columnsPerTableMax} columns.`
    : undefined;
}
