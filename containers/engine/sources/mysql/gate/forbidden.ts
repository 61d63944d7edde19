// Functions and words that no statement to MySQL or MariaDB may contain, in capitals: they reach beyond reading a
// database's tables. Lists of what a statement may read from the server's own databases and by SHOW follow. To forbid a
// function, add it to `FUNCTION_PATTERNS`.

/** Functions that reach files, locks, sequences or the server itself. One that only takes long ends at the deadline. */
const FUNCTION_PATTERNS = [
  "LOAD_FILE",
  "(GET|RELEASE)_LOCK",
  "RELEASE_ALL_LOCKS",
  "(NEXT|SET|LAST)VAL",
  "SYS_(EXEC|EVAL|GET|SET)",
  "LIB_MYSQLUDF_.*",
  "GROUP_REPLICATION_.*",
  "ASYNCHRONOUS_CONNECTION_FAILOVER_.*",
  "AUDIT_(LOG|API)_.*",
  "KEYRING_.*",
  ".*FIREWALL.*",
  "VERSION_TOKENS_.*",
  "(LOAD|FLUSH)_REWRITE_RULES",
];

/** Matches whole names. */
export const FORBIDDEN_FUNCTIONS = new RegExp(`^(${FUNCTION_PATTERNS.join("|")})$`);

/** Words that appear in no reading statement unless quoted, with what they would do. */
export const FORBIDDEN_WORDS: Record<string, string> = {
  INTO: "INTO writes a file or a variable",
  OUTFILE: "OUTFILE writes a file",
  DUMPFILE: "DUMPFILE writes a file",
  UPDATE: "UPDATE changes rows or locks them",
  DELETE: "DELETE changes rows",
  CALL: "CALL runs a procedure",
};

/** Two or three words that are refused one after another, with what is said of them. */
export const FORBIDDEN_PHRASES: { words: string[]; message: string }[] = [
  { words: ["FOR", "SHARE"], message: "FOR SHARE locks rows, which is not allowed." },
  { words: ["LOCK", "IN"], message: "LOCK IN SHARE MODE locks rows, which is not allowed." },
  { words: ["PROCEDURE", "ANALYSE"], message: "PROCEDURE ANALYSE is not allowed." },
  { words: ["NEXT", "VALUE", "FOR"], message: "Sequences can't be used." },
  { words: ["PREVIOUS", "VALUE", "FOR"], message: "Sequences can't be used." },
  { words: ["FOR", "CONNECTION"], message: "Only your own statement can be explained." },
];

export const isSystemDatabase = (name: string): boolean => Object.hasOwn(SYSTEM_TABLES, name.toUpperCase());

const names = (text: string): ReadonlySet<string> => new Set(text.toUpperCase().trim().split(/\s+/));

/**
 * Tables and functions of the server's own databases that a statement may use: they describe data and the server's
 * settings. Others may hold accounts and what they are granted, passwords, logs, the statements of other sessions, or
 * samples of any table's values.
 */
export const SYSTEM_TABLES: Readonly<Record<string, ReadonlySet<string>>> = {
  INFORMATION_SCHEMA: names(`
    character_sets check_constraints collation_character_set_applicability collations columns columns_extensions engines
    events geometry_columns global_status global_variables key_column_usage key_period_usage keywords parameters
    partitions periods plugins profiling referential_constraints routines schemata schemata_extensions sequences
    session_status session_variables spatial_ref_sys sql_functions st_geometry_columns st_spatial_reference_systems
    st_units_of_measure statistics system_variables table_constraints table_constraints_extensions tables
    tables_extensions triggers view_routine_usage view_table_usage views`),
  MYSQL: names(`
    engine_cost func help_category help_keyword help_relation help_topic index_stats innodb_index_stats
    innodb_table_stats plugin server_cost table_stats time_zone time_zone_leap_second time_zone_name
    time_zone_transition time_zone_transition_type`),
  NDBINFO: new Set(),
  PERFORMANCE_SCHEMA: names(`
    global_status global_variables session_status session_variables table_io_waits_summary_by_index_usage
    table_io_waits_summary_by_table table_lock_waits_summary_by_table`),
  SYS: names(`
    extract_schema_from_file_name extract_table_from_file_name format_bytes format_path format_statement format_time
    list_add list_drop quote_identifier schema_auto_increment_columns schema_index_statistics schema_object_overview
    schema_redundant_indexes schema_table_statistics schema_table_statistics_with_buffer
    schema_tables_with_full_table_scans schema_unused_indexes version version_major version_minor version_patch`),
};

/**
 * SHOW may give these, by its words before any name. SHOW GRANTS, PROCESSLIST, ENGINE STATUS and their like tell the
 * contents of tables that are not listed above.
 */
export const ALLOWED_SHOW = new RegExp(
  `^(${[
    "(EXTENDED )?(FULL )?(TABLES|COLUMNS|FIELDS)",
    "(EXTENDED )?(INDEX|INDEXES|KEYS)",
    "(DATABASES|SCHEMAS|TRIGGERS|EVENTS|PRIVILEGES|CONTRIBUTORS|AUTHORS)",
    "(FULL )?TRIGGERS",
    "CREATE (DATABASE|SCHEMA|TABLE|VIEW|PROCEDURE|FUNCTION|PACKAGE|TRIGGER|EVENT|SEQUENCE)",
    "(TABLE|PROCEDURE|FUNCTION|PACKAGE) (BODY )?(STATUS|CODE)",
    "OPEN TABLES",
    "((GLOBAL|SESSION|LOCAL) )?(STATUS|VARIABLES)",
    "(STORAGE )?ENGINES",
    "(CHARACTER SET|CHARSET|COLLATION|PLUGINS|PROFILE|PROFILES)",
    "(WARNINGS|ERRORS|COUNT)",
  ].join("|")})\\b`,
);
