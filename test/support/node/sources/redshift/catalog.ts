// Redshift's own types, functions and views of its catalog are made in a database of the tests' PostgreSQL.

import type pg from "pg";

/** Redshift's types that PostgreSQL lacks, by the OID that Redshift tells them by. Their values are their text. */
const TYPES: Readonly<Record<string, number>> = {
  super: 4000,
  varbyte: 6551,
  geometry: 3999,
  geography: 3001,
  hllsketch: 2935,
  intervaly2m: 1188,
  intervald2s: 1190,
};

/** PostgreSQL's OIDs of these types, to Redshift's. */
export async function ownOids(admin: pg.Client): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ oid: string; typname: string }>(
    "SELECT oid::text, typname FROM pg_type WHERE typnamespace = 'redshift'::regnamespace",
  );
  return new Map(rows.flatMap(({ oid, typname }) => (TYPES[typname] ? [[Number(oid), TYPES[typname]!]] : [])));
}

const typeSql = (name: string): string => `
  CREATE TYPE redshift.${name};
  CREATE FUNCTION redshift.${name}_in(cstring) RETURNS redshift.${name} LANGUAGE internal IMMUTABLE STRICT AS 'textin';
  CREATE FUNCTION redshift.${name}_out(redshift.${name}) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
  CREATE TYPE redshift.${name} (INPUT = redshift.${name}_in, OUTPUT = redshift.${name}_out, LIKE = text);
  CREATE CAST (redshift.${name} AS text) WITHOUT FUNCTION;
  CREATE CAST (text AS redshift.${name}) WITHOUT FUNCTION AS ASSIGNMENT;`;

/** `svv_columns` has the bounds of types as the declaration does. */
const CATALOG = `
  CREATE FUNCTION redshift.refuse(what text) RETURNS int LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'Redshift does not have %', what USING ERRCODE = '0A000'; END $$;
  CREATE FUNCTION redshift.conflict() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '1023' USING DETAIL = 'Serializable isolation violation on table', ERRCODE = 'XX000'; END $$;
  CREATE FUNCTION redshift.version() RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT 'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.99999' $$;
  CREATE FUNCTION redshift.current_schemas(boolean) RETURNS name[] LANGUAGE sql STABLE AS
    $$ SELECT pg_catalog.array_remove(pg_catalog.array_remove(pg_catalog.current_schemas(false), 'redshift'), 'pg_catalog') $$;
  CREATE FUNCTION redshift.sha2(text, int) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
    $$ SELECT encode(CASE $2 WHEN 512 THEN sha512(convert_to($1, 'UTF8')) ELSE sha256(convert_to($1, 'UTF8')) END, 'hex') $$;
  CREATE FUNCTION redshift.strtol(text, int) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN
      IF $2 <> 16 OR length($1) > 16 OR (length($1) = 16 AND $1 > '7fffffffffffffff') THEN
        RAISE EXCEPTION 'The input % is not valid to be converted to base %', $1, $2 USING ERRCODE = '22P02';
      END IF;
      RETURN ('x' || lpad($1, 16, '0'))::bit(64)::bigint;
    END $$;
  CREATE FUNCTION redshift.json_serialize(redshift.super) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN
      IF octet_length($1::text) > 65535 THEN
        RAISE EXCEPTION 'JSON_SERIALIZE: the text is longer than a VARCHAR' USING ERRCODE = '22001';
      END IF;
      RETURN $1::text;
    END $$;
  CREATE FUNCTION redshift.json_parse(text) RETURNS redshift.super LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::json::text::redshift.super $$;
  CREATE FUNCTION redshift.from_hex(text) RETURNS redshift.varbyte LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::redshift.varbyte $$;
  CREATE FUNCTION redshift.to_hex(redshift.varbyte) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::text $$;
  CREATE FUNCTION redshift.st_ashexewkb(redshift.geometry) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::text $$;
  CREATE FUNCTION redshift.st_ashexewkb(redshift.geography) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::text $$;
  CREATE FUNCTION redshift.generated_numbers(bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS
    $$ SELECT * FROM generate_series(1, $1) $$;
  CREATE FUNCTION redshift.len(text) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT length($1) $$;
  CREATE FUNCTION redshift.getdate() RETURNS timestamp LANGUAGE sql STABLE AS $$ SELECT now()::timestamp(0) $$;
  CREATE VIEW redshift.svv_external_tables AS
    SELECT n.nspname AS schemaname, c.relname AS tablename FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'f';
  CREATE VIEW redshift.svv_tables AS
    SELECT current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
      CASE c.relkind WHEN 'r' THEN 'BASE TABLE' WHEN 'f' THEN 'EXTERNAL TABLE' ELSE 'VIEW' END AS table_type,
      obj_description(c.oid, 'pg_class')::varchar AS remarks
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'f') AND n.nspname <> 'redshift';
  CREATE VIEW redshift.svv_columns AS
    SELECT current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
      a.attname AS column_name, a.attnum AS ordinal_position, pg_get_expr(d.adbin, d.adrelid) AS column_default,
      CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS is_nullable, format_type(a.atttypid, NULL) AS data_type,
      CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 0 THEN a.atttypmod - 4 END AS character_maximum_length,
      CASE WHEN a.atttypid = 1700 THEN ((a.atttypmod - 4) >> 16) & 65535 END AS numeric_precision,
      CASE WHEN a.atttypid = 1700 THEN (a.atttypmod - 4) & 2047 END AS numeric_scale,
      col_description(a.attrelid, a.attnum)::varchar AS remarks
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'v', 'f') AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname <> 'redshift';
  GRANT USAGE ON SCHEMA redshift TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA redshift TO PUBLIC;`;

export async function createRedshiftCatalog(admin: pg.Client): Promise<void> {
  await admin.query(`CREATE SCHEMA redshift; SET search_path = redshift, pg_catalog, "$user", public`);
  await admin.query(Object.keys(TYPES).map(typeSql).join("") + CATALOG);
}
