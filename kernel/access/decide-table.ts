// The decision about one table, taken once, as data: its view says what a caller may see. Pure; the catalog of a lake
// and the connectors of sources ask it.

import {
  EVERY,
  type AccessGrant,
  type AccessRoles,
  type CellCase,
  type RowCondition,
  type RowFilter,
  type TableView,
} from "./access.ts";

type TableName = { schema: string; name: string };

/**
 * A table with its present name first and all its earlier names, and its columns by key with theirs. A source knows
 * present names alone.
 */
export type KnownTable = {
  names: readonly [TableName, ...TableName[]];
  columns: readonly { key: number; names: readonly [string, ...string[]] }[];
};

/** The access to a table. Undefined: there is no such table for the caller. `whole`: the table has no restriction. */
export type TableAccess = "whole" | TableView | undefined;

/** The roles of one caller in one integration, made ready to be asked about tables. */
export type AccessIndex = { fold: Fold; foldColumn: Fold; roles: readonly RoleIndex[] };
export type Fold = (name: string) => string;
type RoleIndex = ReadonlyMap<string, AccessGrant>;

/**
 * `fold`: the integration takes two table names as equal where their folded forms are; `foldColumn`: the same rule for
 * column names.
 */
export const indexAccess = (roles: AccessRoles, fold: Fold, foldColumn: Fold = fold): AccessIndex => ({
  fold,
  foldColumn,
  roles: roles.map((grants) => new Map(grants.map((grant) => [keyOf(grant.schema, grant.table, fold), grant]))),
});

const keyOf = (schema: string, table: string, fold: Fold): string =>
  `${JSON.stringify(schema === EVERY ? EVERY : fold(schema))} ${table === EVERY ? EVERY : fold(table)}`;

/** Whether a table of this name could be granted, whatever its columns. */
export const isGranted = (index: AccessIndex, name: TableName): boolean =>
  index.roles.some((role) => findGrant(role, keysOf([name], index.fold)) !== undefined);

/** Whether all tables of the schema are granted, in whole or in part, future ones included. */
export const isSchemaGranted = ({ roles, fold }: AccessIndex, schema: string): boolean => {
  const keys = [keyOf(schema, EVERY, fold), keyOf(EVERY, EVERY, fold)];
  return roles.some((role) => keys.some((key) => role.has(key)));
};

/** Whether a table that is known only by its name is granted as a whole. */
export const isGrantedWhole = ({ roles, fold }: AccessIndex, name: TableName): boolean =>
  roles.some((role) => {
    const grant = findGrant(role, keysOf([name], fold));
    return grant !== undefined && isUnrestricted(grant);
  });

/**
 * Whether one role grants all of every table of the schema, future ones included; {@link EVERY} stands for all schemas.
 */
export const isSchemaGrantedWhole = ({ roles, fold }: AccessIndex, schema: string): boolean =>
  roles.some((role) => {
    const grant = role.get(keyOf(schema, EVERY, fold)) ?? role.get(keyOf(EVERY, EVERY, fold));
    if (grant === undefined || !isUnrestricted(grant)) return false;
    const isWithin = ({ schema: other }: AccessGrant) =>
      schema === EVERY || other === EVERY || fold(other) === fold(schema);
    return [...role.values()].every((each) => each === grant || !isWithin(each) || isUnrestricted(each));
  });

/** Whether anything is granted of the schema's tables, whether or not there are any. */
export const isAnythingGranted = ({ roles, fold }: AccessIndex, schema: string): boolean =>
  roles.some((role) => [...role.values()].some((each) => each.schema === EVERY || fold(each.schema) === fold(schema)));

const isUnrestricted = ({ excludes, masks, filters }: AccessGrant): boolean =>
  excludes.length === 0 && Object.keys(masks).length === 0 && filters?.length === 0;

/**
 * Decides on one table. A filter on a column that the table does not have grants no rows. A table without a visible
 * column does not exist for the caller.
 */
export function decideTable({ roles, fold, foldColumn }: AccessIndex, table: KnownTable): TableAccess {
  const grants: AccessGrant[] = [];
  const [present, ever] = [keysOf([table.names[0]], fold), keysOf(table.names, fold)];
  for (const role of roles) {
    // Only the table's present name opens it; restrictions of its earlier names still apply.
    if (!findGrant(role, present)) continue;
    grants.push(findGrant(role, ever)!);
  }
  if (grants.length === 0) return undefined;
  const columns = columnsByName(table, foldColumn);
  const conditions = grants.map(({ filters }) => conditionOf(filters, columns, foldColumn));
  const cells = table.columns.flatMap(({ key, names }) => {
    const cases = casesOf(grants, new Set(names.map(foldColumn)), foldColumn);
    return cases.length === 0 ? [] : [{ column: key, cases: shortest(cases, conditions) }];
  });
  if (cells.length === 0) return undefined;
  const isWhole =
    conditions.some(holdsAlways) &&
    cells.length === table.columns.length &&
    cells.every(
      ({ cases: [first] }) => first!.mask === undefined && first!.grants.some((i) => holdsAlways(conditions[i]!)),
    );
  return isWhole ? "whole" : { grants: conditions, cells };
}

/** The keys of a grant for the table, the closest first: by its name, by its schema, by neither. */
const keysOf = (names: readonly TableName[], fold: Fold): string[] => [
  ...names.map(({ schema, name }) => keyOf(schema, name, fold)),
  ...names.map(({ name }) => keyOf(EVERY, name, fold)),
  ...names.map(({ schema }) => keyOf(schema, EVERY, fold)),
  keyOf(EVERY, EVERY, fold),
];

function findGrant(role: RoleIndex, keys: readonly string[]): AccessGrant | undefined {
  for (const key of keys) {
    const grant = role.get(key);
    if (grant) return grant;
  }
  return undefined;
}

type ColumnKeys = ReadonlyMap<string, number>;

/** The keys of columns by present name, and by earlier names that no column has now. */
function columnsByName({ columns }: KnownTable, fold: Fold): ColumnKeys {
  const keys = new Map<string, number>();
  for (const { key, names } of columns) keys.set(fold(names[0]), key);
  for (const { key, names } of columns) for (const name of names) if (!keys.has(fold(name))) keys.set(fold(name), key);
  return keys;
}

const NO_ROW: RowCondition = { or: [] };

/** The keys of the columns that a condition reads. */
export function columnsRead(condition: RowCondition): number[] {
  if ("column" in condition) return [condition.column];
  return ("and" in condition ? condition.and : condition.or).flatMap(columnsRead);
}

/** Whether the condition is one that every row meets. */
export const holdsAlways = (condition: RowCondition): boolean => "and" in condition && condition.and.length === 0;

function conditionOf(filters: AccessGrant["filters"], columns: ColumnKeys, fold: Fold): RowCondition {
  if (filters === null) return NO_ROW;
  const conditions = filters.map((filter) => resolve(filter, columns, fold));
  return conditions.includes(undefined) ? NO_ROW : { and: conditions as RowCondition[] };
}

/**
 * The filter with its columns resolved. Undefined where a column is missing: then no part of the filter can be trusted,
 * least of all a negation.
 */
function resolve(filter: RowFilter, columns: ColumnKeys, fold: Fold): RowCondition | undefined {
  if ("member" in filter) {
    const column = columns.get(fold(filter.member));
    return column === undefined ? undefined : { column, operator: filter.operator, values: filter.values };
  }
  const isAnd = "and" in filter;
  const inner = (isAnd ? filter.and : filter.or).map((each) => resolve(each, columns, fold));
  if (inner.includes(undefined)) return undefined;
  const conditions = inner as RowCondition[];
  return isAnd ? { and: conditions } : { or: conditions };
}

/** The cases of a column: the grants that show its value first, then each mask with the grants that have it. */
function casesOf(grants: readonly AccessGrant[], names: ReadonlySet<string>, fold: Fold): CellCase[] {
  const shown: number[] = [];
  const masks = new Map<CellCase["mask"], number[]>();
  grants.forEach(({ excludes, masks: masked }, i) => {
    if (excludes.some((name) => names.has(fold(name)))) return;
    const mask = Object.entries(masked).find(([name]) => names.has(fold(name)));
    if (!mask) shown.push(i);
    else masks.set(mask[1], [...(masks.get(mask[1]) ?? []), i]);
  });
  return [...(shown.length > 0 ? [{ grants: shown }] : []), ...[...masks].map(([mask, of]) => ({ grants: of, mask }))];
}

/** Drops the cases behind a case that holds for every row: they are never reached. */
function shortest(cases: readonly CellCase[], conditions: readonly RowCondition[]): CellCase[] {
  const end = cases.findIndex(({ grants }) => grants.some((i) => holdsAlways(conditions[i]!)));
  return end < 0 ? [...cases] : cases.slice(0, end + 1);
}
