// A bound statement reads a table in one of two ways: as the table itself, or as a SELECT of the rows and cells that
// its caller may see.

import type { CellCase, MaskValue, TableView } from "../../../../../kernel/access/access.ts";
import type { KnownTable, TableAccess } from "../../../../../kernel/access/decide-table.ts";
import { Failure } from "../../../core/failure.ts";
import { equalConstant } from "../../../../../kernel/access/filter-constants.ts";
import { ALWAYS, conditionSql, either, NEVER, type FilterColumns } from "../../../access/row-filter-sql.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../sql-text.ts";
import type { RelationColumn, RelationDescription } from "./describe-relations.ts";
import { isPlainText, POSTGRES_FILTERS, postgresFilterColumn, type PostgresFilterColumn } from "./postgres-filters.ts";
import type { ResolvedRelation } from "./resolve-relations.ts";

/** All SELECTs that stand for tables in one statement hold at most this many characters together. */
export const VIEWS_CHARACTERS_MAX = 8 * 1024 * 1024;

export const tooLarge = (): Failure =>
  new Failure(
    "resources_exceeded",
    "The statement names too many tables, of too many columns or with too long filters in your data-access roles.",
  );

/**
 * The table as the decision knows it. A restriction of a partitioned table also holds for a part of it that is read by
 * itself.
 */
export const knownTable = ({ schema, name }: ResolvedRelation, described: RelationDescription): KnownTable => ({
  names: [{ schema, name }, ...described.ancestors],
  columns: shownColumns(described).map((column) => ({ key: column.key, names: [column.name] })),
});

/** The columns of the view, or of the whole table. */
export const visibleColumns = (
  described: RelationDescription,
  access: Exclude<TableAccess, undefined>,
): RelationColumn[] => {
  const columns = shownColumns(described);
  if (access === "whole") return columns;
  const keys = new Set(access.cells.map(({ column }) => column));
  return columns.filter(({ key }) => keys.has(key));
};

const shownColumns = ({ columns }: RelationDescription): RelationColumn[] =>
  columns.filter(({ shownAs }) => shownAs !== "hidden");

/**
 * Keeps every expression of the statement from being evaluated before a row is found to be there: the planner moves
 * nothing into a SELECT with an OFFSET. A constant of OFFSET's own type still allows a parallel plan.
 */
const FENCE = " OFFSET '0'";

/** A SELECT in parentheses; undefined where the table can be read as it is. Where rows are hidden, it is fenced. */
export function viewSql(
  relation: ResolvedRelation,
  described: RelationDescription,
  access: Exclude<TableAccess, undefined>,
  only: boolean,
): string | undefined {
  const columns = shownColumns(described);
  const isPlain =
    !described.isRowCast &&
    columns.length === described.columns.length &&
    columns.every(({ shownAs, isDomain }) => shownAs === "type" && !isDomain);
  if (access === "whole" && isPlain && !described.isLeakyView) return undefined;
  const view = access === "whole" ? wholeView(columns) : access;
  const filters = new Map(columns.map((column) => [column.key, postgresFilterColumn(column)]));
  const conditions = view.grants.map((grant) => conditionSql(grant, filters, POSTGRES_FILTERS));
  const where = either(conditions);
  const isFenced = where !== ALWAYS || described.isLeakyView;
  let characters = 0;
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const cells = view.cells.map(({ column: key, cases }) => {
    const column = byKey.get(key)!;
    const sql = new Cell(column, filters, { isFenced, isRestricted: access !== "whole" }).sql(cases, conditions);
    // A condition may stand in each of many cells.
    characters += sql.length;
    if (characters > VIEWS_CHARACTERS_MAX) throw tooLarge();
    return `${sql} AS ${quoteIdentifier(column.name)}`;
  });
  const from = `FROM ${only ? "ONLY " : ""}${quoteTable(relation)}`;
  return `(SELECT ${cells.join(", ")} ${from} WHERE ${where}${isFenced ? FENCE : ""})`;
}

const wholeView = (columns: readonly RelationColumn[]): TableView => ({
  grants: [{ and: [] }],
  cells: columns.map(({ key }) => ({ column: key, cases: [{ grants: [0] }] })),
});

class Cell {
  readonly #column: RelationColumn;
  readonly #filter: PostgresFilterColumn;
  readonly #isFenced: boolean;
  readonly #isText: boolean;

  constructor(
    column: RelationColumn,
    filters: FilterColumns<PostgresFilterColumn>,
    { isFenced, isRestricted }: { isFenced: boolean; isRestricted: boolean },
  ) {
    this.#column = column;
    this.#filter = filters.get(column.key)!;
    this.#isFenced = isFenced;
    // A comparison with a label tells whether the type has it, and hidden rows may be all that do.
    this.#isText = column.shownAs === "text" || (column.isEnum && isRestricted);
  }

  sql(cases: readonly CellCase[], conditions: readonly string[]): string {
    const masks = cases.flatMap(({ mask }) => (mask === undefined || mask === null ? [] : [mask]));
    const isShown = cases.some(({ mask }) => mask === undefined);
    const type = this.#typeOf(masks, isShown);
    // A row that is there meets the condition of some grant.
    const isThere = either(conditions);
    const conditionOf = (when: string): string => (when === isThere ? ALWAYS : when);
    const arms = cases.map(({ grants, mask }) => ({
      when: conditionOf(either(grants.map((i) => conditions[i]!))),
      value: mask === undefined ? this.#value(type) : this.#mask(mask, type),
    }));
    const possible = arms.filter(({ when }) => when !== NEVER);
    const [first] = possible;
    if (!first) return this.#mask(null, type);
    if (first.when === ALWAYS) return first.value;
    const last = possible.at(-1)!;
    const end = last.when === ALWAYS ? ` ELSE ${possible.pop()!.value}` : "";
    return `(CASE ${possible.map(({ when, value }) => `WHEN ${when} THEN ${value}`).join(" ")}${end} END)`;
  }

  /** The planner would try a statement's comparisons on samples of a bare column, those of hidden rows among them. */
  #value(type: string): string {
    const { name, isDomain } = this.#column;
    const column = quoteIdentifier(name);
    // By the type's own output, for a cast may be a function of the database's own.
    if (this.#isText || type !== this.#column.type)
      return `(CASE WHEN num_nonnulls(${column}) = 1 THEN format('%s', ${column}) END)`;
    if (isDomain) return `(${column}::${type})`;
    return this.#isFenced ? `coalesce(${column}, ${column})` : column;
  }

  #mask(mask: MaskValue, type: string): string {
    if (mask === null) return `NULL::${type}`;
    const constant =
      type === this.#column.type && typeof mask !== "string"
        ? equalConstant(this.#filter.type, String(mask))
        : undefined;
    if (constant !== undefined) return POSTGRES_FILTERS.constant(this.#filter, constant);
    return `${quoteLiteral(String(mask))}::${type}`;
  }

  /** The type of the column's values and masks, all of them: the server then casts none of them to another's type. */
  #typeOf(masks: readonly MaskValue[], isShown: boolean): string {
    if (this.#isText) return "pg_catalog.text";
    if (masks.every((mask) => this.#fits(mask))) return this.#column.type;
    const [mask, ...more] = masks;
    const isOther = !isShown && more.length === 0 && typeof mask !== "string" && this.#filter.type.kind !== "text";
    if (!isOther) return "pg_catalog.text";
    return `pg_catalog.${typeof mask === "boolean" ? "bool" : "numeric"}`;
  }

  #fits(mask: MaskValue): boolean {
    const { type } = this.#filter;
    if (type.kind === "text") return typeof mask === "string" && isPlainText(this.#column);
    return typeof mask !== "string" && equalConstant(type, String(mask)) !== undefined;
  }
}
