// The stages of a run, as tables of the lake: the files brought here, and the relation that stands in the place of the
// lake's own table until all are published.

import { join } from "node:path";
import type { LakeColumn, LakeDescription, LakeTable } from "../../../../kernel/lake/lake.ts";
import type { ReadableStage, StagedTable } from "../../../../kernel/wire/builds.ts";
import { Failure } from "../../core/failure.ts";
import { sameName } from "../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import { openObjectStore } from "../../platform/object-store.ts";
import type { Lake } from "../read/lake.ts";
import { CATALOG_NAME } from "../sql/catalogs.ts";
import { emptyRelationsSql } from "../sql/relations.ts";
import { findTable } from "../write/table-names.ts";
import { BEFORE_CATALOG, type BuiltTable } from "../write/with-locked-database.ts";

/** A table that was staged, with its files here. */
export type LocalStage = BuiltTable & { staged: StagedTable };

/** Where files are brought: a folder below the cache's. */
export type StageFolder = { lake: Lake; directory: string; signal: AbortSignal };

/**
 * Brings staged files here. Rejects with `conflict` where the table that they were made for is another by now, and with
 * `resources_exceeded` where they are more than the disk is meant for.
 */
export async function fetchStages(
  stages: readonly ReadableStage[],
  description: LakeDescription,
  folder: StageFolder,
): Promise<LocalStage[]> {
  const bytes = stages.reduce((sum, { staged }) => sum + bytesOf(staged), 0);
  if (bytes > folder.lake.settings.cacheBytesMax)
    throw new Failure(
      "resources_exceeded",
      "The run's tables are larger together than the engine's disk is meant for.",
    );
  const local: LocalStage[] = [];
  for (const [i, stage] of stages.entries()) local.push(await fetchStage(stage, i, description, folder));
  return local;
}

async function fetchStage(
  { staged, urls }: ReadableStage,
  index: number,
  description: LakeDescription,
  { lake, directory, signal }: StageFolder,
): Promise<LocalStage> {
  const before = lakeTableOf(staged, description);
  const store = openObjectStore(lake.env.s3Dial);
  const paths = staged.files.map((_, i) => join(directory, `stage-${index}-${i}.parquet`));
  for (const [i, { bytes }] of staged.files.entries()) {
    const file = join(lake.settings.cacheDirectory, paths[i]!);
    await store.download({ url: urls[i] ?? "", file, bytes, signal });
  }
  const { schema, name } = before ?? staged.target;
  const table: LakeTable = {
    tableId: before?.tableId ?? -1 - index,
    schema,
    name,
    version: `staged ${index}`,
    columns: staged.columns,
    view: "whole",
  };
  const kept = staged.target.mode === "replace" ? undefined : before;
  return { staged, table, before: kept, setup: relationSql(staged, table, kept, paths), paths, bytes: bytesOf(staged) };
}

const bytesOf = ({ files }: StagedTable): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** The lake's table that was there as the rows were staged. */
export function lakeTableOf(staged: StagedTable, description: LakeDescription): LakeTable | undefined {
  const { target, tableId } = staged;
  const table = findTable(description, target);
  const isSame = (table?.tableId ?? null) === tableId && (!table || target.mode === "replace" || fits(table, staged));
  if (isSame) return table;
  throw new Failure(
    "conflict",
    `The table ${target.schema}.${target.name} was replaced or altered by another commit while the run went on.`,
  );
}

/** Whether the table has exactly these columns, so that its rows may be replaced without making it anew. */
export const hasColumns = (table: LakeTable, columns: readonly LakeColumn[]): boolean =>
  JSON.stringify(table.columns) === JSON.stringify(columns);

/** Whether the rows, which were made for the table's columns, are for those that it has now. */
const fits = ({ columns }: LakeTable, staged: StagedTable): boolean => {
  const own = staged.columns.filter(({ id }) => !staged.addedIds.includes(id));
  return (
    own.length === columns.length && own.every(({ id, name }, i) => id === columns[i]!.id && name === columns[i]!.name)
  );
};

/** The description with the staged tables in the place of the lake's own. */
export function describeBuilt(description: LakeDescription, built: readonly LocalStage[]): LakeDescription {
  const isBuilt = ({ schema, name }: LakeTable): boolean =>
    built.some(({ table }) => sameName(table.schema, schema) && sameName(table.name, name));
  return {
    ...description,
    schemas: [...new Set([...description.schemas, ...built.map(({ table }) => table.schema)])],
    tables: [...description.tables.filter((table) => !isBuilt(table)), ...built.map(({ table }) => table)],
  };
}

function relationSql(
  { target, columns }: StagedTable,
  table: LakeTable,
  before: LakeTable | undefined,
  paths: readonly string[],
): string[] {
  const parts = [
    ...(before ? [rowsBefore(columns, before, paths.length > 0 ? target.key : [], paths)] : []),
    ...(paths.length > 0 ? [`SELECT ${columns.map(nameOf).join(", ")} FROM ${filesSql(paths)}`] : []),
  ];
  if (parts.length === 0) return emptyRelationsSql([table], {});
  const name = [CATALOG_NAME, table.schema, table.name].map(quoteIdentifier).join(".");
  const schema = [CATALOG_NAME, table.schema].map(quoteIdentifier).join(".");
  return [`CREATE SCHEMA IF NOT EXISTS ${schema}`, `CREATE VIEW ${name} AS ${parts.join(" UNION ALL ")}`];
}

/** The table's own rows, without those whose key comes anew. */
function rowsBefore(
  columns: readonly LakeColumn[],
  before: LakeTable,
  key: readonly string[],
  paths: readonly string[],
): string {
  const own = (column: LakeColumn): string =>
    before.columns.some(({ id }) => id === column.id) ? `b.${quoteIdentifier(column.name)}` : "NULL";
  const cells = columns.map((column) => `CAST(${own(column)} AS ${duckdbType(column)}) AS ${nameOf(column)}`);
  const from = [BEFORE_CATALOG, before.schema, before.name].map(quoteIdentifier).join(".");
  const select = `SELECT ${cells.join(", ")} FROM ${from} AS b`;
  return key.length === 0
    ? select
    : `${select} WHERE NOT EXISTS (SELECT 1 FROM ${filesSql(paths)} AS k WHERE ${equalKeys(key)})`;
}

const nameOf = ({ name }: LakeColumn): string => quoteIdentifier(name);

/** The condition under which a staged row `k` takes the place of the table's row `b`. A key is never NULL. */
export const equalKeys = (key: readonly string[]): string =>
  key.map((name) => `k.${quoteIdentifier(name)} = b.${quoteIdentifier(name)}`).join(" AND ");

export const filesSql = (paths: readonly string[]): string => `read_parquet([${paths.map(quoteLiteral).join(", ")}])`;
