// Query results as Parquet files of the lake: columns under their field ids, and the statistics the catalog keeps.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { Failure } from "../core/failure.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { ColumnStatistics, NewDataFile } from "../../../kernel/lake/commit.ts";
import { duckdbType } from "./lake-types.ts";
import { isFloat } from "../../../kernel/lake/lake-types.ts";
import { foldName } from "../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../duckdb/quoting.ts";
import { hasFloats, isNegativeZeroMet, NO_DICTIONARY, refuseNegativeZero } from "./negative-zero.ts";

/** 60 vectors: large enough to compress well, small enough to prune. */
const ROW_GROUP_ROWS = 122_880;

/** A file written locally: all that a commit needs to know of it, but its path in the lake. */
export type WrittenFile = Omit<NewDataFile, "path">;

/**
 * `rowGroupBytes` ends a group of wide rows early, which bounds memory; the connection must not preserve insertion
 * order then.
 * `hasNegativeZero`: whether a float may be -0; where that is not known, `select` may be run twice.
 */
export type WriteOptions = { rowGroupBytes?: number; hasNegativeZero?: boolean };

/** The rows of a statement, whose columns are `columns` by name. */
export type RowsToWrite = { select: string; columns: readonly LakeColumn[] };

/**
 * Runs the statement and writes its rows to `file`. The connection's time zone must be UTC, since bounds of
 * `timestamptz` are printed in it. Undefined where there are no rows: then there is no file to commit.
 */
export async function writeParquet(
  connection: DuckDBConnection,
  rows: RowsToWrite,
  file: string,
  { rowGroupBytes, hasNegativeZero }: WriteOptions = {},
): Promise<WrittenFile | undefined> {
  const [written] = await copyRows(connection, rows, file, { options: [], form: { rowGroupBytes }, hasNegativeZero });
  if (!written) return undefined;
  const { file: _, ...writtenFile } = written;
  return writtenFile;
}

/**
 * How files are made. `fileBytes`: as many as it takes of about this size, and their rows in no order; absent: one, in
 * the order of the rows. `rowGroupBytes` as in {@link WriteOptions}.
 */
export type FileForm = {
  fileBytes?: number | undefined;
  compression?: string | undefined;
  rowGroupRows?: number | undefined;
  rowGroupBytes?: number | undefined;
};

/**
 * Writes rows like {@link writeParquet}, into files in a folder that this function makes. `select` may be run twice.
 */
export async function writeParquetFiles(
  connection: DuckDBConnection,
  rows: RowsToWrite,
  folder: string,
  { fileBytes, ...form }: FileForm,
): Promise<Array<WrittenFile & { file: string }>> {
  if (fileBytes !== undefined)
    return copyRows(connection, rows, folder, { options: [`FILE_SIZE_BYTES ${fileBytes}`], form });
  mkdirSync(folder);
  return copyRows(connection, rows, join(folder, "rows.parquet"), { options: [], form });
}

/**
 * DuckDB's dictionaries take -0 and 0 for one value, and its bloom filters for two: what is read back is whichever was
 * met first, and a search for the other finds neither. So a file that has a -0 is written without dictionaries, and
 * without bloom filters then.
 */
async function copyRows(
  connection: DuckDBConnection,
  { select, columns }: RowsToWrite,
  to: string,
  { options, form, hasNegativeZero }: CopyOptions,
): Promise<Array<WrittenFile & { file: string }>> {
  const cast = (column: LakeColumn): string => `CAST(${quoteIdentifier(column.name)} AS ${duckdbType(column)})`;
  const copy = (valueOf: (column: LakeColumn) => string, more: string[]) => {
    const cells = columns.map((column) => `${valueOf(column)} AS ${quoteIdentifier(column.name)}`).join(", ");
    const all = [...formOptions(form), ...options, ...more];
    return copyCells(connection, { select: `SELECT ${cells} FROM (${select})`, columns }, to, all);
  };
  if (!hasFloats(columns) || hasNegativeZero === false) return copy(cast, []);
  if (hasNegativeZero) return copy(cast, NO_DICTIONARY);
  try {
    return await copy((column) => refuseNegativeZero(column, cast(column)), []);
  } catch (error) {
    if (!isNegativeZeroMet(error)) throw error;
    rmSync(to, { recursive: true, force: true });
    return copy(cast, NO_DICTIONARY);
  }
}

type CopyOptions = { options: string[]; form: FileForm; hasNegativeZero?: boolean | undefined };

function formOptions({ compression = "zstd", rowGroupRows = ROW_GROUP_ROWS, rowGroupBytes }: FileForm): string[] {
  return [
    `COMPRESSION ${compression}`,
    ...(compression === "zstd" ? ["COMPRESSION_LEVEL 1"] : []),
    `ROW_GROUP_SIZE ${rowGroupRows}`,
    ...(rowGroupBytes === undefined ? [] : [`ROW_GROUP_SIZE_BYTES ${rowGroupBytes}`]),
  ];
}

async function copyCells(
  connection: DuckDBConnection,
  { select, columns }: RowsToWrite,
  to: string,
  more: string[],
): Promise<Array<WrittenFile & { file: string }>> {
  const options = ["FORMAT parquet", ...more, "RETURN_STATS", `FIELD_IDS {${columns.map(fieldIds).join(", ")}}`];
  const reader = await connection.runAndReadAll(`COPY (${select}) TO ${quoteLiteral(to)} (${options.join(", ")})`);
  const files = reader.getRowObjectsJson() as Array<{
    filename: string;
    count: string;
    file_size_bytes: string;
    footer_size_bytes: string;
    column_statistics: StatisticsEntries;
  }>;
  // DuckDB writes a file without rows where there are none, and may after the last that has some.
  return files
    .filter(({ count }) => Number(count) > 0)
    .map((written) => {
      const statistics = new Map(
        written.column_statistics.map(({ key, value }) => [
          key,
          new Map(value.map((entry) => [entry.key, entry.value])),
        ]),
      );
      return {
        file: written.filename,
        bytes: Number(written.file_size_bytes),
        footerBytes: Number(written.footer_size_bytes),
        rows: Number(written.count),
        statistics: columns.flatMap((column) => statisticsOf(column, quoteIdentifier(column.name), statistics)),
      };
    });
}

/** DuckDB's maps come as lists of entries. */
type StatisticsEntries = Array<{ key: string; value: Array<{ key: string; value: string }> }>;

/** A name that DuckDB reserves within `FIELD_IDS`, where a column of that name would stand. */
const FIELD_ID = "__duckdb_field_id";

function fieldIds(column: LakeColumn): string {
  const name = quoteIdentifier(column.name);
  if (foldName(column.name) === FIELD_ID)
    throw new Failure(
      "sql_error",
      `A column can't be written that is called ${column.name}, a word of DuckDB's own: give it another name.`,
    );
  if (column.children.length === 0) return `${name}: ${column.id}`;
  return `${name}: {${FIELD_ID}: ${column.id}, ${column.children.map(fieldIds).join(", ")}}`;
}

/** Types that DuckDB's writer keeps no statistics of, and reports as if there were no values. */
const WITHOUT_STATISTICS = new Set(["interval", "timetz"]);

/** The statistics of the leaves below a column. `path` names the column as DuckDB's statistics do: `"a"."b"`. */
function statisticsOf(
  column: LakeColumn,
  path: string,
  statistics: Map<string, Map<string, string>>,
  isRepeated = false,
): ColumnStatistics[] {
  const repeats = isRepeated || column.type === "list" || column.type === "map";
  if (column.children.length > 0)
    return column.children.flatMap((child) =>
      statisticsOf(child, `${path}.${quoteIdentifier(child.name)}`, statistics, repeats),
    );
  const known = statistics.get(path);
  if (!known || WITHOUT_STATISTICS.has(column.type)) return [];
  const values = Number(known.get("num_values") ?? 0);
  const nulls = Number(known.get("null_count") ?? 0);
  return [
    {
      columnId: column.id,
      bytes: Number(known.get("column_size_bytes") ?? 0),
      values,
      // Within lists DuckDB counts a struct that is NULL again with each of its fields: never as many as there are
      // values, unless that is sure.
      nulls: isRepeated ? Math.min(nulls, values, Math.max(1, values - 1)) : nulls,
      min: known.get("min") ?? null,
      max: known.get("max") ?? null,
      // DuckDB reports this of the last row group only, so for floats it is not known.
      containsNan: isFloat(column.type) ? null : false,
    },
  ];
}
