// Lists a PostgreSQL database's tables with their columns and keys, as its catalog has them.

import { z } from "zod";
import { COMMENT_CHARACTERS_MAX } from "../../../../kernel/lake/commit.ts";
import { Introspection, type Source } from "../../../../kernel/wire/source.ts";
import type { TextRow } from "../row-collector.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import { introspectWhole, numberOf, type IntrospectedTable } from "../introspection/introspected-tables.ts";
import { fetchRows } from "./connection/fetch-rows.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, ServerError, statementFailure } from "./connection/errors.ts";
import { protocolViolation } from "./connection/messages.ts";

const Columns = Introspection.shape.schemas.element.shape.tables.element.shape.columns;
const Key = z.array(z.string());
const ForeignKeys = Introspection.shape.schemas.element.shape.tables.element.shape.foreignKeys.unwrap();
/** One table's description holds 1,600 columns with their comments, with a margin. */
const JSON_CHARACTERS_MAX = 32 * 1024 * 1024;

const { tablesMax } = INTROSPECTION_LIMITS;

export async function introspectPostgres(
  { credentials }: Extract<Source, { type: "postgres" }>,
  signal: AbortSignal,
): Promise<Introspection> {
  const { wire, close } = await connect(credentials, signal, "fjord");
  try {
    return await wire.untilAborted(signal, async () => {
      await fetchRows(wire, "BEGIN TRANSACTION READ ONLY; SET LOCAL client_encoding = 'UTF8'", "");
      const rows = await fetchRows(wire, TABLES_QUERY, "tttTNNtTT");
      return introspectWhole(tablesOf(rows), rows.length > tablesMax);
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ServerError ? statementFailure(error, false) : connectionFailure(error);
  } finally {
    await close();
  }
}

/** A comment may be a gigabyte long. */
const shortened = (text: string): string => `pg_catalog.left(${text}, ${COMMENT_CHARACTERS_MAX})`;

/**
 * Partitions are read through the table they are parts of. Estimates are what ANALYZE and VACUUM last saw; sizes are
 * read off them too, for asking the file system is slow for many tables. A column is counted up where an identity or a
 * default numbers it by a sequence that neither counts down nor begins again.
 */
const TABLES_QUERY = `
  WITH listed AS (
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples, c.relpages
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
      AND n.nspname !~ '^(pg_|_timescaledb|information_schema$)'
      AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
    ORDER BY n.nspname, c.relname LIMIT ${tablesMax + 1}
  ), numbered AS (
    SELECT refobjid AS attrelid, refobjsubid AS attnum, objid AS sequence FROM pg_catalog.pg_depend
    WHERE classid = 'pg_catalog.pg_class'::regclass AND refclassid = 'pg_catalog.pg_class'::regclass AND deptype = 'i'
      AND refobjid IN (SELECT oid FROM listed)
    UNION
    SELECT d.adrelid, d.adnum, p.refobjid FROM pg_catalog.pg_attrdef d
    JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = d.oid
      AND p.refclassid = 'pg_catalog.pg_class'::regclass
    WHERE d.adrelid IN (SELECT oid FROM listed)
      AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval[(]''([^'']|'''')*''::regclass[)]$'
  ), counted AS (
    SELECT n.attrelid, n.attnum FROM numbered n JOIN pg_catalog.pg_sequence s ON s.seqrelid = n.sequence
    WHERE s.seqincrement > 0 AND NOT s.seqcycle
  ), described AS (
    SELECT a.attrelid, count(*) AS columns, json_agg(json_build_object(
      'name', a.attname,
      'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'nullable', NOT a.attnotnull,
      'generated', a.attgenerated <> '',
      'counted', counted.attnum IS NOT NULL,
      'comment', ${shortened("pg_catalog.col_description(a.attrelid, a.attnum)")}
    ) ORDER BY a.attnum) AS list
    FROM pg_catalog.pg_attribute a LEFT JOIN counted ON counted.attrelid = a.attrelid AND counted.attnum = a.attnum
    WHERE a.attrelid IN (SELECT oid FROM listed) AND a.attnum > 0 AND NOT a.attisdropped
      AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
    GROUP BY a.attrelid
  ), keys AS (
    SELECT k.conrelid, json_agg(a.attname ORDER BY position) AS names
    FROM pg_catalog.pg_constraint k
    CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part(attnum, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.attnum
    WHERE k.contype = 'p' AND k.conrelid IN (SELECT oid FROM listed) GROUP BY k.conrelid
  ), references_made AS (
    SELECT k.conrelid, json_agg(json_build_object(
      'columns', (SELECT json_agg(a.attname ORDER BY position) FROM unnest(k.conkey) WITH ORDINALITY AS part(attnum, position)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.attnum),
      'schema', n.nspname,
      'table', c.relname,
      'references', (SELECT json_agg(a.attname ORDER BY position) FROM unnest(k.confkey) WITH ORDINALITY AS part(attnum, position)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = part.attnum)
    ) ORDER BY k.conname) AS list
    FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_class c ON c.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid IN (SELECT oid FROM listed) GROUP BY k.conrelid
  ), parts AS (
    SELECT l.oid, sum(c.reltuples) FILTER (WHERE c.reltuples > 0) AS reltuples, sum(c.relpages::bigint) AS relpages
    FROM listed l
    CROSS JOIN LATERAL pg_catalog.pg_partition_tree(l.oid) tree
    JOIN pg_catalog.pg_class c ON c.oid = tree.relid AND tree.isleaf
    WHERE l.relkind = 'p' GROUP BY l.oid
  )
  SELECT l.nspname AS schema, l.relname AS name, l.relkind AS kind,
    ${shortened("pg_catalog.obj_description(l.oid, 'pg_class')")} AS comment,
    CASE WHEN l.relkind = 'p' THEN parts.reltuples::bigint
      WHEN l.relpages > 0 AND l.reltuples >= 0 THEN l.reltuples::bigint END AS rows,
    nullif(coalesce(parts.relpages, l.relpages), 0) * pg_catalog.current_setting('block_size')::bigint AS bytes,
    coalesce(described.list, '[]') AS columns, keys.names AS key,
    references_made.list AS foreign_keys
  FROM listed l
  LEFT JOIN described ON described.attrelid = l.oid
  LEFT JOIN keys ON keys.conrelid = l.oid
  LEFT JOIN references_made ON references_made.conrelid = l.oid
  LEFT JOIN parts ON parts.oid = l.oid
  ORDER BY l.nspname, l.relname`;

const KINDS: Record<string, IntrospectedTable["kind"]> = {
  r: "table",
  p: "partitioned",
  v: "view",
  m: "materialized",
  f: "foreign",
};

/** The rows are read one by one, so that no more of them are parsed than are wanted. */
function* tablesOf(rows: TextRow[]): Generator<{ schema: string; table: IntrospectedTable }> {
  for (const [schema, ...table] of rows.slice(0, tablesMax)) yield { schema: schema!, table: toTable(table) };
}

function toTable([name, kind, comment = null, rows, bytes, columns, key, foreignKeys]: TextRow): IntrospectedTable {
  return {
    name: name!,
    kind: KINDS[kind!] ?? "view",
    comment,
    rowsEstimate: numberOf(rows),
    bytesEstimate: numberOf(bytes),
    columns: read(Columns, columns!),
    primaryKey: key == null ? [] : read(Key, key),
    foreignKeys: foreignKeys == null ? [] : read(ForeignKeys, foreignKeys),
  };
}

/** Checks the JSON that the server made for the engine. */
function read<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  if (text.length > JSON_CHARACTERS_MAX) protocolViolation("a table has more columns than there can be");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return protocolViolation("a table's columns are told in another form than was asked for");
  }
}
