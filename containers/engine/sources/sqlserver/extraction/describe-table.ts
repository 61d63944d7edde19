// A table's description, read from SQL Server's catalog views.

import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { numberOf } from "../../introspection/introspected-tables.ts";
import { Failure } from "../../../core/failure.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import { quoteText } from "../sql-text.ts";
import { planColumn, type DeclaredColumn } from "./plan-column.ts";

export type SqlServerTable = SourceTable & {
  /** The server's number of it, which another table of the name has not. */
  objectId: number;
  /** The columns as the catalog spells them, by name. */
  declared: ReadonlyMap<string, DeclaredColumn>;
  /** Whether the key is the primary one, by which change tracking names rows. */
  isPrimary: boolean;
  /** The column that the server counts upwards with every change of a row. */
  rowversion: string | undefined;
  /** Kept in memory: sessions with snapshots can't read it. */
  isInMemory: boolean;
  /** Why rows may read otherwise without having been written; undefined where they can't. */
  untrackedReason: string | undefined;
  /** When it was last altered, as text: rows that are switched in keep the rowversions that they had elsewhere. */
  alteredAt: string;
};

/**
 * Rejects with `sql_error` where there is no such table, or none that the account may read. `readAs` is by the source's
 * column names.
 */
export async function describeTable(
  fetchRows: FetchRows,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<SqlServerTable> {
  const { objectId, isView, isExternal, isInMemory, ...found } = await findTable(fetchRows, table);
  const listed = (await fetchRows(columnsQuery(objectId), "ttnnnnnnnnTTT")).map(readColumn);
  const readable = listed.filter((column) => column.isReadable);
  if (readable.length === 0)
    throw new Failure(
      "sql_error",
      `This account may read no column of ${table.schema}.${table.name}. Grant it SELECT.`,
    );
  const { isPrimary, key } = isView ? NO_KEY : findKey(await fetchRows(uniqueIndexesQuery(objectId), "nntn"));
  const { columns, notes } = planColumns(readable, readAs, planColumn);
  const hidden = listed.filter((column) => !column.isReadable).map(({ name }) => name);
  const encrypted = readable.filter(({ isEncrypted }) => isEncrypted).map(({ name }) => name);
  return {
    ...table,
    objectId,
    kind: isView ? "view" : isExternal ? "foreign" : "table",
    columns,
    declared: new Map(readable.map((column) => [column.name, column])),
    isPrimary,
    primaryKey: key.some((name) => hidden.includes(name)) ? [] : key,
    fingerprint: fingerprintOf([objectId, found.mayUnmask, readable.map(({ identity }) => identity), key, [...readAs]]),
    comments: { table: found.comment, columns: commentsOf(readable) },
    rowsEstimate: found.rows,
    bytesEstimate: null,
    rowversion: readable.find(({ typeName }) => typeName === "timestamp")?.name,
    isInMemory,
    untrackedReason: reasonNotToTrack(readable),
    alteredAt: found.alteredAt,
    notes: [
      ...(hidden.length > 0 ? [`This account may not read ${hidden.join(", ")}: left out.`] : []),
      ...(encrypted.length > 0
        ? [`The server can't decrypt ${encrypted.join(", ")}: the lake has what is stored.`]
        : []),
      ...(isInMemory ? ["It is memory-optimised, and read as of a moment of its own."] : []),
      ...notes,
    ],
  };
}

type TableProperties = {
  objectId: number;
  isView: boolean;
  isExternal: boolean;
  isInMemory: boolean;
  /** Whether dynamic masks show it what is beneath them. */
  mayUnmask: boolean;
  alteredAt: string;
  rows: number | null;
  comment: string | null;
};

async function findTable(fetchRows: FetchRows, table: SourceTableName): Promise<TableProperties> {
  const [found] = await fetchRows(tableQuery(table), "nnnnntNT");
  if (!found) throw noSuchTable(table, "account");
  const [objectId, isView, isExternal, isInMemory, mayUnmask, alteredAt, rows = null, comment = null] = found;
  return {
    objectId: Number(objectId),
    isView: isView === "1",
    isExternal: isExternal === "1",
    isInMemory: isInMemory === "1",
    mayUnmask: mayUnmask === "1",
    alteredAt: alteredAt!,
    rows: numberOf(rows),
    comment,
  };
}

const DESCRIPTION = (column: string): string => `(SELECT MAX(CAST(p.value AS nvarchar(4000)))
  FROM sys.extended_properties p
  WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = ${column} AND p.name = N'MS_Description')`;

const tableQuery = ({ schema, name }: SourceTableName): string => `
  SELECT o.object_id, CASE WHEN o.type = 'V' THEN 1 ELSE 0 END AS is_view,
    CASE WHEN t.is_external = 1 THEN 1 ELSE 0 END AS is_foreign,
    CASE WHEN t.is_memory_optimized = 1 THEN 1 ELSE 0 END AS is_in_memory,
    CASE WHEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'UNMASK') = 1
      OR HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', 'UNMASK') = 1
      THEN 1 ELSE 0 END AS may_unmask,
    CONVERT(nvarchar(40), o.modify_date, 126) AS altered_at,
    (SELECT SUM(p.rows) FROM sys.partitions p WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)) AS row_count,
    ${DESCRIPTION("0")} AS comment
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id LEFT JOIN sys.tables t ON t.object_id = o.object_id
  WHERE s.name = ${quoteText(schema)} AND o.name = ${quoteText(name)} AND o.type IN ('U', 'V')`;

/** Columns of a graph's own, which nobody can select, are hidden and generated by nobody. */
const columnsQuery = (objectId: number): string => `
  SELECT c.name, CASE WHEN c.system_type_id = 240 THEN y.name ELSE TYPE_NAME(c.system_type_id) END AS type_name,
    CAST(c.max_length AS int) AS max_length, CAST(c.precision AS int) AS digits, CAST(c.scale AS int) AS scale,
    CASE WHEN c.is_nullable = 1 THEN 1 ELSE 0 END AS nullable,
    CASE WHEN c.encryption_type IS NULL THEN 0 ELSE 1 END AS encrypted,
    CASE WHEN c.is_masked = 1 THEN 1 ELSE 0 END AS masked,
    CASE WHEN c.is_computed = 1 AND COALESCE(k.is_persisted, 0) = 0
      AND COALESCE(COLUMNPROPERTY(c.object_id, c.name, 'IsDeterministic'), 0) = 0 THEN 1 ELSE 0 END AS volatile,
    HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', 'SELECT', c.name, 'COLUMN') AS readable,
    c.collation_name, k.definition, ${DESCRIPTION("c.column_id")} AS comment
  FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
    JOIN sys.types y ON y.user_type_id = c.user_type_id
    LEFT JOIN sys.computed_columns k ON k.object_id = c.object_id AND k.column_id = c.column_id
  WHERE c.object_id = ${objectId} AND (c.is_hidden = 0 OR c.generated_always_type <> 0)
  ORDER BY c.column_id`;

type ListedColumn = DeclaredColumn & {
  isReadable: boolean;
  isVolatile: boolean;
  identity: (string | null)[];
  comment: string | null;
};

function readColumn(row: TextRow): ListedColumn {
  const [name, typeName, bytesMax, precision, scale, nullable, encrypted, , volatile, readable] = row;
  return {
    name: name!,
    typeName: typeName!.toLowerCase(),
    bytesMax: Number(bytesMax),
    precision: Number(precision),
    scale: Number(scale),
    nullable: nullable === "1",
    isEncrypted: encrypted === "1",
    isVolatile: volatile === "1",
    isReadable: readable === "1",
    identity: row.slice(0, 12),
    comment: row[12] ?? null,
  };
}

const reasonNotToTrack = (columns: readonly ListedColumn[]): string | undefined => {
  const column = columns.find(({ isVolatile }) => isVolatile);
  return column && `Column ${column.name} is computed anew whenever it is read, which leaves no trace.`;
};

const uniqueIndexesQuery = (objectId: number): string => `
  SELECT i.index_id, CASE WHEN i.is_primary_key = 1 THEN 1 ELSE 0 END AS is_primary, c.name,
    CASE WHEN c.is_nullable = 1 THEN 1 ELSE 0 END AS nullable
  FROM sys.indexes i JOIN sys.index_columns x ON x.object_id = i.object_id AND x.index_id = i.index_id
    JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id
  WHERE i.object_id = ${objectId} AND i.is_unique = 1 AND i.has_filter = 0 AND i.is_disabled = 0
    AND i.is_hypothetical = 0 AND x.is_included_column = 0 AND x.key_ordinal > 0
  ORDER BY i.index_id, x.key_ordinal`;

const NO_KEY = { isPrimary: false, key: [] as string[] };

/** The primary key, else the first unique index of columns that are never NULL. */
function findKey(rows: readonly TextRow[]): { isPrimary: boolean; key: string[] } {
  const indexes = [...Map.groupBy(rows, ([index]) => index!).values()];
  const primary = indexes.find(([first]) => first![1] === "1");
  const found = primary ?? indexes.find((columns) => columns.every(([, , , nullable]) => nullable === "0"));
  return found ? { isPrimary: primary !== undefined, key: found.map(([, , name]) => name!) } : NO_KEY;
}
