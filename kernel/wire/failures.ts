// The engine refuses or fails with one of these codes.

/** code → HTTP status of the engine's own answer. The Worker maps codes, never messages. */
export const ENGINE_FAILURES = {
  /** The request is not of this protocol's form. */
  bad_request: 422,
  /** The per-boot secret is missing or wrong. */
  unauthorized: 401,
  /** No such statement, job or route. */
  not_found: 404,
  /** The roles of this digest are not known: send the statement again, with them. */
  access_unknown: 412,
  /** The statement's rows conflict with what others wrote. */
  conflict: 409,
  /** A statement with this id runs already. Its outcome is not known yet. */
  id_running: 409,
  /** The statement needs a right that its sender has not. */
  forbidden: 403,
  /** The team's plan allows no more of what the statement would add. */
  quota_exceeded: 426,
  /** The source can't be reached or refuses us; `reason` says why. */
  connection_failed: 400,
  /** The source can't do it now, and may later; `retryAfterSeconds` is the wait that it asks for. */
  source_unavailable: 503,
  /** The statement is not one that may be run here. */
  statement_refused: 400,
  /** The database or DuckDB refused the statement; `position` is 1-based in characters where it is known. */
  sql_error: 400,
  /** The statement needed more memory or disk than one statement may have. */
  resources_exceeded: 400,
  /** The process that worked on the statement was ended from outside; try again. */
  process_killed: 503,
  deadline_exceeded: 408,
  cancelled: 499,
  /** The queue of statements is full; `retryAfterSeconds` says when to try again. */
  queue_full: 429,
  /** The engine lacks something that other work has taken; try again. */
  busy: 503,
  /** The engine is being stopped; its successor may be asked. */
  stopping: 503,
  /** The engine's disk is full; there may be room once other work has ended. */
  disk_full: 503,
  /** Plan, signature, download or upload failed on the platform's side; try again. */
  platform_unavailable: 503,
  internal: 500,
} as const;
export type EngineFailureCode = keyof typeof ENGINE_FAILURES;

export const CONNECTION_REASONS = [
  "host_forbidden",
  "dns",
  "refused",
  "unreachable",
  "timeout",
  "tls",
  "authentication",
  "database_missing",
  "version_unsupported",
  "lake_key_refused",
  "lake_differs",
  "other",
] as const;
export type ConnectionReason = (typeof CONNECTION_REASONS)[number];

/** Reasons that stay until somebody changes the integration, or the database. */
export const LASTING_REASONS: readonly ConnectionReason[] = [
  "authentication",
  "database_missing",
  "host_forbidden",
  "tls",
  "version_unsupported",
  "lake_key_refused",
  "lake_differs",
];
