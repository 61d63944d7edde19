// Which columns of its tables a bound statement may read, by their names alone. What a name refers to is not computed: a
// name counts for every table that has such a column.

import { ALLOWED_FUNCTIONS } from "./allowed-names.ts";
import type { BoundStatement, Notation } from "./bound-statement.ts";
import type { RelationColumn } from "./describe-relations.ts";

/** PostgreSQL keeps this many bytes of a name. */
const NAME_BYTES = 63;

type Columns = readonly RelationColumn[];

/**
 * An expression over a column names it, or its table's whole row, a star, a join by all common names, or a list of
 * other names for a table's columns: with one of these each column counts. `tables`: for each reference of the
 * statement the columns that its caller may see.
 */
export function columnsInPlay(statement: BoundStatement, tables: readonly Columns[]): RelationColumn[] {
  const { uses, notations, rangeNames } = statement;
  const names = new Set([...uses.columns, ...notations.flatMap(({ name, of = name }) => [name, of])]);
  const readsEvery =
    uses.readsUnnamed ||
    [...names].some(isUncertain) ||
    rangeNames.some((name) => uses.columns.has(name)) ||
    notations.some((notation) => mayTakeRow(notation, statement, tables));
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
  const isTable = called.length > 0 && rangeNames.filter((each) => each === of).length === called.length;
  return !(isTable ? called : tables).every((table) => table.some((column) => column.name === name));
}
