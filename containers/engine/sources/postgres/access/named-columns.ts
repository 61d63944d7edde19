// A bound statement may read some columns of its tables, judged by their names alone. The column that a name refers to
// is not computed: a name counts for every table that has such a column.

import { ALLOWED_FUNCTIONS } from "./allowed-names.ts";
import type { BoundStatement, Notation } from "./bound-statement.ts";
import type { RelationColumn } from "./describe-relations.ts";
import type { ColumnNames } from "./statement-uses.ts";

/** PostgreSQL keeps this many bytes of a name. */
const NAME_BYTES = 63;

type Columns = readonly RelationColumn[];

/**
 * An expression over a column names it, or its table's whole row, a star, a join by all common names, or a list of
 * other names for a table's columns: with one of these each column counts. `named`: of the statement's columns those
 * that are asked about. `tables`: for each of its references the columns that its caller may see.
 */
export function columnsInPlay(
  statement: BoundStatement,
  named: readonly ColumnNames[],
  tables: readonly Columns[],
): RelationColumn[] {
  const alone = new Set(named.flatMap((each) => [...each.alone]));
  const names = new Set([...alone, ...named.flatMap((each) => [...each.dotted])]);
  const readsEvery =
    named.some(({ hasUnnamed }) => hasUnnamed) ||
    [...names].some(isUncertain) ||
    statement.rangeNames.some((name) => alone.has(name)) ||
    statement.notations.some((notation) => mayTakeRow(notation, statement, tables));
  const columns = tables.flat();
  return readsEvery ? columns : columns.filter(({ name }) => names.has(name));
}

/** The server may fold other letters than ASCII's, or cut a name elsewhere, than the parser here. */
const isUncertain = (name: string): boolean => Buffer.byteLength(name) >= NAME_BYTES || /[^ -~]/.test(name);

/** `t.name` is the function of the whole row where t has no column of this name. */
function mayTakeRow(
  { name, of }: Notation,
  { references, rangeNames }: BoundStatement,
  tables: readonly Columns[],
): boolean {
  if (!ALLOWED_FUNCTIONS.has(name)) return false;
  const called = tables.filter((_, i) => (references[i]!.alias ?? references[i]!.name) === of);
  // A join may be called so, and has the columns of its tables.
  const isTable =
    of !== undefined &&
    !isUncertain(of) &&
    called.length > 0 &&
    rangeNames.filter((each) => each === of).length === called.length;
  return !(isTable ? called : tables).every((table) => table.some((column) => column.name === name));
}
