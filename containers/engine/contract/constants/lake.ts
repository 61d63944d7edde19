// The names of a lake's types, and the bounds of a plan.

/** The types that are one word in DuckDB; decimals and nested types are spelled out. */
export const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  boolean: "BOOLEAN",
  int8: "TINYINT",
  int16: "SMALLINT",
  int32: "INTEGER",
  int64: "BIGINT",
  int128: "HUGEINT",
  uint8: "UTINYINT",
  uint16: "USMALLINT",
  uint32: "UINTEGER",
  uint64: "UBIGINT",
  uint128: "UHUGEINT",
  float32: "FLOAT",
  float64: "DOUBLE",
  date: "DATE",
  time: "TIME",
  time_ns: "TIME_NS",
  timetz: "TIME WITH TIME ZONE",
  timestamp: "TIMESTAMP",
  timestamp_s: "TIMESTAMP_S",
  timestamp_ms: "TIMESTAMP_MS",
  timestamp_ns: "TIMESTAMP_NS",
  timestamptz: "TIMESTAMP WITH TIME ZONE",
  interval: "INTERVAL",
  varchar: "VARCHAR",
  blob: "BLOB",
  json: "JSON",
  uuid: "UUID",
  variant: "VARIANT",
  geometry: "GEOMETRY",
};

/** What one plan takes: so many lists, each of so many predicates. */
export const PLANNED = { listsMax: 16, predicatesMax: 100 } as const;

/**
 * What is answered at once of tables that a statement may name: names, tables, files of their plans, and signed URLs of
 * these, or none of more. A signature costs the platform a tenth of a millisecond.
 */
export const FORESEEN = { namesMax: 200, tablesMax: 50, filesMax: 1_000, urlsMax: 64 } as const;
