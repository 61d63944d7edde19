// Each column of a SELECT is traced to the columns of tables that it takes its values from, by DuckDB's syntax tree.
// Pure. A source that the tree alone does not make certain is unknown, and never guessed.

import { sameName } from "../../../duckdb/names.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import type { LakeTable } from "../../../../../kernel/lake/lake.ts";
import type { SourceColumn } from "../../../../../kernel/wire/builds.ts";
import type { Node } from "../syntax-tree.ts";
import type { Column } from "./columns.ts";
import { columnsOf } from "./query-columns.ts";

/** The most sources that are told of a column; one with more is unknown. */
export const COLUMN_SOURCES_MAX = 100;

/**
 * The sources of each column of the statement, whose names DuckDB gives as `names`; null where they are unknown.
 * Sources of an expression are all columns that it names. `tree`: the answer of `json_serialize_sql`. `tables`: those
 * that the statement reads.
 */
export function columnLineage(
  tree: unknown,
  tables: readonly LakeTable[],
  names: readonly string[],
): (SourceColumn[] | null)[] {
  const [statement] = ((tree as Node).statements ?? []) as Node[];
  const columns = statement ? columnsOf(statement.node as Node, { tables, ctes: new Map() }) : null;
  // DuckDB's own binder has the last word on which columns there are.
  const isWhole = columns !== null && columns.length === names.length && columns.every(hasName(names));
  return names.map((_, i) => (isWhole ? boundedSources(columns[i]!) : null));
}

/** Asks DuckDB for the syntax tree of a SELECT, which {@link columnLineage} reads. */
export const serialiseSql = (sql: string): string =>
  `SELECT CAST(json_serialize_sql(${quoteLiteral(sql)}, skip_null := true, skip_empty := true, skip_default := true) AS VARCHAR)`;

const hasName =
  (names: readonly string[]) =>
  ({ name }: Column, i: number): boolean =>
    name === undefined || sameName(name, names[i]!);

const boundedSources = ({ sources }: Column): SourceColumn[] | null =>
  sources === null || sources.size > COLUMN_SOURCES_MAX ? null : [...sources.values()];
