// Lists a Redshift database's tables, views and external tables with their columns and declared keys.

import type { DatabaseCredentials, Introspection } from "../../../../kernel/wire/source.ts";
import { COMMENT_CHARACTERS_MAX } from "../../../../kernel/lake/commit.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import type { FetchRows, TextRow } from "../row-collector.ts";
import { introspectWhole, type IntrospectedTable } from "../introspection/introspected-tables.ts";
import { connect } from "../postgres/connection/connect.ts";
import { connectionFailure, ServerError } from "../postgres/connection/errors.ts";
import { fetchRows } from "../postgres/connection/fetch-rows.ts";
import { fetchConstraints, fetchTables, pathKey, type CatalogConstraint, type CatalogTable } from "./catalog.ts";
import { redshiftFailure } from "./errors.ts";
import { PRODUCT } from "./product.ts";
import { FOLDING } from "./sql-text.ts";
import { OPENING } from "./transaction.ts";

type Column = IntrospectedTable["columns"][number];

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;

export async function introspectRedshift(
  credentials: DatabaseCredentials,
  signal: AbortSignal,
): Promise<Introspection> {
  const { wire, close } = await connect(credentials, signal, "fjord", PRODUCT);
  try {
    return await wire.untilAborted(signal, async () => {
      await fetchRows(wire, OPENING, "");
      return readCatalog((sql, format) => fetchRows(wire, sql, format));
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ServerError ? redshiftFailure(error, false) : connectionFailure(error, PRODUCT);
  } finally {
    await close();
  }
}

async function readCatalog(ask: FetchRows): Promise<Introspection> {
  const listed = await fetchTables(ask);
  const columns = Map.groupBy(await ask(COLUMNS_QUERY, "tttttNNNT"), ([schema, name]) => pathKey(schema!, name!));
  const constraints = Map.groupBy(await fetchConstraints(ask), ({ schema, table }) => pathKey(schema, table));
  const tables = listed
    .slice(0, tablesMax)
    .filter(({ isReadable }) => isReadable)
    .map((table) => {
      const key = pathKey(table.schema, table.name);
      const own = (columns.get(key) ?? []).map(toColumn);
      return { schema: table.schema, table: toTable(table, own, constraints.get(key) ?? []) };
    });
  return { ...introspectWhole(tables, listed.length > tablesMax), folding: FOLDING };
}

function toTable(
  { name, kind, comment, rows }: CatalogTable,
  columns: Column[],
  constraints: readonly CatalogConstraint[],
): IntrospectedTable {
  return {
    name,
    kind,
    comment,
    rowsEstimate: rows,
    bytesEstimate: null,
    columns,
    primaryKey: constraints.find(({ kind }) => kind === "p")?.columns ?? [],
    foreignKeys: constraints.flatMap(({ columns: own, references }) =>
      references && own.length > 0 && own.length === references.columns.length
        ? [{ columns: own, schema: references.schema, table: references.table, references: references.columns }]
        : [],
    ),
  };
}

/** One more than there may be, of all tables together. */
const COLUMNS_QUERY = `
  SELECT table_schema, table_name, column_name, data_type, is_nullable,
    character_maximum_length, numeric_precision, numeric_scale,
    substring(remarks, 1, ${COMMENT_CHARACTERS_MAX + 1})
  FROM svv_columns
  WHERE substring(table_schema, 1, 3) <> 'pg_' AND table_schema NOT IN ('information_schema', 'catalog_history')
  ORDER BY table_schema, table_name, ordinal_position LIMIT ${columnsMax + 1}`;

function toColumn(row: TextRow): Column {
  const [, , name, type, isNullable, length, precision, scale, comment] = row;
  return {
    name: name!,
    type: typeText(type!, { length: length ?? null, precision: precision ?? null, scale: scale ?? null }),
    nullable: isNullable !== "NO",
    // No column counts upwards: the numbers of an IDENTITY are given out by many nodes side by side.
    comment: comment === "" ? null : (comment ?? null),
  };
}

type Bounds = { length: string | null; precision: string | null; scale: string | null };

/** Spells a column's declared type. External columns name their bounds themselves. */
function typeText(type: string, { length, precision, scale }: Bounds): string {
  if (type.includes("(")) return type;
  if (/^(numeric|decimal)$/i.test(type) && precision !== null) return `${type}(${precision},${scale ?? "0"})`;
  if (/char|varbyte|binary/i.test(type) && length !== null && Number(length) > 0) return `${type}(${length})`;
  return type;
}
