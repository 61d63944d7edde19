// A table as the relation that its caller may read: rows and cells by its view, over its files' columns. The caller's
// SQL is computed above the view and never on what the view hides.

import type { LakeColumn, LakeTable, LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { CellCase, MaskValue } from "../../../../kernel/access/access.ts";
import { columnsRead } from "../../../../kernel/access/decide-table.ts";
import { DUCKDB_FILTERS, duckdbFilterColumn } from "../../access/duckdb-filters.ts";
import { ALWAYS, conditionSql, either, NEVER } from "../../access/row-filter-sql.ts";
import { Failure } from "../../core/failure.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { duckdbType } from "../../parquet/lake-types.ts";

/**
 * DuckDB moves no filter, join, order or limit past a sample, not even one of everything, which costs nothing and hands
 * rows on as they come, by all threads.
 */
const FENCE = " USING SAMPLE 100 PERCENT (system)";

/**
 * For statements on fenced tables. By a column's bounds DuckDB would decide what a statement needs not do at all, and
 * bounds are those of hidden rows as well.
 */
export const FENCED_SETUP = "SET disabled_optimizers = 'statistics_propagation,late_materialization,sampling_pushdown'";

/** Where the relations beneath views are while a statement is planned; no statement can name a table there. */
export const BENEATH_SCHEMA = "fjord rows";

type View = Exclude<LakeTable["view"], "whole">;

declare const RESTRICTED: unique symbol;

/**
 * A table as its caller may read it. Nothing else of a caller's statement becomes SQL over a table's files, and only
 * {@link relationOf} makes it, of a table with its view. Syncs and maintenance, which read for nobody, scan files.
 */
export type RestrictedRelation = LakeTableName & {
  readonly [RESTRICTED]: true;
  tableId: number;
  /** Whether the caller sees the table as it is. */
  isWhole: boolean;
  /** Whether what is hidden depends on the row. Otherwise some columns are missing or masked, and no more. */
  isFenced: boolean;
  /** Whether the caller sees no row. */
  isEmpty: boolean;
  /** The columns that the caller sees. */
  columns: readonly LakeColumn[];
  /** The columns that are read of the table's files; a restricted table gives them names that no other column has. */
  beneath: readonly LakeColumn[];
  /** A query for the visible rows and cells, over a relation with the columns `beneath`. */
  sql(from: string): string;
};

type Restriction = Pick<RestrictedRelation, "isFenced" | "isEmpty" | "columns" | "beneath" | "sql">;

const relations = new WeakMap<LakeTable, RestrictedRelation>();

export function relationOf(table: LakeTable): RestrictedRelation {
  const known = relations.get(table);
  if (known) return known;
  const { tableId, schema, name, view } = table;
  const isWhole = view === "whole";
  const restriction = isWhole ? unrestricted(table) : restrict(table, view);
  const relation = { tableId, schema, name, isWhole, ...restriction } as RestrictedRelation;
  relations.set(table, relation);
  return relation;
}

/** The columns that are read of the table's files. */
export const readColumns = (table: LakeTable): readonly LakeColumn[] => relationOf(table).beneath;

export const isFenced = (table: LakeTable): boolean => relationOf(table).isFenced;

/** Throws `statement_refused` for tables whose plan would show their view's conditions, and how much these hide. */
export function refusePlansOf(tables: readonly LakeTable[]): void {
  if (tables.some(isFenced))
    throw new Failure("statement_refused", "EXPLAIN can't be used on a table of which you see a part.");
}

const unrestricted = ({ columns }: LakeTable): Restriction => ({
  isFenced: false,
  isEmpty: false,
  columns,
  beneath: columns,
  sql: (from) => `SELECT * FROM ${from}`,
});

function restrict(table: LakeTable, view: View): Restriction {
  const known = new Map([...view.beneath, ...table.columns].map((column) => [column.id, column]));
  const filtered = new Map([...known].map(([id, column]) => [id, duckdbFilterColumn(column, nameBeneath(id))]));
  const conditions = view.grants.map((grant) => conditionSql(grant, filtered, DUCKDB_FILTERS));
  const rows = either(conditions);
  const cells = table.columns.flatMap((column) => {
    const shown = view.cells.find((cell) => cell.column === column.id);
    return shown ? [cellOf(column, shown.cases, conditions)] : [];
  });
  const isFenced = rows !== ALWAYS || cells.some(({ isConditional }) => isConditional);
  const read = new Set([
    ...(isFenced ? view.grants.flatMap(columnsRead) : []),
    ...cells.flatMap(({ column, readsValue }) => (readsValue ? [column.id] : [])),
  ]);
  const list = cells.map(({ column, sql }) => `${sql} AS ${quoteIdentifier(column.name)}`).join(", ");
  const held = conditions.map((condition, i) => `, ${condition} AS ${nameOfGrant(i)}`).join("");
  return {
    isFenced,
    isEmpty: rows === NEVER,
    columns: cells.map(({ column }) => ({ ...column, nullable: true })),
    beneath: [...known.values()]
      .filter(({ id }) => read.has(id))
      .map((column) => ({ ...column, name: `column ${column.id}` })),
    sql: (from) =>
      isFenced
        ? `SELECT * FROM (SELECT ${list} FROM (SELECT *${held} FROM ${from}) WHERE ${rowsSql(conditions)})${FENCE}`
        : `SELECT ${list} FROM ${from}`,
  };
}

const nameBeneath = (id: number): string => quoteIdentifier(`column ${id}`);
const nameOfGrant = (i: number): string => quoteIdentifier(`grant ${i}`);

/** The condition that at least one of some grants holds. */
const rowsSql = (conditions: readonly string[], grants = [...conditions.keys()]): string =>
  either(grants.map((i) => ([ALWAYS, NEVER].includes(conditions[i]!) ? conditions[i]! : nameOfGrant(i))));

type Cell = { column: LakeColumn; sql: string; isConditional: boolean; readsValue: boolean };

/** The cell of a visible row, for which at least one of the grants holds. */
function cellOf(column: LakeColumn, cases: readonly CellCase[], conditions: readonly string[]): Cell {
  const granting = [...conditions.keys()].filter((i) => conditions[i] !== NEVER);
  let [otherwise, whens, readsValue] = [`CAST(NULL AS ${duckdbType(column)})`, "", false];
  for (const { grants, mask } of cases) {
    const value = mask === undefined ? nameBeneath(column.id) : maskSql(column, mask);
    const when = rowsSql(conditions, grants);
    if (when === NEVER) continue;
    readsValue ||= mask === undefined;
    const isCertain = when === ALWAYS || granting.every((i) => grants.includes(i));
    if (isCertain) otherwise = value;
    else whens += ` WHEN ${when} THEN ${value}`;
    if (isCertain) break;
  }
  const sql = whens === "" ? otherwise : `CASE${whens} ELSE ${otherwise} END`;
  return { column, sql, isConditional: whens !== "", readsValue };
}

/** The mask's value; NULL where the column's type does not have it. */
function maskSql(column: LakeColumn, mask: MaskValue): string {
  const text = String(mask);
  const isText = mask !== null && text.isWellFormed() && !text.includes("\0");
  return isText ? `TRY(CAST(${quoteLiteral(text)} AS ${duckdbType(column)}))` : `CAST(NULL AS ${duckdbType(column)})`;
}
