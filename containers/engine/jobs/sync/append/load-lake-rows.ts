// What the lake has of rows that were read of the source: fetched from the files that may hold them, into a scratch
// table.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { LakeColumn, LakeTable, Predicate } from "../../../contract/lake.ts";
import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { SourceTable } from "../../../extract/source-table.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { planLakeFiles } from "../rows/lake-files.ts";
import { declare, isEqual, namesOf } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import type { Cursor } from "../tables/cursor.ts";

export type LakeRowsToFind = {
  lake: LakeTable;
  cursor: Cursor;
  from: string | null;
  columns: readonly LakeColumn[];
  read: string;
  into: string;
};

/** Brings in what the lake has of the rows that were read, from the files that may hold such rows. */
export async function loadLakeRows(
  { run, columnPlan, table }: PreparedTable,
  connection: DuckDBConnection,
  { lake, cursor, from, columns, read, into }: LakeRowsToFind,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${into} (${declare(columns)})`);
  const column = columnPlan.columns.find((column) => sameName(column.name, cursor.column.lake.name))!;
  const isPruned = from !== null && lake.columns.some(({ id }) => id === column.id);
  const plan = await planLakeFiles(run, lake.tableId);
  const anyOf = isPruned
    ? [
        [{ columnId: column.id, op: ">=" as const, values: [from] }],
        ...(await predicatesBelow(connection, read, column, from)),
      ]
    : [[]];
  const isRead = `EXISTS (SELECT 1 FROM ${read} AS r WHERE ${isEqual("r", "f", columns)})`;
  const cells = columns.map((each) => asReadNow(each, table)).join(", ");
  const insert = `INSERT INTO ${into} SELECT ${namesOf(columns)} FROM`;
  await plan.each(
    anyOf,
    () => columns,
    async (_, { left }) => void (await connection.run(`${insert} (SELECT ${cells} ${left}) AS f WHERE ${isRead}`)),
  );
}

/** A value as it would be read now: rows from before may have the padding of `char(n)`. */
function asReadNow(column: LakeColumn, { columns }: SourceTable): string {
  const value = quoteIdentifier(column.name);
  const changed = columns.find(({ lake, changedIn }) => changedIn !== undefined && sameName(lake.name, column.name));
  if (!changed) return value;
  return `${withoutPadding(value, column, changed.lake)} AS ${value}`;
}

/**
 * Of JSON, `source` is an array of texts, as PostgreSQL prints it: a quote with a blank before it ends a text, for
 * within one it has a backslash there.
 */
function withoutPadding(value: string, column: LakeColumn, source: LakeColumn): string {
  if (source.type === "json")
    return `CAST(regexp_replace(CAST(${value} AS VARCHAR), ' +"', '"', 'g') AS ${duckdbType(column)})`;
  return column.type === "list" ? `list_transform(${value}, lambda i: rtrim(i, ' '))` : `rtrim(${value}, ' ')`;
}

const VALUES_MAX = 1_000;

/**
 * What finds the rows that were read although they lie below `from`: their values one by one, or, of many, from the
 * least on; and those without a value.
 */
async function predicatesBelow(
  connection: DuckDBConnection,
  read: string,
  by: LakeColumn,
  from: string,
): Promise<Predicate[][]> {
  const column = quoteIdentifier(by.name);
  const reader = await connection.runAndReadAll(
    `SELECT value::VARCHAR FROM (SELECT DISTINCT ${column} AS value FROM ${read}
      WHERE ${column} IS NULL OR ${column} < ${quoteLiteral(from)}::${duckdbType(by)}) ORDER BY value NULLS FIRST
      LIMIT ${VALUES_MAX + 2}`,
  );
  const values = reader.getRows().map(([value]) => value as string | null);
  const present = values.filter((value) => value !== null);
  return [
    ...(values.includes(null) ? [[{ columnId: by.id, op: "is_null" as const, values: [] }]] : []),
    ...(present.length > VALUES_MAX
      ? [[{ columnId: by.id, op: ">=" as const, values: [present[0]!] }]]
      : present.length > 0
        ? [[{ columnId: by.id, op: "in" as const, values: present }]]
        : []),
  ];
}
