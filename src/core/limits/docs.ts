// Bounds of docs, their webhooks and their runs: a part of `limits.ts`.

export const DOC_LIMITS = {
  /** Bytes of a doc's definition as text; a database row takes two megabytes. */
  docTextBytesMax: 1024 * 1024,
  docDatasetsMax: 200,
  docInputsMax: 50,
  /** Schedules that a doc says of itself. */
  docAutomationsMax: 20,
  docDestinationsMax: 20,
  /** A job hands its runs at most this many bytes of data and variables, as JSON: a page of jobs has a hundred. */
  automationPayloadBytesMax: 16 * 1024,
  /** SQL datasets of a doc whose columns are asked for when it is saved, and how long a save waits for them. */
  docDescribedMax: 20,
  docDescribeMs: 3_000,
  /** A version keeps at most this many bytes of column names, by which its charts are read. */
  docColumnsBytesMax: 64 * 1024,
  docRequirementsMax: 50,
  datasetTestsMax: 50,
  /** Columns of a key, and of a test. */
  buildColumnsMax: 100,
  /** The time for a run's tests and its commit. */
  publishMsMax: 900_000,
  /** The time in which a frame of Python is written as a table's files. */
  stageFrameMsMax: 300_000,
  /** The stages of one run have at most this many bytes together, as they are sent to the engine. */
  publishBytesMax: 16 * 1024 * 1024,
  /** Files of a stage stay in the bucket for longer than this, so that a rerun can take them over. */
  stageKeptMs: 24 * 3_600_000,
  /** What is kept of where a built table's columns come from; columns beyond it count as unknown. */
  lineageCharactersMax: 256 * 1024,
  /** Failed tests of a run that are named where its tables' state is told; the run's tables have all. */
  failedTestsNamedMax: 20,
  testNameCharactersMax: 200,
  /** What YAML aliases may add, as a multiple of what is written out. */
  docAliasesMax: 100,
  docDepthMax: 100,
  /**
   * YAML tokens of a definition; a line `key: value` has six. Reading this many takes about a fifth of a second.
   */
  docYamlTokensMax: 40_000,
  docYamlLinesMax: 100_000,
  docsPerTeamMax: 1_000,
  docVersionsKeptMax: 100,
  /** Bytes of all versions that are kept for a team: every team's rows share one database. */
  docBytesPerTeamMax: 64 * 1024 * 1024,
  /** Python's; what is published of the webhook fixes it. */
  datasetTimeoutMsDefault: 6_000,
  datasetTimeoutMsMax: 900_000,

  /** Bytes of a webhook's whole body, which is streamed on and not held in memory. */
  webhookBodyBytesMax: 100 * 1024 * 1024,
  webhookClockSkewMs: 300_000,
  idempotencyKeyCharactersMax: 255,
  idempotencyKeptMs: 86_400_000,
  idempotencyKeysPerSweepMax: 5_000,
  /** A request that holds a key and has no run by now died before it. */
  idempotencyPendingMs: 900_000,

  /** From a run's row to the sandbox's first sign of life, a cold start included. */
  runStartMs: 120_000,
  /** Three heartbeats may be lost. */
  runLeaseMs: 20_000,
  /**
   * What a run may take beyond its datasets' own clocks: copying the drive to a new sandbox, and waiting for its turn
   * among many runs.
   */
  runSlackMs: 600_000,
  runInstallMs: 600_000,
  runMsMax: 6 * 3_600_000,
  /** Between a run's deadline and its end by force: the sandbox ends it first, and reports. */
  runGraceMs: 30_000,
  runWatchMs: 1_000,
  runResultBytesMax: 1024 * 1024 * 1024,
  runKeptMs: 30 * 86_400_000,
  runsSweptMax: 100,
  runsForgottenPerSweepMax: 500,
  /**
   * Of one dataset, as kept: the traceback's end, and what a result's columns are called, which is left out where it is
   * longer.
   */
  tracebackCharactersMax: 16_384,
  resultCharactersMax: 65_536,
} as const;
