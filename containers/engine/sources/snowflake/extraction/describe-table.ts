// A table's description, read from Snowflake's catalog: its columns, its key, and how far back it can be read.

import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { numberOf } from "../../introspection/introspected-tables.ts";
import { Failure } from "../../../core/failure.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import type { TextRow } from "../../row-collector.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../sql-text.ts";
import { planColumn, type SnowflakeColumn } from "./plan-column.ts";

export type SnowflakeTable = SourceTable & {
  /** The columns as the catalog has them, by their names. */
  declared: ReadonlyMap<string, SnowflakeColumn>;
  /** When it was created, as text: another one is another table. */
  createdOn: string;
  /** When its definition last changed, as text; null where the catalog does not say. */
  lastDdl: string | null;
  /** Whether Snowflake keeps which of its rows change. */
  isTracked: boolean;
  /** Whether it can be read as of the snapshot's moment; else it is read as it is when it is read. */
  hasPast: boolean;
};

/** A session's methods that the description of a table needs. */
export type CatalogReader = {
  database: string;
  fetchRows(sql: string, format: string): Promise<TextRow[]>;
  /** Fetches these columns of SHOW's answer. */
  fetchNamed(sql: string, names: readonly string[]): Promise<TextRow[]>;
  /** Whether a table can be read as of the snapshot's moment, by asking for none of its rows. */
  hasPast(table: SourceTableName): Promise<boolean>;
};

/** `readAs` is by the source's column names. */
export async function describeTable(
  catalog: CatalogReader,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<SnowflakeTable> {
  const found = await findTable(catalog, table);
  const declared = await fetchColumns(catalog, table);
  if (declared.length === 0)
    throw new Failure("sql_error", `${table.schema}.${table.name} shows no column to this role. Grant it SELECT.`);
  const { retention, comment, ...estimates } = found;
  const isTable = found.kind === "table";
  const key = isTable ? await unlessRefused(fetchKey(catalog, table), []) : [];
  const { createdOn, isTracked } = isTable ? await unlessRefused(fetchTracking(catalog, table), UNTRACKED) : UNTRACKED;
  // Without retention what is there now may be gone from one statement to the next.
  const hasPast = retention !== "0" && (await catalog.hasPast(table));
  const { columns, notes } = planColumns(declared, readAs, planColumn);
  const identities = declared.map(({ comment: _, ...column }) => column);
  return {
    ...table,
    ...estimates,
    columns,
    declared: new Map(declared.map((column) => [column.name, column])),
    primaryKey: key.every((name) => declared.some((column) => column.name === name)) ? key : [],
    fingerprint: fingerprintOf([identities, key, Object.fromEntries(readAs)]),
    comments: { table: comment, columns: commentsOf(declared) },
    createdOn,
    isTracked,
    hasPast,
    notes: [...notes, ...(hasPast ? [] : [WITHOUT_PAST])],
  };
}

const WITHOUT_PAST =
  "It can't be read as of an earlier moment (its retention is 0 days, it is new, or it is of a kind without time " +
  "travel): it is read as it is when its turn comes, as a whole at each run.";

const UNTRACKED = { createdOn: "", isTracked: false };

/** Some kinds of tables are in none of the lists of SHOW, and are refused there. */
const unlessRefused = <T>(found: Promise<T>, otherwise: T): Promise<T> =>
  found.catch((error: unknown) => {
    if (error instanceof Failure && error.code === "sql_error") return otherwise;
    throw error;
  });

type TableProperties = Pick<SnowflakeTable, "kind" | "rowsEstimate" | "bytesEstimate" | "lastDdl"> & {
  comment: string | null;
  /** In days; null where the catalog has none. */
  retention: string | null;
};

/** Conditions on the views of `information_schema`. */
const isOf = ({ schema, name }: SourceTableName): string =>
  `TABLE_SCHEMA = ${quoteLiteral(schema)} AND TABLE_NAME = ${quoteLiteral(name)}`;

const view = (database: string, name: string): string => `${quoteIdentifier(database)}.INFORMATION_SCHEMA.${name}`;

async function findTable({ database, fetchRows }: CatalogReader, table: SourceTableName): Promise<TableProperties> {
  const [found] = await fetchRows(
    `SELECT TABLE_TYPE, ROW_COUNT, BYTES, COMMENT, RETENTION_TIME, LAST_DDL FROM ${view(database, "TABLES")}
    WHERE ${isOf(table)}`,
    "tNNTTT",
  );
  if (!found) throw noSuchTable(table, "role");
  const [type, rows = null, bytes = null, comment = null, retention = null, lastDdl = null] = found;
  const kind = /VIEW/.test(type!) ? "view" : /EXTERNAL/.test(type!) ? "foreign" : "table";
  return {
    kind: type === "MATERIALIZED VIEW" ? "materialized" : kind,
    rowsEstimate: numberOf(rows),
    bytesEstimate: numberOf(bytes),
    comment: comment || null,
    retention,
    lastDdl,
  };
}

type DeclaredColumn = SnowflakeColumn & { comment: string | null };

async function fetchColumns({ database, fetchRows }: CatalogReader, table: SourceTableName): Promise<DeclaredColumn[]> {
  const rows = await fetchRows(
    `SELECT COLUMN_NAME, DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, CHARACTER_MAXIMUM_LENGTH, DATETIME_PRECISION,
      IS_NULLABLE, COLLATION_NAME, COMMENT FROM ${view(database, "COLUMNS")} WHERE ${isOf(table)}
    ORDER BY ORDINAL_POSITION`,
    "ttNNNNTTT",
  );
  return rows.map(([name, dataType, precision, scale, length, fraction, nullable, collation, comment]) => ({
    name: name!,
    dataType: dataType!,
    declaredType: declaredType(dataType!, { precision, scale, length, fraction }),
    precision: Number(precision ?? 38),
    scale: Number(scale ?? 0),
    length: Number(length ?? 0),
    isCollated: Boolean(collation),
    nullable: nullable !== "NO",
    comment: comment || null,
  }));
}

type Measures = Record<"precision" | "scale" | "length" | "fraction", string | null | undefined>;

function declaredType(dataType: string, { precision, scale, length, fraction }: Measures): string {
  if (dataType === "NUMBER") return `NUMBER(${precision},${scale})`;
  if (dataType === "TEXT") return length == null ? "VARCHAR" : `VARCHAR(${length})`;
  return /^TIME/.test(dataType) && fraction != null ? `${dataType}(${fraction})` : dataType;
}

/** Snowflake takes a key down and does not enforce that it is one: whoever merges by it has to look. */
async function fetchKey({ database, fetchNamed }: CatalogReader, table: SourceTableName): Promise<string[]> {
  const rows = await fetchNamed(`SHOW PRIMARY KEYS IN TABLE ${quoteTable(database, table)}`, [
    "schema_name",
    "table_name",
    "column_name",
    "key_sequence",
  ]);
  return rows
    .filter(([schema, name]) => schema === table.schema && name === table.name)
    .sort((a, b) => Number(a[3]) - Number(b[3]))
    .map(([, , column]) => column!);
}

/** Tables that begin with the name come too. */
async function fetchTracking(
  { database, fetchNamed }: CatalogReader,
  { schema, name }: SourceTableName,
): Promise<Pick<SnowflakeTable, "createdOn" | "isTracked">> {
  const rows = await fetchNamed(
    `SHOW TABLES IN SCHEMA ${quoteIdentifier(database)}.${quoteIdentifier(schema)} STARTS WITH ${quoteLiteral(name)}`,
    ["schema_name", "name", "created_on", "change_tracking"],
  );
  const found = rows.find(([of, table]) => of === schema && table === name);
  return found ? { createdOn: found[2] ?? "", isTracked: found[3] === "ON" } : UNTRACKED;
}
