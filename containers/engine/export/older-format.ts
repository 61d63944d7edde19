// DuckLake's format 0.3, which DuckDB 1.4 reads, made of a catalog of format 1.0. Pure.

import { Failure } from "../core/failure.ts";

export type Column = { name: string; type: string };
export type Cell = string | number | null;

/** Translates a row of the newer format into one of the older. */
export type Translation = { columns: Column[]; translate: (row: readonly Cell[]) => Cell[] };

/** Tables that came with 1.0. */
const NEWER_TABLES = new Set([
  "ducklake_macro",
  "ducklake_macro_impl",
  "ducklake_macro_parameters",
  "ducklake_sort_info",
  "ducklake_sort_expression",
  "ducklake_file_variant_stats",
]);

const NEWER_COLUMNS: Record<string, readonly string[]> = {
  ducklake_column: ["default_value_type", "default_value_dialect"],
  ducklake_data_file: ["partial_max"],
  ducklake_delete_file: ["partial_max"],
  ducklake_schema_versions: ["table_id"],
};

/** Columns that 0.3 has and 1.0 dropped, each with the column that it stands before. */
const OLDER_COLUMNS: Record<string, { before: string; column: Column }> = {
  ducklake_data_file: { before: "mapping_id", column: { name: "partial_file_info", type: "VARCHAR" } },
};

/** Undefined for a table that 0.3 does not have. Translating throws `conflict` for a row that 0.3 has no words for. */
export function translationOf(table: string, columns: readonly Column[]): Translation | undefined {
  if (NEWER_TABLES.has(table)) return undefined;
  const newer = new Set(NEWER_COLUMNS[table] ?? []);
  const older = OLDER_COLUMNS[table];
  const kept = columns
    .filter(({ name }) => !newer.has(name))
    .flatMap((column) => (column.name === older?.before ? [older.column, column] : [column]));
  const indexOf = (name: string): number => columns.findIndex((column) => column.name === name);
  const indexes = kept.map(({ name }) => indexOf(name));
  const [partial, byDefault, kind, key, value] = [
    "partial_max",
    "default_value",
    "default_value_type",
    "key",
    "value",
  ].map(indexOf) as [number, number, number, number, number];
  return {
    columns: kept,
    translate(row) {
      if (partial >= 0 && row[partial] !== null) {
        throw new Failure(
          "conflict",
          "This catalog has files that hold the rows of several snapshots, which DuckLake 0.3 can't tell of. " +
            "Ask for the format 1.0.",
        );
      }
      const translated = indexes.map((at) => (at < 0 ? null : row[at]!));
      // 1.0 spells no default as the literal NULL; 0.3 would take the word for a text.
      if (kind >= 0 && row[kind] === "literal" && row[byDefault] === "NULL")
        translated[kept.findIndex(({ name }) => name === "default_value")] = null;
      if (table === "ducklake_metadata" && row[key] === "version") translated[value] = "0.3";
      return translated;
    },
  };
}
