// Redshift's catalog, as the engine asks it: statements of their own, for the leader node keeps some of it, functions
// make the rest, and the two are not joined by every version. External schemas (Spectrum, federated) are in it, and
// late-binding views.

import type { FetchRows, TextRow } from "../row-collector.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import { COMMENT_CHARACTERS_MAX } from "../../../../kernel/lake/commit.ts";
import { quoteLiteral } from "./sql-text.ts";

export type CatalogTable = {
  schema: string;
  name: string;
  kind: "table" | "view" | "materialized" | "foreign";
  comment: string | null;
  /** The estimate of a table's rows; only analyzed tables of the database itself have one. */
  rows: number | null;
  /** Whether this user may read all of it. */
  isReadable: boolean;
};

/** `conname`, its kind (`p`, `f`, `u`), and what it names. */
export type CatalogConstraint = {
  schema: string;
  table: string;
  kind: string;
  columns: string[];
  references: { schema: string; table: string; columns: string[] } | null;
};

/** To tell schema and name apart in a key. */
export const pathKey = (schema: string, name: string): string => `${schema}\0${name}`;

const { tablesMax } = INTROSPECTION_LIMITS;

/** Schemas of the server's own, and of sessions' temporary tables. */
const isUsers = (schema: string): string =>
  `substring(${schema}, 1, 3) <> 'pg_' AND ${schema} NOT IN ('information_schema', 'catalog_history')`;

/** Fetches at most one table more than {@link tablesMax}; `where` narrows them down further. */
export async function fetchTables(fetchRows: FetchRows, where = "1 = 1"): Promise<CatalogTable[]> {
  const listed = await fetchRows(tablesQuery(where), "tttT");
  const local = new Map(
    (await fetchRows(LOCAL_TABLES, "ttttN")).map((row) => [pathKey(row[0]!, row[1]!), row] as const),
  );
  return listed
    .filter(([, name]) => !STORES_VIEW.test(name!))
    .map(([schema, name, type, comment]) =>
      toTable({ schema: schema!, name: name!, type: type!, comment: comment ?? null }, local),
    );
}

/** A materialized view's rows lie in a table of such a name. */
const STORES_VIEW = /^mv_tbl__.*__\d+$/;

type Listed = { schema: string; name: string; type: string; comment: string | null };

function toTable({ schema, name, type, comment }: Listed, local: ReadonlyMap<string, TextRow>): CatalogTable {
  const [, , isView, isReadable, rows] = local.get(pathKey(schema, name)) ?? [];
  const isStored = isView === "1" && hasStore(schema, name, local);
  return {
    schema,
    name,
    kind: isStored ? "materialized" : type === "VIEW" ? "view" : /EXTERNAL|SHARED/.test(type) ? "foreign" : "table",
    comment: comment === "" ? null : comment,
    rows: rows == null || Number(rows) < 1 ? null : Number(rows),
    // The list of other databases' tables has only those whose schema the user may use.
    isReadable: isReadable !== "0",
  };
}

const hasStore = (schema: string, name: string, local: ReadonlyMap<string, TextRow>): boolean =>
  local.has(pathKey(schema, `mv_tbl__${name}__0`));

const tablesQuery = (where: string): string => `
  SELECT table_schema, table_name, table_type, substring(remarks, 1, ${COMMENT_CHARACTERS_MAX + 1})
  FROM svv_tables WHERE ${isUsers("table_schema")} AND ${where}
  ORDER BY table_schema, table_name LIMIT ${tablesMax + 1}`;

const LOCAL_TABLES = `
  SELECT n.nspname, c.relname, CASE WHEN c.relkind = 'v' THEN '1' ELSE '0' END,
    CASE WHEN has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') THEN '1' ELSE '0' END,
    CAST(c.reltuples AS BIGINT)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v') AND ${isUsers("n.nspname")}`;

export const oneTable = (schema: string, name: string): string =>
  `table_schema = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(name)}`;

/** Declared keys, which Redshift holds no row to; `where` is on `n.nspname` and `c.relname`. */
export async function fetchConstraints(fetchRows: FetchRows, where = "1 = 1"): Promise<CatalogConstraint[]> {
  const rows = await fetchRows(constraintsQuery(where), "nttttNTTT");
  if (rows.length === 0) return [];
  const names = new Map(
    (await fetchRows(KEYED_COLUMNS, "nnt")).map(([oid, number, name]) => [`${oid} ${number}`, name!] as const),
  );
  const columnsOf = (oid: string, numbers: string | null): string[] =>
    (numbers ?? "").split(",").flatMap((number) => names.get(`${oid} ${number}`) ?? []);
  return rows.map(([oid, schema, table, kind, numbers, otherOid, otherSchema, otherTable, otherNumbers]) => ({
    schema: schema!,
    table: table!,
    kind: kind!,
    columns: columnsOf(oid!, numbers!),
    references:
      otherOid == null || otherSchema == null || otherTable == null
        ? null
        : { schema: otherSchema, table: otherTable, columns: columnsOf(otherOid, otherNumbers ?? null) },
  }));
}

const constraintsQuery = (where: string): string => `
  SELECT c.oid, n.nspname, c.relname, k.contype, array_to_string(k.conkey, ','),
    f.oid, fn.nspname, f.relname, array_to_string(k.confkey, ',')
  FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_catalog.pg_class f ON f.oid = k.confrelid LEFT JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
  WHERE k.contype IN ('p', 'f', 'u') AND ${where} ORDER BY n.nspname, c.relname, k.contype, k.conname`;

const KEYED_COLUMNS = `
  SELECT a.attrelid, a.attnum, a.attname FROM pg_catalog.pg_attribute a
  WHERE a.attnum > 0 AND NOT a.attisdropped
    AND (a.attrelid IN (SELECT conrelid FROM pg_catalog.pg_constraint)
      OR a.attrelid IN (SELECT confrelid FROM pg_catalog.pg_constraint))`;
