// The statement that lists the tables of a lake or a database, those of its own schemas left out. Pure.

const OWN_SCHEMAS = "('information_schema', 'pg_catalog', 'mysql', 'performance_schema', 'sys', 'INFORMATION_SCHEMA')";

/** A lake's statements see other catalogs beside it. */
export const ofCatalog = (isLake: boolean): string => (isLake ? " AND table_catalog = 'LAKE'" : "");

/** Its columns are `schema_name`, `table_name` and `table_type`, in whichever case the database writes names. */
export const tablesSql = (isLake: boolean): string =>
  "SELECT table_schema AS schema_name, table_name AS table_name, table_type AS table_type FROM information_schema.tables " +
  `WHERE table_schema NOT IN ${OWN_SCHEMAS}${ofCatalog(isLake)} ORDER BY table_schema, table_name`;
