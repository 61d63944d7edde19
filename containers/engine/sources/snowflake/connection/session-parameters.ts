// The parameters of a session and its statements at the server, so that nothing depends on how an account, a user or
// the SDK is set up.

/** By the login. Formats are of values inside VARIANTs and of texts that a statement makes of times and bytes. */
export const SESSION_PARAMETERS = {
  TIMEZONE: "UTC",
  DATE_INPUT_FORMAT: "AUTO",
  TIME_INPUT_FORMAT: "AUTO",
  TIMESTAMP_INPUT_FORMAT: "AUTO",
  DATE_OUTPUT_FORMAT: "YYYY-MM-DD",
  TIME_OUTPUT_FORMAT: "HH24:MI:SS.FF9",
  TIMESTAMP_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
  TIMESTAMP_NTZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9',
  TIMESTAMP_LTZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
  TIMESTAMP_TZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
  BINARY_OUTPUT_FORMAT: "HEX",
  GEOGRAPHY_OUTPUT_FORMAT: "GeoJSON",
  GEOMETRY_OUTPUT_FORMAT: "GeoJSON",
  JSON_INDENT: 0,
  STRICT_JSON_OUTPUT: true,
  QUOTED_IDENTIFIERS_IGNORE_CASE: false,
  ROWS_PER_RESULTSET: 0,
  /** In MB; the least that it can be. */
  CLIENT_RESULT_CHUNK_SIZE: 16,
  CLIENT_SESSION_KEEP_ALIVE: false,
  /** A database, warehouse or role that does not exist is said at the login. */
  CLIENT_VALIDATE_DEFAULT_PARAMETERS: true,
  /** Where the engine dies, its statement ends within minutes. */
  ABORT_DETACHED_QUERY: true,
};

/** With each statement; `id` is what the account's query history names it by. */
export const statementParameters = (timeoutMs: number, id: string | undefined) => ({
  STATEMENT_TIMEOUT_IN_SECONDS: Math.max(1, Math.ceil(timeoutMs / 1000)),
  MULTI_STATEMENT_COUNT: 1,
  QUERY_TAG: id === undefined ? "fjord" : `fjord ${id}`.slice(0, 2_000),
});
