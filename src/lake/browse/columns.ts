// The columns of a table as of now, with what the catalog knows of their values. Bounds say whether they are exact.

import { isFloat, scalarType } from "../../../kernel/lake/lake-types.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import type { ColumnStatistics as FileStatistics } from "../../../kernel/lake/commit.ts";
import { showsAsItIs, showsColumn, type Reader } from "../access/readers.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { readSummaries } from "../state/table-state.ts";
import { noTable } from "../access/no-table.ts";
import { findTable, summarizeTable, type VisibleTable, type TableSummary } from "./tables.ts";
import { quoteIdentifier } from "../format/names.ts";
import { isNested } from "../format/column-types.ts";
import { mergeFiles, type ColumnSummary } from "../format/statistics.ts";

/**
 * `min` and `max` in DuckLake's text form of the type. Counts are of all rows in the live files. `exact` is false where
 * the bounds are only bounds and the counts upper limits: rows were deleted from these files, or a bound may be cut or
 * unknown.
 */
export type ColumnStatistics = ColumnSummary & {
  values: number | null;
  nulls: number | null;
  bytes: number | null;
  exact: boolean;
};

/** `type` is DuckLake's word, `sqlType` DuckDB's. Statistics are of leaves only: null for a nested column. */
export type BrowsedColumn = {
  id: number;
  name: string;
  type: string;
  sqlType: string;
  nullable: boolean;
  comment: string | null;
  statistics: ColumnStatistics | null;
  children: BrowsedColumn[];
};

type ColumnRow = {
  id: number;
  name: string;
  type: string;
  nullable: number;
  parentId: number | null;
  comment: string | null;
};

/**
 * Statistics are put together from those of every file as long as there are no more than this; past it the table's own
 * are answered.
 */
const FILE_STATISTICS_MAX = 100_000;

/** Writers cut longer text, and round the upper bound up. */
const TEXT_BOUND_BYTES_EXACT = 128;

export type BrowsedTable = { summary: TableSummary; columns: BrowsedColumn[] };

/** The table of this name, in whatever case; refuses with `resource_not_found`. */
export function browseTable(sql: SqlStorage, name: LakeTableName, reader: Reader): Answer<BrowsedTable> {
  const table = findTable(sql, name, reader);
  if (!table) return noTable(name);
  return accept({ summary: summarizeTable(sql, table), columns: browseColumns(sql, table) });
}

/** Comments and statistics only of columns that show as they are in every row. */
function browseColumns(sql: SqlStorage, { tableId, access }: VisibleTable): BrowsedColumn[] {
  const rows = sql
    .exec<ColumnRow>(
      `SELECT c.column_id AS id, c.column_name AS name, c.column_type AS type, c.nulls_allowed AS nullable,
        c.parent_column AS parentId, g.value AS comment
       FROM ducklake_column c
       LEFT JOIN ducklake_column_tag g ON g.table_id = c.table_id AND g.column_id = c.column_id AND g.key = 'comment'
         AND g.end_snapshot IS NULL
       WHERE c.table_id = ? AND c.end_snapshot IS NULL ORDER BY c.column_order`,
      tableId,
    )
    .toArray();
  const statistics = readStatistics(sql, tableId, rows);
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
  const grow = (parentId: number | null): BrowsedColumn[] =>
    (byParent.get(parentId) ?? []).map(({ id, name, type, nullable, comment }) => {
      const children = grow(id);
      return {
        id,
        name,
        type,
        sqlType: sqlTypeOf(type, children),
        nullable: nullable !== 0,
        comment,
        statistics: statistics.get(id) ?? null,
        children,
      };
    });
  const shown = grow(null).filter(({ id }) => showsColumn(access, id));
  return shown.map((column) => (showsAsItIs(access, column.id) ? column : withoutFigures(column)));
}

const withoutFigures = ({ children, ...column }: BrowsedColumn): BrowsedColumn => ({
  ...column,
  comment: null,
  statistics: null,
  children: children.map(withoutFigures),
});

function sqlTypeOf(type: string, children: readonly BrowsedColumn[]): string {
  if (type === "list") return `${children[0]?.sqlType ?? ""}[]`;
  if (type === "map") return `MAP(${children.map(({ sqlType }) => sqlType).join(", ")})`;
  if (type === "struct")
    return `STRUCT(${children.map(({ name, sqlType }) => `${quoteIdentifier(name)} ${sqlType}`).join(", ")})`;
  return scalarType(type)?.duckdb ?? type.toUpperCase();
}

function readStatistics(
  sql: SqlStorage,
  tableId: number,
  columns: readonly ColumnRow[],
): Map<number, ColumnStatistics> {
  const leaves = columns.filter(({ type }) => !isNested(type));
  const { files, deletes } = sql
    .exec<{ files: number; deletes: number }>(
      `SELECT count(*) AS files,
         (SELECT count(*) FROM ducklake_delete_file WHERE table_id = ?1 AND end_snapshot IS NULL) AS deletes
       FROM ducklake_data_file WHERE table_id = ?1 AND end_snapshot IS NULL AND record_count > 0`,
      tableId,
    )
    .one();
  if (files * columns.length > FILE_STATISTICS_MAX) return readTableStatistics(sql, tableId, leaves);
  const byColumn = Map.groupBy(readFileStatistics(sql, tableId), ({ columnId }) => columnId);
  return new Map(leaves.map(({ id, type }) => [id, summarize(type, byColumn.get(id) ?? [], files, deletes > 0)]));
}

function readFileStatistics(sql: SqlStorage, tableId: number): FileStatistics[] {
  const rows = sql.exec<Omit<FileStatistics, "containsNan"> & { containsNan: number | null }>(
    `SELECT c.column_id AS columnId, c.value_count AS "values", c.null_count AS nulls,
      coalesce(c.column_size_bytes, 0) AS bytes,
            c.contains_nan AS containsNan, c.min_value AS min, c.max_value AS max
     FROM ducklake_data_file f JOIN ducklake_file_column_stats c USING (data_file_id)
     WHERE f.table_id = ? AND f.end_snapshot IS NULL AND f.record_count > 0 AND c.value_count IS NOT NULL
       AND c.null_count IS NOT NULL`,
    tableId,
  );
  return rows.toArray().map((row) => ({ ...row, containsNan: flag(row.containsNan) }));
}

const flag = (value: number | null): boolean | null => (value === null ? null : value !== 0);

/**
 * `filesMax` files hold rows; where one of them says nothing of the column (it is older than the column, say) nothing
 * is known.
 */
function summarize(
  type: string,
  files: readonly FileStatistics[],
  filesMax: number,
  hasDeletes: boolean,
): ColumnStatistics {
  if (files.length < filesMax) return UNKNOWN;
  const sum = (of: (file: FileStatistics) => number) => files.reduce((total, file) => total + of(file), 0);
  const counts = {
    values: sum(({ values }) => values),
    nulls: sum(({ nulls }) => nulls),
    bytes: sum(({ bytes }) => bytes),
  };
  const bounds = mergeFiles(type, files) ?? EMPTY;
  return { ...readable(type, bounds), ...counts, exact: !hasDeletes && areExact(type, bounds, counts) };
}

/** The summary of a column in a table without rows. */
const EMPTY: ColumnSummary = { containsNull: false, containsNan: null, min: null, max: null };

const UNKNOWN: ColumnStatistics = {
  containsNull: null,
  containsNan: null,
  min: null,
  max: null,
  values: null,
  nulls: null,
  bytes: null,
  exact: false,
};

/** Whether the bounds are values of the column itself, given that no row of its files was deleted. */
function areExact(
  type: string,
  { min, max, containsNan }: ColumnSummary,
  { values, nulls }: { values: number; nulls: number },
): boolean {
  if (values === nulls) return true;
  if (min === null || max === null) return false;
  // DuckDB sorts NaN above everything, and statistics leave it out.
  if (isFloat(type)) return containsNan === false;
  const isText = type === "varchar" || type === "json" || type === "blob";
  return !isText || [min, max].every((bound) => new TextEncoder().encode(bound).length < TEXT_BOUND_BYTES_EXACT);
}

/** Bounds of booleans are kept as 0 and 1. */
function readable<Summary extends ColumnSummary>(type: string, summary: Summary): Summary {
  const word = (bound: string | null) => (bound === "0" ? "false" : bound === "1" ? "true" : bound);
  return type === "boolean" ? { ...summary, min: word(summary.min), max: word(summary.max) } : summary;
}

function readTableStatistics(
  sql: SqlStorage,
  tableId: number,
  leaves: readonly ColumnRow[],
): Map<number, ColumnStatistics> {
  const known = readSummaries(sql, tableId);
  return new Map(leaves.map(({ id, type }) => [id, { ...UNKNOWN, ...readable(type, known.get(id) ?? UNKNOWN) }]));
}
