// The lake's rows whose keys were read of the source are fetched from the files that may hold them, into a scratch
// table.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { LakeColumn, LakeTable, Predicate } from "../../../../../kernel/lake/lake.ts";
import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { SourceTable } from "../../../extract/source-table.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { planLakeFiles } from "../rows/lake-files.ts";
import { castColumns, isEqual } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import { isBeyond } from "../tables/cursor.ts";

/** `from`: the cursor's value from which rows are read again, in DuckDB's words; null where all rows are compared. */
export type RowsToCompare = { prepared: PreparedTable; lake: LakeTable; from: string | null };

export type LakeRowsToFind = {
  /** The columns that are fetched from the lake. */
  columns: readonly LakeColumn[];
  /** The columns by which a row of the lake is found among the rows that were read. */
  identity: readonly LakeColumn[];
  /** The part of a row that is kept, as expressions of its columns. */
  select: string;
  /** The table or view of the rows that were read. */
  read: string;
  into: string;
};

/**
 * Loads the lake's rows that correspond to rows read of the source, from the files that may hold them. Rows from before
 * the source's numbers began anew are left out: those of older files, and those beyond the last run's largest value.
 */
export async function loadLakeRows(
  order: RowsToCompare,
  connection: DuckDBConnection,
  { columns, identity, select, read, into }: LakeRowsToFind,
): Promise<void> {
  const { run, table, cursor, checkpoint } = order.prepared;
  const plan = await planLakeFiles(run, order.lake.tableId, checkpoint?.cursor?.fileIdBefore ?? undefined);
  const isRead = `EXISTS (SELECT 1 FROM ${read} AS r WHERE ${isEqual("r", "f", identity)})`;
  const isOfNow = cursor ? ` AND NOT ${isBeyond(cursor, "f")}` : "";
  const cells = columns.map((each) => asReadNow(each, table)).join(", ");
  await plan.each(
    await predicatesOf(order, connection, read, identity),
    () => columns,
    async (_, { left }) =>
      void (await connection.run(
        `INSERT INTO ${into} SELECT ${select} FROM (SELECT ${castColumns(columns)} FROM (SELECT ${cells} ${left})) AS f
          WHERE ${isRead}${isOfNow}`,
      )),
  );
}

const NUMBER = /^(u?int\d|decimal)/;

/** Conditions of which the lake's rows that were read satisfy one: by the cursor, or else by a number in the key. */
async function predicatesOf(
  { prepared: { columnPlan, cursor }, lake, from }: RowsToCompare,
  connection: DuckDBConnection,
  read: string,
  identity: readonly LakeColumn[],
): Promise<Predicate[][]> {
  const by = cursor
    ? columnPlan.columns.find(({ name }) => sameName(name, cursor.column.lake.name))!
    : identity.find(({ type }) => NUMBER.test(type));
  const isInLake = lake.columns.some(({ id }) => id === by?.id);
  if (!by || !isInLake || (cursor && from === null)) return [[]];
  const behind = from === null ? [] : [[{ columnId: by.id, op: ">=" as const, values: [from] }]];
  return [...behind, ...(await predicatesBelow(connection, read, by, from))];
}

/** A value as it would be read now: rows that were read earlier may have the padding of `char(n)`. */
function asReadNow(column: LakeColumn, { columns }: SourceTable): string {
  const value = quoteIdentifier(column.name);
  const changed = columns.find(({ lake, changedIn }) => changedIn !== undefined && sameName(lake.name, column.name));
  if (!changed) return value;
  return `${withoutPadding(value, column, changed.lake)} AS ${value}`;
}

/**
 * Removes the padding. A JSON `source` is an array of texts, as PostgreSQL prints it: a quote with a blank before it
 * ends a text, as a quote within a text has a backslash before it.
 */
function withoutPadding(value: string, column: LakeColumn, source: LakeColumn): string {
  if (source.type === "json")
    return `CAST(regexp_replace(CAST(${value} AS VARCHAR), ' +"', '"', 'g') AS ${duckdbType(column)})`;
  return column.type === "list" ? `list_transform(${value}, lambda i: rtrim(i, ' '))` : `rtrim(${value}, ' ')`;
}

const VALUES_MAX = 1_000;

/**
 * Conditions for the rows that were read although they lie below `from`, or for all rows without `from`: their values
 * one by one, or, where there are many, all values from the least on; and rows without a value.
 */
async function predicatesBelow(
  connection: DuckDBConnection,
  read: string,
  by: LakeColumn,
  from: string | null,
): Promise<Predicate[][]> {
  const column = quoteIdentifier(by.name);
  const isBelow =
    from === null ? "" : `WHERE ${column} IS NULL OR ${column} < ${quoteLiteral(from)}::${duckdbType(by)}`;
  const reader = await connection.runAndReadAll(
    `SELECT value::VARCHAR FROM (SELECT DISTINCT ${column} AS value FROM ${read}
      ${isBelow}) ORDER BY value NULLS FIRST
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
