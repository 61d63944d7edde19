// Tables and columns of a lake by identity, with every name that each has had. While a table lives all versions of its
// rows do, so no expiry takes a name away.

import type { KnownTable } from "../../../kernel/access/decide-table.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { visible } from "../format/visible.ts";
import { dropReplacedColumns, type NamedColumns } from "./replaced-tables.ts";

type TableRow = [tableId: number, schema: string, name: string, begin: number, end: number | null];
type ColumnRow = [tableId: number, columnId: number, name: string, order: number, end: number | null, isThere: number];

/**
 * `dropped`: the keys of the columns that the table has no more; of a dropped table, those that it had no more, and
 * those that a table lacks which took its name.
 */
export type KnownLakeTable = KnownTable & { dropped: ReadonlySet<number> };

/** The name that lives comes first, or of what was dropped the last. */
const newestFirst = (row: string): string =>
  `${row}.end_snapshot IS NULL DESC, ${row}.begin_snapshot DESC, ${row}.end_snapshot DESC`;

/**
 * Every table by id, or those that are asked for; whether it is there at the snapshot is not looked at. Columns are
 * those of the snapshot, or all that there have ever been: by their ids, in the table's order. A nested column has no
 * key: it shows where its column does.
 */
export function readKnownTables(
  sql: SqlStorage,
  at: number | "ever",
  tableIds?: readonly number[],
): Map<number, KnownLakeTable> {
  // What shows of a dropped table depends on those that took its name.
  const read = readTables(sql, at, tableIds && isAnyDropped(sql, tableIds) ? undefined : tableIds);
  dropReplacedColumns([...read.values()]);
  return tableIds ? new Map(tableIds.flatMap((id) => (read.has(id) ? [[id, read.get(id)!]] : []))) : read;
}

const isAnyDropped = (sql: SqlStorage, tableIds: readonly number[]): boolean =>
  sql
    .exec(
      `SELECT 1 FROM ducklake_table WHERE table_id IN (SELECT value FROM json_each(?))
       GROUP BY table_id HAVING count(end_snapshot) = count(*) LIMIT 1`,
      JSON.stringify(tableIds),
    )
    .toArray().length > 0;

type ReadTable = KnownLakeTable & NamedColumns;

function readTables(sql: SqlStorage, at: number | "ever", tableIds?: readonly number[]): Map<number, ReadTable> {
  const asked = tableIds ? [JSON.stringify(tableIds)] : [];
  const isAsked = tableIds ? "table_id IN (SELECT value FROM json_each(?))" : "1";
  const [isThere, snapshot] = at === "ever" ? ["1", []] : [visible("c"), [at, at]];
  const tables = sql
    .exec(
      `SELECT t.table_id, s.schema_name, t.table_name, t.begin_snapshot, t.end_snapshot
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE ${isAsked} ORDER BY ${newestFirst("t")}`,
      ...asked,
    )
    .raw<TableRow>();
  const columns = sql
    .exec(
      `SELECT c.table_id, c.column_id, c.column_name, c.column_order, c.end_snapshot, ${isThere} FROM ducklake_column c
       WHERE c.parent_column IS NULL AND ${isAsked} ORDER BY ${newestFirst("c")}`,
      ...snapshot,
      ...asked,
    )
    .raw<ColumnRow>();
  const columnsOf = Map.groupBy(columns, ([tableId]) => tableId);
  return new Map(
    [...Map.groupBy(tables, ([tableId]) => tableId)].map(([tableId, versions]) => {
      const names = versions.map(([, schema, name, begin]) => ({ schema, name, begin }));
      const end = versions[0]![4];
      const rows = columnsOf.get(tableId) ?? [];
      return [tableId, { names: atLeastOne(names), end, columns: knownColumns(rows), ...presentColumns(rows, end) }];
    }),
  );
}

function knownColumns(rows: readonly ColumnRow[]): KnownTable["columns"] {
  const columns = [...Map.groupBy(rows, ([, columnId]) => columnId)].flatMap(([key, versions]) => {
    const there = versions.find(([, , , , , isThere]) => isThere !== 0);
    return there ? [{ key, names: atLeastOne(versions.map(([, , name]) => name)), order: there[3] }] : [];
  });
  return columns.sort((one, two) => one.order - two.order).map(({ key, names }) => ({ key, names }));
}

/** `rows` have the newest version of each column first. `tableEnd`: when the table itself was dropped. */
function presentColumns(rows: readonly ColumnRow[], tableEnd: number | null): Pick<ReadTable, "present" | "dropped"> {
  const newest = [...Map.groupBy(rows, ([, columnId]) => columnId).values()].map(([first]) => first!);
  const isPresent = ([, , , , end]: ColumnRow) => end === null || end === tableEnd;
  return {
    present: new Map(newest.filter(isPresent).map(([, columnId, name]) => [columnId, foldName(name)])),
    dropped: new Set(newest.filter((row) => !isPresent(row)).map(([, columnId]) => columnId)),
  };
}

function atLeastOne<Item>([first, ...others]: Item[]): [Item, ...Item[]] {
  if (first === undefined) throw new Error("A group of rows is empty.");
  return [first, ...others];
}
