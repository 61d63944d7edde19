// Which columns of its tables a bound statement may read, by their names alone. What a name refers to is not computed: a
// name counts for every table that has such a column.

import { ALLOWED_FUNCTIONS } from "./allowed-names.ts";
import type { BoundStatement } from "./bound-statement.ts";
import type { RelationColumn } from "./describe-relations.ts";

/** PostgreSQL keeps this many bytes of a name. */
const NAME_BYTES = 63;

/**
 * An expression over a column names it, or its table's whole row, a star, a join by all common names, or a list of
 * other names for a table's columns: with one of these each column counts. `tables`: the columns of each table that the
 * statement reads, those alone that its caller may see.
 */
export function columnsInPlay(
  { uses, notations, rangeNames }: BoundStatement,
  tables: readonly (readonly RelationColumn[])[],
): RelationColumn[] {
  const columns = tables.flat();
  const names = new Set([...uses.columns, ...notations]);
  const isOfAll = (name: string): boolean => tables.every((table) => table.some((column) => column.name === name));
  const readsEvery =
    uses.readsUnnamed ||
    [...names].some(isUncertain) ||
    rangeNames.some((name) => uses.columns.has(name)) ||
    // `t.name` is the function of the row where t has no column of this name.
    notations.some((name) => ALLOWED_FUNCTIONS.has(name) && !isOfAll(name));
  return readsEvery ? columns : columns.filter(({ name }) => names.has(name));
}

/** The server may fold other letters than ASCII's, or cut a name elsewhere, than the parser here. */
const isUncertain = (name: string): boolean => Buffer.byteLength(name) >= NAME_BYTES || /[^ -~]/.test(name);
