// Words, functions and tables that no statement to BigQuery may contain, in capitals. To forbid a function, add it to
// `FORBIDDEN_FUNCTIONS`.

/** Words that appear in no reading statement unless quoted, with what they would do. */
export const FORBIDDEN_WORDS: Readonly<Record<string, string>> = {
  ALTER: "ALTER changes an object",
  ASSERT: "ASSERT is a statement of scripts",
  BEGIN: "BEGIN starts a script or a transaction",
  CALL: "CALL runs a procedure",
  COMMIT: "COMMIT ends a transaction",
  CREATE: "CREATE makes an object",
  DECLARE: "DECLARE begins a script",
  DELETE: "DELETE changes rows",
  DROP: "DROP removes an object",
  EXECUTE: "EXECUTE runs a text as a statement",
  EXPORT: "EXPORT writes files",
  FORK: "FORK makes more than one result",
  GRANT: "GRANT changes rights",
  INSERT: "INSERT writes rows",
  INTO: "INTO writes rows",
  LOAD: "LOAD writes rows",
  MERGE: "MERGE changes rows",
  REVOKE: "REVOKE changes rights",
  ROLLBACK: "ROLLBACK ends a transaction",
  SET: "SET changes a variable or rows",
  TEE: "TEE makes more than one result",
  TRUNCATE: "TRUNCATE removes rows",
  UNDROP: "UNDROP makes an object",
  UPDATE: "UPDATE changes rows",
};

/** Forbidden words that may begin a step of a pipe, where they only change its result: `|> SET a = 1`, `|> DROP a`. */
export const PIPE_STEPS: readonly string[] = ["SET", "DROP"];

/** By name: why it is not allowed. */
export const FORBIDDEN_FUNCTIONS: Readonly<Record<string, string>> = {
  EXTERNAL_QUERY: "it sends a statement to another database",
  EXTERNAL_OBJECT_TRANSFORM: "it gives out addresses of files",
};

/** By what stands before the dot: why none of them is allowed. */
export const FORBIDDEN_FAMILIES: Readonly<Record<string, string>> = {
  AI: "functions of models run elsewhere, at a cost of their own",
  KEYS: "it uses the account's keys",
  ML: "functions of models can run elsewhere, at a cost of their own",
  OBJ: "it gives out addresses of files",
};

/**
 * Families of functions, whose name may stand before a dot. Functions of datasets may run anything, anywhere, and are
 * refused.
 */
export const FUNCTION_FAMILIES: readonly string[] = ["AEAD", "HLL_COUNT", "KLL_QUANTILES", "NET"];

export const METADATA_SCHEMA = "INFORMATION_SCHEMA";
/**
 * The views of INFORMATION_SCHEMA that describe data. The others hold people's statements, rights or use of the
 * project.
 */
export const ALLOWED_VIEWS = new RegExp(
  `^(${[
    "SCHEMATA(_OPTIONS|_LINKS|_REPLICAS)?",
    "TABLES|TABLE_(CONSTRAINTS|OPTIONS|SNAPSHOTS|STORAGE(_BY_(PROJECT|ORGANIZATION))?)",
    "COLUMNS|COLUMN_FIELD_PATHS|CONSTRAINT_COLUMN_USAGE|KEY_COLUMN_USAGE|PARTITIONS",
    "VIEWS|MATERIALIZED_VIEWS|ROUTINES|ROUTINE_OPTIONS|PARAMETERS",
    "(SEARCH|VECTOR)_INDEX(ES|_COLUMNS|_OPTIONS)",
  ].join("|")})$`,
);
