// The tables that a bound caller's statement may read, described by the server: only such as the roles grant by name
// are asked about, so that nothing depends on what else there is.

import { decideTable, isGranted, type AccessIndex } from "../../../../../kernel/access/decide-table.ts";
import { Failure } from "../../../core/failure.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import { isSystemDatabase } from "../gate/forbidden.ts";
import { quoteLiteral } from "../sql-text.ts";
import { visibleTable, type TableColumn } from "./visible-table.ts";

const TABLES_MAX = 60;

/** The queries that stand for tables, by {@link tableKey}. Tables hidden from the caller are not in the map. */
export type VisibleTables = ReadonlyMap<string, string>;

type Fold = (name: string) => string;

export const tableKey = ({ schema, name }: SourceTableName, fold: Fold): string =>
  JSON.stringify([fold(schema), fold(name)]);

/** `columns`: the names that the statement's columns can have, if that is known. */
export async function describeVisibleTables(
  tables: readonly SourceTableName[],
  { index, columns }: { index: AccessIndex; columns: ReadonlySet<string> | undefined },
  fetchRows: FetchRows,
): Promise<VisibleTables> {
  const { fold, foldColumn } = index;
  const reads = (column: string): boolean => columns?.has(foldColumn(column)) ?? true;
  const granted = new Map<string, SourceTableName>();
  // The server's own are never granted, not even with all schemas: they tell the names and samples of all data.
  for (const table of tables)
    if (!isSystemDatabase(table.schema) && isGranted(index, table)) granted.set(tableKey(table, fold), table);
  if (granted.size === 0) return new Map();
  if (granted.size > TABLES_MAX)
    throw new Failure("statement_refused", `A statement may read at most ${TABLES_MAX} tables.`);
  const rows = await fetchRows([...granted.values()].map(columnsQuery).join(" UNION ALL "), "ttntttn");
  const visible = new Map<string, string>();
  for (const ofTable of Map.groupBy(rows, ([schema, name]) => JSON.stringify([schema, name])).values()) {
    const table = { schema: ofTable[0]![0]!, name: ofTable[0]![1]! };
    const key = tableKey(table, fold);
    const query = granted.has(key) ? queryOf(table, toColumns(ofTable), index, reads) : undefined;
    if (query !== undefined) visible.set(key, query);
  }
  return visible;
}

/** Only columns that the credentials may read. By constants, so that MariaDB opens no other table to find this one. */
const columnsQuery = ({ schema, name }: SourceTableName): string => `
  SELECT table_schema, table_name, ordinal_position, column_name, data_type, column_type, extra LIKE '%INVISIBLE%'
  FROM information_schema.columns
  WHERE table_schema = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(name)} AND privileges LIKE '%select%'`;

const toColumns = (rows: readonly TextRow[]): TableColumn[] =>
  rows
    .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
    .map(([, , , name, dataType, columnType, isInvisible]) => ({
      name: name!,
      dataType: dataType!.toLowerCase(),
      columnType: columnType!.toLowerCase(),
      isInvisible: isInvisible === "1",
    }));

function queryOf(
  table: SourceTableName,
  columns: readonly TableColumn[],
  index: AccessIndex,
  reads: (column: string) => boolean,
): string | undefined {
  const access = decideTable(index, {
    names: [table],
    columns: columns.map(({ name }, key) => ({ key, names: [name] })),
  });
  return access && visibleTable(table, columns, access, reads);
}
