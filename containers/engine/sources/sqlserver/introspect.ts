// Lists a SQL Server database's tables with their columns and keys, as its catalog views have them.

import type { Introspection, Source } from "../../../../kernel/wire/source.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import { IntrospectedTables } from "../introspection/introspected-tables.ts";
import type { TextRow } from "../row-collector.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure } from "./connection/errors.ts";
import { typedNameFolding } from "./name-folding.ts";
import { spellType } from "./rows/spell-type.ts";

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;
const PAGE_BYTES = 8192;

/** Lists the tables of the session's database; tables that the account may not select are left out. */
export async function introspectSqlServer(
  { credentials }: Extract<Source, { type: "sqlserver" }>,
  signal: AbortSignal,
): Promise<Introspection> {
  const { wire, close } = await connect(credentials, signal);
  try {
    const folding = await typedNameFolding((sql, format) => wire.fetchRows(sql, format, signal));
    const tables = await wire.fetchRows(TABLES, "nttnTNN", signal);
    const columns = await wire.fetchRows(COLUMNS, "nttnnnnnnT", signal);
    const keys = await wire.fetchRows(PRIMARY_KEYS, "nt", signal);
    const foreignKeys = await wire.fetchRows(FOREIGN_KEYS, "nntttt", signal);
    return { ...toIntrospection({ tables, columns, keys, foreignKeys }), folding };
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionFailure(error);
  } finally {
    await close();
  }
}

const DESCRIPTION = (of: string, column: string) => `(
    SELECT TOP (1) CAST(p.value AS nvarchar(4000)) FROM sys.extended_properties p
    WHERE p.class = 1 AND p.major_id = ${of} AND p.minor_id = ${column} AND p.name = N'MS_Description')`;

const TABLES = `
  SELECT TOP (${tablesMax + 1}) o.object_id, s.name AS schema_name, o.name,
    CASE WHEN o.type = 'V' THEN 1 WHEN t.is_external = 1 THEN 2 ELSE 0 END AS kind,
    ${DESCRIPTION("o.object_id", "0")} AS comment,
    (SELECT SUM(p.rows) FROM sys.partitions p WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)) AS row_count,
    (SELECT SUM(a.used_pages) * ${PAGE_BYTES} FROM sys.partitions p
      JOIN sys.allocation_units a ON a.container_id = p.partition_id WHERE p.object_id = o.object_id) AS byte_count
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id LEFT JOIN sys.tables t ON t.object_id = o.object_id
  WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  ORDER BY s.name, o.name`;

const COLUMNS = `
  SELECT TOP (${columnsMax + 1}) c.object_id, c.name,
    CASE WHEN c.system_type_id = 240 THEN y.name ELSE b.name END AS type_name,
    CAST(c.max_length AS int) AS max_length, CAST(c.precision AS int) AS digits, CAST(c.scale AS int) AS scale,
    CASE WHEN c.is_nullable = 1 THEN 1 ELSE 0 END AS nullable,
    CASE WHEN c.is_computed = 1 OR c.generated_always_type <> 0 THEN 1 ELSE 0 END AS generated,
    CASE WHEN CAST(n.increment_value AS decimal(38, 0)) > 0 THEN 1 ELSE 0 END AS counted,
    ${DESCRIPTION("c.object_id", "c.column_id")} AS comment
  FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
    JOIN sys.types y ON y.user_type_id = c.user_type_id LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id
    LEFT JOIN sys.identity_columns n ON n.object_id = c.object_id AND n.column_id = c.column_id
  WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
    AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', 'SELECT', c.name, 'COLUMN') = 1
  ORDER BY s.name, o.name, c.column_id`;

const PRIMARY_KEYS = `
  SELECT i.object_id, c.name FROM sys.indexes i
    JOIN sys.index_columns x ON x.object_id = i.object_id AND x.index_id = i.index_id
    JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id
  WHERE i.is_primary_key = 1 ORDER BY i.object_id, x.key_ordinal`;

const FOREIGN_KEYS = `
  SELECT TOP (${columnsMax}) k.constraint_object_id, k.parent_object_id, c.name AS column_name, s.name AS to_schema,
    o.name AS to_table, r.name AS to_column
  FROM sys.foreign_key_columns k
    JOIN sys.columns c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
    JOIN sys.objects o ON o.object_id = k.referenced_object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
    JOIN sys.columns r ON r.object_id = k.referenced_object_id AND r.column_id = k.referenced_column_id
  ORDER BY k.constraint_object_id, k.constraint_column_id`;

const KINDS = ["table", "view", "foreign"] as const;

type CatalogRows = Record<"tables" | "columns" | "keys" | "foreignKeys", TextRow[]>;

/** Tables are named by the server's numbers of them. */
function toIntrospection({ tables, columns, keys, foreignKeys }: CatalogRows): Introspection {
  const found = new IntrospectedTables();
  found.addTables(tables, ([id, schema, name, kind, comment = null, rowsEstimate, bytesEstimate]) => ({
    table: id!,
    schema: schema!,
    name: name!,
    kind: KINDS[Number(kind)] ?? "table",
    comment,
    rowsEstimate: kind === "0" ? rowsEstimate : null,
    bytesEstimate: kind === "0" ? bytesEstimate : null,
  }));
  found.addColumns(columns, ([id, name, type, bytesMax, precision, scale, nullable, generated, counted, comment]) => ({
    table: id!,
    column: {
      name: name!,
      type: spellType({ name: type!, bytesMax: Number(bytesMax), precision: Number(precision), scale: Number(scale) }),
      nullable: nullable === "1",
      generated: generated === "1",
      counted: counted === "1",
      comment: comment!,
    },
  }));
  for (const [id, column] of keys) found.addKeyColumn(id!, column!);
  for (const [constraint, id, column, ...to] of foreignKeys)
    found.addForeignKeyColumn({ table: id!, constraint: constraint!, column: column!, to: [to[0]!, to[1]!, to[2]!] });
  return found.toIntrospection();
}
