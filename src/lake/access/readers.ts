// One decision says what a reader may see of a lake's tables; it goes by a table's identity.

import {
  columnsRead,
  decideTable,
  holdsAlways,
  isSchemaGranted,
  type AccessIndex,
} from "../../../kernel/access/decide-table.ts";
import type { TableView } from "../../../kernel/access/access.ts";
import type { LakeDescription, LakeTable, Predicate } from "../../../kernel/lake/lake.ts";
import type { RowPredicate } from "../../../kernel/lake/row-predicates.ts";
import { grantedRows } from "./granted-rows.ts";
import { readKnownTables, type KnownLakeTable } from "./known-tables.ts";

/** A reader as a token names it: "everything" reads the whole lake, and a digest what its roles grant. */
export type ReaderName = "everything" | (string & {});

/** A reader whose roles are at hand. */
export type Reader = "everything" | AccessIndex;

/** What there is at a snapshot, as the reader sees it: names of the rest are not in it. */
export function describeFor(reader: Reader, sql: SqlStorage, description: LakeDescription): LakeDescription {
  if (reader === "everything") return description;
  const known = readKnownTables(sql, description.snapshotId);
  const tables = description.tables.flatMap((table) => seenBy(reader, known.get(table.tableId), table) ?? []);
  const shown = new Set(tables.map(({ schema }) => schema));
  const schemas = description.schemas.filter((schema) => shown.has(schema) || isSchemaGranted(reader, schema));
  return { ...description, schemas, tables };
}

function seenBy(reader: AccessIndex, known: KnownLakeTable | undefined, table: LakeTable): LakeTable | undefined {
  const access = known && decide(reader, known);
  if (!known || access === undefined) return undefined;
  if (access === "whole") return { ...table, view: "whole" };
  const shown = new Set(access.cells.map(({ column }) => column));
  const read = new Set(access.grants.flatMap(columnsRead));
  // A later table of the name decides on columns of a dropped one, whose own version no commit changes any more.
  const gone = table.columns.flatMap(({ id }) => (known.dropped.has(id) ? [id] : []));
  return {
    ...table,
    version: [table.version, ...gone].join("-"),
    columns: table.columns.filter(({ id }) => shown.has(id)),
    view: { ...access, beneath: table.columns.filter(({ id }) => read.has(id) && !shown.has(id)) },
  };
}

/**
 * A grant covers the columns that its table has now: who makes one sees no others. So a column that was dropped, or
 * went when its table was replaced, shows at no earlier snapshot, whatever is granted.
 */
function decide(reader: AccessIndex, table: KnownLakeTable): "whole" | TableView | undefined {
  const access = decideTable(reader, table);
  const left = table.columns.filter(({ key }) => !table.dropped.has(key));
  if (access === undefined || left.length === table.columns.length) return access;
  const view: TableView =
    access === "whole"
      ? { grants: [{ and: [] }], cells: left.map(({ key }) => ({ column: key, cases: [{ grants: [0] }] })) }
      : { ...access, cells: access.cells.filter(({ column }) => !table.dropped.has(column)) };
  return view.cells.length === 0 ? undefined : view;
}

/** The given tables that the reader may see at the snapshot, and how. */
export function accessTo(
  reader: AccessIndex,
  sql: SqlStorage,
  snapshotId: number | "ever",
  tableIds?: readonly number[],
): Map<number, "whole" | TableView> {
  const known = readKnownTables(sql, snapshotId, tableIds);
  return new Map(
    [...known].flatMap(([id, table]) => {
      const access = decide(reader, table);
      return access === undefined ? [] : [[id, access] as const];
    }),
  );
}

/** Whether no row of the table is hidden. */
export const showsEveryRow = (access: "whole" | TableView): boolean =>
  access === "whole" || access.grants.some(holdsAlways);

/** Whether the column shows as it is, in every row. */
export function showsAsItIs(access: "whole" | TableView, columnId: number): boolean {
  if (access === "whole") return true;
  const [first] = access.cells.find(({ column }) => column === columnId)?.cases ?? [];
  return first !== undefined && first.mask === undefined && first.grants.some((i) => holdsAlways(access.grants[i]!));
}

/** Whether the column is there at all. */
export const showsColumn = (access: "whole" | TableView, columnId: number): boolean =>
  access === "whole" || access.cells.some(({ column }) => column === columnId);

/**
 * Predicates by which files are left out for who sees this of a table: bounds are of all rows, so which files are read
 * tells of values that are hidden. Where rows are hidden it is those of the reader's roles and never those that are
 * asked for, otherwise of the latter those on columns that show as they are: to leave one out only keeps files. `types`
 * are those of the table's columns.
 */
export function predicatesFor(
  access: "whole" | TableView,
  anyOf: RowPredicate<Predicate>,
  types: () => ReadonlyMap<number, string>,
): RowPredicate<Predicate> {
  if (access === "whole") return anyOf;
  if (!showsEveryRow(access)) return grantedRows(access.grants, types());
  return anyOf.map((predicates) => predicates.filter(({ columnId }) => showsAsItIs(access, columnId)));
}
