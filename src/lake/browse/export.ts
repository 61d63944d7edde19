// The catalog's own rows, page by page, as of one snapshot: what an export is built from while commits go on.

import type { CatalogOutline, RowsAnswer } from "../../../kernel/lake/export.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { hasSnapshot, noSnapshot } from "../plan/describe.ts";
import { DUCKLAKE_TABLES, sqliteTypeOf, type DuckLakeTable } from "../format/ducklake-tables.ts";

const ROWS_PER_PAGE = 5_000;
/** Characters of a page's text. A row may go past it, and one row is a few kilobytes at most. */
const CHARACTERS_PER_PAGE = 4_000_000;

/** The deletion of files is the lake's own business: a copy that knew of them could delete them under it. */
const LEFT_OUT: ReadonlySet<DuckLakeTable> = new Set(["ducklake_files_scheduled_for_deletion"]);

const SNAPSHOT_COLUMN: Partial<Record<DuckLakeTable, string>> = {
  ducklake_snapshot: "snapshot_id",
  ducklake_snapshot_changes: "snapshot_id",
};

const columnsOf = (table: DuckLakeTable): string[] => Object.keys(DUCKLAKE_TABLES[table]);

export function outlineCatalog(sql: SqlStorage, snapshotId: number): Answer<CatalogOutline> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const tables = (Object.keys(DUCKLAKE_TABLES) as DuckLakeTable[]).map((name) => ({
    name,
    columns: Object.entries(DUCKLAKE_TABLES[name]).map(([column, type]) => ({
      name: column,
      type: sqliteTypeOf(type),
    })),
  }));
  return accept({ mark: fingerprintOf(sql, snapshotId), tables });
}

/**
 * Counts and sums of what began by the snapshot: expiry takes rows away, compaction puts others in their place, and
 * either shows here. What commits do does not: they only add rows of later snapshots, and ends that a page leaves out.
 */
function fingerprintOf(sql: SqlStorage, snapshotId: number): string {
  const sums = (table: DuckLakeTable, id: string, begins: string) =>
    Object.values(
      sql.exec(`SELECT count(*), coalesce(sum(${id}), 0) FROM ${table} WHERE ${begins} <= ?`, snapshotId).one(),
    );
  return JSON.stringify([
    sums("ducklake_snapshot", "snapshot_id", "snapshot_id"),
    sums("ducklake_schema", "schema_id", "begin_snapshot"),
    sums("ducklake_table", "table_id", "begin_snapshot"),
    sums("ducklake_column", "column_id", "begin_snapshot"),
    sums("ducklake_data_file", "data_file_id", "begin_snapshot"),
    sums("ducklake_delete_file", "delete_file_id", "begin_snapshot"),
  ]);
}

/** `after` is the `next` of the page before, null for the first. Refuses with `resource_not_found`. */
export function readPage(sql: SqlStorage, snapshotId: number, table: string, after: number | null): Answer<RowsAnswer> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  if (!Object.hasOwn(DUCKLAKE_TABLES, table)) return refuse("resource_not_found", `Table ${table} was not found.`);
  const known = table as DuckLakeTable;
  if (LEFT_OUT.has(known)) return accept({ rows: [], next: null });
  const { select, where } = viewOf(known);
  const cursor = sql.exec(
    `SELECT ${select.join(", ")}, r.rowid FROM ${known} r
      WHERE r.rowid > ?2 ${where.map((condition) => `AND ${condition}`).join(" ")} ORDER BY r.rowid LIMIT ?3`,
    snapshotId,
    after ?? -1,
    ROWS_PER_PAGE,
  );
  const rows: RowsAnswer["rows"] = [];
  let [characters, last] = [0, after];
  for (const values of cursor.raw<(string | number | null)[]>()) {
    const row = values.slice(0, -1);
    last = values.at(-1) as number;
    rows.push(row);
    characters += row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 8), 0);
    if (characters >= CHARACTERS_PER_PAGE) break;
  }
  return accept({ rows, next: rows.length < ROWS_PER_PAGE && characters < CHARACTERS_PER_PAGE ? null : last });
}

/** A table as it was at the snapshot ?1: rows that had begun, ends that had come. */
function viewOf(table: DuckLakeTable): { select: string[]; where: string[] } {
  const columns = columnsOf(table);
  const select = columns.map((column) => {
    if (column === "end_snapshot") return "CASE WHEN r.end_snapshot <= ?1 THEN r.end_snapshot END";
    if (table === "ducklake_table_stats") return TABLE_STATISTICS[column] ?? `r."${column}"`;
    if (table === "ducklake_table_column_stats" && !KEYS.includes(column))
      return `CASE WHEN NOT ${HAS_CHANGED} THEN r."${column}" END`;
    return `r."${column}"`;
  });
  const begins = SNAPSHOT_COLUMN[table] ?? (columns.includes("begin_snapshot") ? "begin_snapshot" : undefined);
  const where = begins ? [`r."${begins}" <= ?1`] : [];
  if (!begins && columns.includes("data_file_id"))
    where.push(
      "EXISTS (SELECT 1 FROM ducklake_data_file f WHERE f.data_file_id = r.data_file_id AND f.begin_snapshot <= ?1)",
    );
  if (table.startsWith("ducklake_table_"))
    where.push("EXISTS (SELECT 1 FROM ducklake_table t WHERE t.table_id = r.table_id AND t.begin_snapshot <= ?1)");
  // These rows belong to every snapshot; `?1` is named because every page binds the same parameters.
  if (where.length === 0) where.push("?1 IS NOT NULL");
  return { select, where };
}

const KEYS = ["table_id", "column_id"];

/**
 * Statistics of a whole table are of the newest snapshot. A bound of a table that went on since may be too narrow for
 * the rows it had: unknown.
 */
const HAS_CHANGED = `EXISTS (SELECT 1 FROM ducklake_data_file f WHERE f.table_id = r.table_id
  AND (f.begin_snapshot > ?1 OR f.end_snapshot > ?1))`;

const filesSum = (column: string): string =>
  `(SELECT coalesce(sum(f.${column}), 0) FROM ducklake_data_file f WHERE f.table_id = r.table_id
    AND f.begin_snapshot <= ?1 AND (f.end_snapshot IS NULL OR f.end_snapshot > ?1))`;

/** Counted anew from the files the table had. `next_row_id` only ever grows, and a greater one does no harm. */
const TABLE_STATISTICS: Record<string, string> = {
  record_count: filesSum("record_count"),
  file_size_bytes: filesSum("file_size_bytes"),
};
