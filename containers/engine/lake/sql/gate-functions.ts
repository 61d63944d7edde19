// Which functions a tenant's statement may call: what this DuckDB has, less what reaches past the statement's own data.

/** Table functions; everything that reads files, settings, logs or text as SQL stays out by not being here. */
export const TABLE_FUNCTIONS = new Set([
  "range",
  "generate_series",
  "unnest",
  "json_each",
  "json_tree",
  "repeat",
  "pg_timezone_names",
]);

/** Parsed like functions without being in DuckDB's list of them. */
export const SPECIAL_FUNCTIONS = ["unnest", "grouping", "grouping_id", "columns"];

/** Views a statement may read to learn what there is. Their like with definitions in them stay out. */
export const METADATA_VIEWS = new Set(["tables", "columns", "schemata"]);

const REFUSED = new Set([
  // Settings, variables, sequences, the session and its log.
  ..."current_setting getvariable nextval currval setseed current_query current_query_id".split(" "),
  ..."current_connection_id current_transaction_id".split(" "),
  ..."txid_current in_search_path write_log parse_duckdb_log_message get_block_size".split(" "),
  // Wait without working.
  ..."sleep_ms pg_sleep".split(" "),
  // Plan other SQL, or show how relations are defined.
  ..."json_serialize_plan json_execute_serialized_sql pg_get_viewdef pg_get_constraintdef pg_get_expr".split(" "),
  // Building blocks that trust what they are given.
  ..."stats vector_type combine finalize bind create_sort_key remap_struct".split(" "),
  ..."variant_bytes_to_variant variant_to_parquet_variant variant_normalize".split(" "),
  ..."timetz_byte_comparable constant_or_null cast_to_type can_cast_implicitly".split(" "),
]);

export const isRefusedFunction = (name: string): boolean => REFUSED.has(name) || name.startsWith("__internal_");
