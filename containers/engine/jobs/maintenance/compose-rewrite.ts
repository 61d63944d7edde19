// The SELECT that reads what is left of some data files, in their order, with the ids of its rows where the new files
// must carry them. Pure.

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { Failure } from "../../core/failure.ts";
import { cell } from "../../lake/process/write-work.ts";
import { scanSql } from "../../lake/sql/relations.ts";
import type { FileField } from "../../parquet/footers.ts";
import { hasRowIds, rowIdColumn } from "../../parquet/row-ids.ts";

/** A data file on the local disk. `shape` is one object for all files of equal shape. */
export type SourceFile = {
  path: string;
  shape: readonly FileField[];
  /** The id of the file's first row, where the other rows' ids follow from it. */
  rowIdStart: number | null;
  rows: number;
  /** The path of its delete file. */
  deletes: string | undefined;
};

/** A statement as {@link WriteWork} takes it. */
export type Rewrite = { select: string; columns: LakeColumn[] };

/** Names that no user's column has by chance. */
const INDEX = '"fjord index"';
const POSITION = '"fjord position"';

/**
 * Up to this many runs of files of equal shape are read one after the other; past it, all files of one shape are read
 * together.
 */
const RUNS_MAX = 64;

/**
 * `keepsOrder`: the writer returns rows in the order that it reads them, so that their ids may follow from it. Throws a
 * Failure where a file's row ids are not known.
 */
export function composeRewrite(
  columns: readonly LakeColumn[],
  files: readonly SourceFile[],
  keepsOrder: boolean,
): Rewrite {
  const lost = files.find(({ rowIdStart, shape }) => rowIdStart === null && !hasRowIds(shape));
  if (lost)
    throw new Failure("sql_error", `The ids of the rows of ${lost.path} are not known, so that it can't be rewritten.`);
  const runs = runsOf(files);
  if (keepsOrder && runs.length <= RUNS_MAX && runOn(files))
    return { columns: [...columns], select: runs.map((run) => branchSql(columns, run)).join(" UNION ALL ") };
  const id = rowIdColumn(columns);
  const branches = (runs.length <= RUNS_MAX ? runs : byShape(files)).map((run) => branchSql(columns, run, id));
  return { columns: [...columns, id], select: branches.join(" UNION ALL ") };
}

/** Whether the rows' ids are those that follow from the first file's, without a gap. */
export function runOn(files: readonly SourceFile[]): boolean {
  let next = files[0]?.rowIdStart ?? null;
  for (const { rowIdStart, rows, shape, deletes } of files) {
    if (next === null || rowIdStart !== next || deletes !== undefined || hasRowIds(shape)) return false;
    next += rows;
  }
  return true;
}

/** Groups neighbouring files of equal shape. */
function runsOf(files: readonly SourceFile[]): SourceFile[][] {
  const runs: SourceFile[][] = [];
  for (const file of files) {
    const run = runs.at(-1);
    if (run?.[0]?.shape === file.shape) run.push(file);
    else runs.push([file]);
  }
  return runs;
}

function byShape(files: readonly SourceFile[]): SourceFile[][] {
  const runs = new Map<SourceFile["shape"], SourceFile[]>();
  for (const file of files) runs.set(file.shape, [...(runs.get(file.shape) ?? []), file]);
  return [...runs.values()];
}

/** Files of one shape; with the rows' ids last, where `id` is given. */
function branchSql(columns: readonly LakeColumn[], files: readonly SourceFile[], id?: LakeColumn): string {
  const { shape } = files[0]!;
  const paths = files.map(({ path }) => path);
  const cells = columns.map(({ name }, i) => `f.${quoteIdentifier(name)} AS ${cell(i)}`);
  if (!id) return `SELECT ${cells.join(", ")} FROM (${scanSql(columns, shape, paths)}) AS f`;
  const scan = scanSql([...columns, id], shape, paths, { file_index: INDEX, file_row_number: POSITION });
  // The first row id is meaningless for a file that carries its row ids.
  const ids = `coalesce(f.${quoteIdentifier(id.name)}, ${itemAt(
    files.map(({ rowIdStart }) => rowIdStart ?? 0),
    `f.${INDEX}`,
  )} + f.${POSITION})`;
  return `SELECT ${[...cells, `${ids} AS ${cell(columns.length)}`].join(", ")} FROM (${scan}) AS f${antiJoin(files)}`;
}

/** Leaves out the rows that are deleted. */
function antiJoin(files: readonly SourceFile[]): string {
  const deleted = files.flatMap(({ deletes }, index) => (deletes === undefined ? [] : [{ index, path: deletes }]));
  if (deleted.length === 0) return "";
  const owner = itemAt(
    deleted.map(({ index }) => index),
    "file_index",
  );
  const paths = deleted.map(({ path }) => quoteLiteral(path)).join(", ");
  return ` ANTI JOIN (SELECT ${owner} AS file, pos FROM read_parquet([${paths}])) AS d
    ON d.file = CAST(f.${INDEX} AS BIGINT) AND d.pos = f.${POSITION}`;
}

const itemAt = (items: readonly number[], index: string): string =>
  `([${items.join(", ")}]::BIGINT[])[CAST(${index} AS BIGINT) + 1]`;
