// A table's description, read from the information_schema of MySQL and MariaDB.

import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { numberOf } from "../../introspection/introspected-tables.ts";
import { Failure } from "../../../core/failure.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { planColumn, type MysqlColumn } from "./plan-column.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";

export type MysqlTable = SourceTable & {
  /** The columns by name, as `information_schema` spells them. */
  declared: ReadonlyMap<string, MysqlColumn>;
  /** The storage engine, such as `InnoDB`; null for a view. */
  engine: string | null;
  /** Whether the key is the primary one, and not another unique index of columns that are never NULL. */
  isPrimary: boolean;
};

/**
 * Rejects with `sql_error` where there is no such table, or none that the account may read. `readAs` is by the source's
 * column names.
 */
export async function describeTable(
  fetchRows: FetchRows,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<MysqlTable> {
  const found = await findTable(fetchRows, table);
  const declared = await fetchColumns(fetchRows, table);
  const readable = declared.filter((column) => column.readable);
  if (readable.length === 0)
    throw new Failure(
      "sql_error",
      `This account may read no column of ${table.schema}.${table.name}. Grant it SELECT.`,
    );
  const { isPrimary, key } = findKey(await fetchRows(uniqueIndexesQuery(table), "tTTN"));
  const { columns, notes } = planColumns(readable, readAs, planColumn);
  const hidden = declared.filter((column) => !column.readable).map(({ name }) => name);
  const identities = readable.map(({ identity }) => identity);
  const { isView, engine, comment, ...estimates } = found;
  return {
    ...table,
    ...estimates,
    kind: isView ? "view" : "table",
    columns,
    declared: new Map(readable.map((column) => [column.name, column])),
    isPrimary,
    primaryKey: key.some((name) => hidden.includes(name)) ? [] : key,
    fingerprint: fingerprintOf([identities, key, Object.fromEntries(readAs)]),
    engine,
    // A view's says that it is one.
    comments: { table: isView ? null : comment, columns: commentsOf(readable) },
    notes: [
      ...(hidden.length > 0 ? [`This account may not read ${hidden.join(", ")}: left out.`] : []),
      ...notes,
      ...(isView || engine === null || /^(innodb|rocksdb)$/i.test(engine)
        ? []
        : [`It is kept by ${engine}, which knows no snapshots: rows written while it is read may be seen or not.`]),
    ],
  };
}

type TableProperties = Pick<MysqlTable, "engine" | "rowsEstimate" | "bytesEstimate"> & {
  isView: boolean;
  comment: string | null;
};

async function findTable(fetchRows: FetchRows, table: SourceTableName): Promise<TableProperties> {
  const [found] = await fetchRows(
    `SELECT table_type, engine, table_rows, data_length, table_comment
    FROM information_schema.tables WHERE ${isOf(table)}`,
    "tTNNT",
  );
  if (!found) throw noSuchTable(table, "account");
  const [type, engine = null, rows = null, bytes = null, comment = null] = found;
  return {
    isView: type?.includes("VIEW") ?? false,
    engine,
    rowsEstimate: numberOf(rows),
    bytesEstimate: numberOf(bytes),
    comment,
  };
}

async function fetchColumns(fetchRows: FetchRows, table: SourceTableName): Promise<DeclaredColumn[]> {
  const checks = await jsonChecks(fetchRows, table);
  return (await fetchRows(columnsQuery(table), "tttNNTTTTTT")).map((row) => readColumn(row, checks));
}

/** The condition on the views of `information_schema`. */
const isOf = ({ schema, name }: SourceTableName): string =>
  `table_schema = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(name)}`;

const uniqueIndexesQuery = (table: SourceTableName): string => `
  SELECT index_name, column_name, nullable, sub_part FROM information_schema.statistics
  WHERE ${isOf(table)} AND non_unique = 0 ORDER BY index_name, seq_in_index`;

/** The primary key, else the first unique index of whole columns that are never NULL. */
function findKey(indexed: TextRow[]): { isPrimary: boolean; key: string[] } {
  const indexes = [...Map.groupBy(indexed, ([index]) => index!)];
  const primary = indexes.find(([name]) => name === "PRIMARY");
  const found =
    primary ??
    indexes.find(([, columns]) =>
      columns.every(([, column, nullable, part]) => column !== null && nullable !== "YES" && part === null),
    );
  return { isPrimary: primary !== undefined, key: found?.[1].map(([, column]) => column!) ?? [] };
}

const columnsQuery = (table: SourceTableName): string => `
  SELECT column_name, LOWER(data_type), column_type, numeric_precision, numeric_scale, is_nullable, privileges,
    column_comment, character_set_name, collation_name, generation_expression
  FROM information_schema.columns WHERE ${isOf(table)} ORDER BY ordinal_position`;

type DeclaredColumn = MysqlColumn & { readable: boolean; identity: (string | null)[]; comment: string | null };

function readColumn(
  [name, dataType, columnType, precision, scale, nullable, privileges, comment = null, ...more]: TextRow,
  checks: string[],
): DeclaredColumn {
  const isJsonText = checks.includes(`json_valid(${quoteIdentifier(name!)})`);
  return {
    name: name!,
    dataType: dataType!,
    columnType: columnType!,
    precision: Number(precision),
    scale: Number(scale),
    nullable: nullable === "YES",
    isJsonText,
    readable: (privileges ?? "").split(",").includes("select"),
    comment,
    identity: [name!, columnType!, String(isJsonText), ...more],
  };
}

/** MySQL has a type of its own for JSON, and a table of checks without the tables' names. */
async function jsonChecks(fetchRows: FetchRows, { schema, name }: SourceTableName): Promise<string[]> {
  const [[version = ""] = []] = await fetchRows("SELECT VERSION()", "t");
  if (!/mariadb/i.test(version ?? "")) return [];
  const rows = await fetchRows(
    `SELECT check_clause FROM information_schema.check_constraints
    WHERE constraint_schema = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(name)}`,
    "T",
  ).catch(() => []);
  return rows.map(([clause]) => clause ?? "");
}
