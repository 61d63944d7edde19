// A table's description, read from PostgreSQL's catalog.

import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { numberOf } from "../../introspection/introspected-tables.ts";
import { Failure } from "../../../core/failure.ts";
import { COMMENT_CHARACTERS_MAX } from "../../../../../kernel/lake/commit.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { planColumn, type PostgresColumn } from "./plan-column.ts";
import { quoteLiteral } from "../sql-text.ts";
import { describeTypes } from "./describe-types.ts";

export type PostgresTable = SourceTable & {
  oid: number;
  /** OIDs of the tables its rows lie in: partitions, heirs, itself. */
  storage: number[];
  /** Why it can't be seen of its rows when they were written; absent where it can. */
  untrackedReason?: string;
};

/**
 * Rejects with `sql_error` where there is no such table, or none that the role may read. `readAs` is by the source's
 * column names.
 */
export async function describeTable(
  fetchRows: FetchRows,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<PostgresTable> {
  const { storage, storageText, untrackedReason, comment, ...relation } = await findRelation(fetchRows, table);
  const declared = await fetchColumns(fetchRows, table, relation.oid);
  const readable = declared.filter((column) => column.readable);
  if (readable.length === 0)
    throw new Failure("sql_error", `This role may read no column of ${table.schema}.${table.name}. Grant it SELECT.`);
  const typeOids = readable.map(({ typeOid }) => typeOid);
  const { contents, isNaming } = await describeTypes(fetchRows, typeOids);
  const untracked = untrackedReason ?? (isNaming ? NAMES_OBJECTS : undefined);
  const { columns, notes } = planColumns(readable, readAs, planColumn);
  const isInherited = relation.kind === "table" && storage.length > 1;
  const primaryKey = isInherited ? [] : keyOf(declared);
  const identities = readable.map(({ identity }) => identity);
  const hidden = declared.filter((column) => !column.readable).map(({ name }) => name);
  return {
    ...table,
    ...relation,
    columns,
    primaryKey,
    fingerprint: fingerprintOf([identities, storageText, Object.fromEntries(readAs), primaryKey, ...contents]),
    comments: { table: comment, columns: commentsOf(readable) },
    storage,
    ...(untracked ? { untrackedReason: untracked } : {}),
    notes: [
      ...(isInherited
        ? ["Other tables inherit from it, and their rows are read as its own: no key holds across them."]
        : []),
      ...(hidden.length > 0 ? [`This role may not read ${hidden.join(", ")}: left out.`] : []),
      ...notes,
    ],
  };
}

const NAMES_OBJECTS = "It has names of objects of the database, which may be given others.";

/** A later snapshot sees the table as it is. */
export const changedMeanwhile = ({ schema, name }: SourceTableName, cause?: Error): Failure =>
  new Failure("busy", `Table ${schema}.${name} was dropped or altered after this run began; try again.`, { cause });

type Relation = Pick<SourceTable, "kind" | "rowsEstimate" | "bytesEstimate"> & {
  oid: number;
  storage: number[];
  /** The storage as one text, in the form that earlier fingerprints were made from. */
  storageText: string | null;
  untrackedReason: string | null;
  comment: string | null;
};

async function findRelation(fetchRows: FetchRows, table: SourceTableName): Promise<Relation> {
  const [found] = await fetchRows(relationQuery(table), "ntNNTTT");
  if (!found) throw noSuchTable(table, "role");
  const [oid, relkind, rows = null, bytes = null, storage = null, untrackedReason = null, comment = null] = found;
  return {
    oid: Number(oid),
    kind: KINDS[relkind ?? ""] ?? "view",
    rowsEstimate: numberOf(rows),
    bytesEstimate: numberOf(bytes),
    storage: (storage ?? "").split(",").filter(Boolean).map(Number),
    storageText: storage,
    untrackedReason,
    comment,
  };
}

const KINDS: Record<string, SourceTable["kind"]> = {
  r: "table",
  p: "partitioned",
  v: "view",
  m: "materialized",
  f: "foreign",
};

async function fetchColumns(fetchRows: FetchRows, table: SourceTableName, oid: number): Promise<DeclaredColumn[]> {
  const rows = await fetchRows(columnsQuery(oid), "ttnnnntTntnT");
  // The snapshot sees what was there; privileges are those of now, and NULL of what is gone.
  if (rows.some(([, , , , , , , readable]) => readable === null)) throw changedMeanwhile(table);
  if (rows.length === 0)
    throw new Failure(
      "sql_error",
      `${table.schema}.${table.name} has no columns, and a table of the lake has one at least. ` +
        "Add one, or leave the table out of the sync.",
    );
  return rows.map(readColumn);
}

/** The key's columns in order; none where one of them can't be read. */
function keyOf(columns: readonly DeclaredColumn[]): string[] {
  const keyed = columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition);
  return keyed.every(({ readable }) => readable) ? keyed.map(({ name }) => name) : [];
}

/** There a comment may be a gigabyte long. */
const shortened = (text: string): string => `pg_catalog.left(${text}, ${COMMENT_CHARACTERS_MAX + 1})`;

/**
 * Estimates are what ANALYZE and VACUUM last saw; the size is read off them too, for asking the file system is slow for
 * many tables.
 */
const relationQuery = ({ schema, name }: SourceTableName): string => `
  WITH RECURSIVE leaves(oid) AS (
    SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${quoteLiteral(schema)} AND c.relname = ${quoteLiteral(name)}
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION SELECT i.inhrelid FROM leaves l JOIN pg_catalog.pg_inherits i ON i.inhparent = l.oid
  ), stored AS (
    SELECT c.oid, c.relkind, c.reltuples, c.relpages, a.amname, pg_catalog.row_security_active(c.oid) AS secured
    FROM leaves JOIN pg_catalog.pg_class c USING (oid) LEFT JOIN pg_catalog.pg_am a ON a.oid = c.relam
    WHERE c.relkind <> 'p'
  )
  SELECT c.oid, c.relkind,
    (SELECT CASE WHEN min(reltuples) >= 0 AND max(relpages) > 0 THEN round(sum(reltuples))::bigint END FROM stored),
    (SELECT CASE WHEN max(relpages) > 0
      THEN sum(relpages::bigint) * pg_catalog.current_setting('block_size')::bigint END FROM stored),
    (SELECT string_agg(oid::text, ',' ORDER BY oid) FROM stored),
    CASE WHEN c.relkind = 'v' THEN 'It is a view, whose rows carry no transaction.'
      WHEN EXISTS (SELECT FROM stored WHERE relkind = 'f') THEN 'Its rows lie at another server.'
      WHEN EXISTS (SELECT FROM stored WHERE relkind = 'm') THEN 'It is a materialized view, which is filled anew.'
      WHEN EXISTS (SELECT FROM stored WHERE amname IS DISTINCT FROM 'heap')
        THEN 'It is stored by an access method whose rows may carry no transaction.'
      WHEN EXISTS (SELECT FROM stored WHERE secured) OR pg_catalog.row_security_active(c.oid)
        THEN 'Row security decides which of its rows are seen.'
      WHEN NOT pg_catalog.has_table_privilege(c.oid, 'SELECT') THEN 'This role has SELECT on single columns, ' ||
        'and may not ask when rows were written: grant it SELECT on the table.' END,
    ${shortened("pg_catalog.obj_description(c.oid, 'pg_class')")}
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ${quoteLiteral(schema)} AND c.relname = ${quoteLiteral(name)}
    AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

/**
 * The key is the primary key, else a unique index of columns that are never NULL. Domains are followed to what they are
 * made of. A column is identified by all that can change its values' text while its rows stay as they are: its number,
 * type, generating expression. Another query describes its type.
 */
const columnsQuery = (oid: number): string => `
  WITH RECURSIVE bases(attnum, oid, typmod, dimensions) AS (
    SELECT attnum, atttypid, atttypmod, attndims::int FROM pg_catalog.pg_attribute
    WHERE attrelid = ${oid} AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT b.attnum, t.typbasetype, CASE WHEN b.typmod >= 0 THEN b.typmod ELSE t.typtypmod END,
      greatest(b.dimensions, t.typndims::int)
    FROM bases b JOIN pg_catalog.pg_type t ON t.oid = b.oid WHERE t.typtype = 'd'
  ), elements(attnum, oid, typmod) AS (
    SELECT b.attnum, t.typelem, b.typmod FROM bases b JOIN pg_catalog.pg_type t ON t.oid = b.oid
    WHERE t.typtype <> 'd' AND t.typelem <> 0 AND t.typinput = 'pg_catalog.array_in'::pg_catalog.regproc
    UNION ALL
    SELECT e.attnum, t.typbasetype, CASE WHEN e.typmod >= 0 THEN e.typmod ELSE t.typtypmod END
    FROM elements e JOIN pg_catalog.pg_type t ON t.oid = e.oid WHERE t.typtype = 'd'
  ), loose(attnum) AS (
    SELECT attnum FROM pg_catalog.pg_attribute WHERE attrelid = ${oid} AND NOT attnotnull
    UNION ALL
    SELECT unnest(conkey) FROM pg_catalog.pg_constraint WHERE conrelid = ${oid} AND contype = 'n' AND NOT convalidated
  ), uniques AS (
    SELECT indexrelid, indisprimary, indisreplident,
      (pg_catalog.string_to_array(indkey::text, ' ')::int2[])[1:indnkeyatts] AS attnums
    FROM pg_catalog.pg_index
    WHERE indrelid = ${oid} AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
  ), key AS (
    SELECT attnums FROM uniques WHERE indisprimary OR NOT EXISTS (SELECT FROM loose WHERE loose.attnum = ANY (attnums))
    ORDER BY indisprimary DESC, indisreplident DESC, pg_catalog.cardinality(attnums), indexrelid LIMIT 1
  )
  SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), base.oid,
    coalesce(element.typmod, base.typmod), coalesce(element.oid, 0), base.dimensions,
    a.attnotnull AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint
      WHERE conrelid = a.attrelid AND contype = 'n' AND NOT convalidated AND conkey = ARRAY[a.attnum]),
    pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
    coalesce((SELECT pg_catalog.array_position(attnums, a.attnum) FROM key), 0),
    concat_ws(';', a.attnum, a.attname, a.atttypid, a.atttypmod, base.oid, base.typmod,
      (SELECT pg_catalog.pg_get_expr(adbin, adrelid) FROM pg_catalog.pg_attrdef
        WHERE adrelid = a.attrelid AND adnum = a.attnum AND a.attgenerated <> '')),
    a.atttypid, ${shortened("pg_catalog.col_description(a.attrelid, a.attnum)")}
  FROM pg_catalog.pg_attribute a
  JOIN bases base ON base.attnum = a.attnum AND (SELECT typtype <> 'd' FROM pg_catalog.pg_type WHERE oid = base.oid)
  LEFT JOIN elements element ON element.attnum = a.attnum
    AND (SELECT typtype <> 'd' FROM pg_catalog.pg_type WHERE oid = element.oid)
  WHERE a.attrelid = ${oid} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

type DeclaredColumn = PostgresColumn & {
  readable: boolean;
  keyPosition: number;
  identity: string;
  typeOid: number;
  comment: string | null;
};

function readColumn([
  name,
  type,
  oid,
  typmod,
  elementOid,
  dimensions,
  notNull,
  readable,
  keyPosition,
  identity,
  typeOid,
  comment = null,
]: TextRow): DeclaredColumn {
  return {
    name: name!,
    type: type!,
    oid: Number(oid),
    typmod: Number(typmod),
    elementOid: Number(elementOid),
    dimensions: Number(dimensions),
    notNull: notNull === "t",
    readable: readable === "t",
    keyPosition: Number(keyPosition),
    identity: identity!,
    typeOid: Number(typeOid),
    comment,
  };
}
