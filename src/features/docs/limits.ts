// Bounds of docs, their webhooks and their runs.

export const DOC_LIMITS = {
  /** A doc's definition as text has so many bytes; a database row takes two megabytes. */
  textBytesMax: 1024 * 1024,
  datasetsMax: 200,
  inputsMax: 50,
  /** A doc says so many schedules of itself. */
  automationsMax: 20,
  destinationsMax: 20,
  /** A job of automations, or a schedule that a doc says of itself, keeps to these. */
  automationAttemptsMax: 10,
  automationBackoffSecondsMax: 86_400,
  automationTimeoutSecondsMin: 10,
  automationTimeoutSecondsMax: 86_400,
  /** A job hands its runs at most this many bytes of data and variables, as JSON: a page of jobs has a hundred. */
  automationPayloadBytesMax: 16 * 1024,
  /** A save asks for the columns of so many of a doc's SQL datasets, and waits so long for them. */
  describedMax: 20,
  describeMs: 3_000,
  /** A version keeps at most this many bytes of column names, by which its charts are read. */
  columnsBytesMax: 64 * 1024,
  requirementsMax: 50,
  datasetTestsMax: 50,
  /** A key has so many columns, and so has a test. */
  buildColumnsMax: 100,
  /** A run's tests and its commit take so long at most. */
  publishMsMax: 900_000,
  /** A frame of Python is written as a table's files within so long. */
  stageFrameMsMax: 300_000,
  /** The stages of one run have at most this many bytes together, as they are sent to the engine. */
  publishBytesMax: 16 * 1024 * 1024,
  /** Files of a stage stay in the bucket for longer than this, so that a rerun can take them over. */
  stageKeptMs: 24 * 3_600_000,
  /** So much is kept of where a built table's columns come from; columns beyond it count as unknown. */
  lineageCharactersMax: 256 * 1024,
  /** So many failed tests of a run are named where its tables' state is told; the run's tables have all. */
  failedTestsNamedMax: 20,
  testNameCharactersMax: 200,
  /** YAML aliases may add so much, as a multiple of what is written out. */
  aliasesMax: 100,
  depthMax: 100,
  /** A definition has so many YAML tokens; a line `key: value` has six. Reading all takes a fifth of a second. */
  yamlTokensMax: 40_000,
  yamlLinesMax: 100_000,
  perTeamMax: 1_000,
  versionsKeptMax: 100,
  /** All versions that are kept for a team have so many bytes: every team's rows share one database. */
  bytesPerTeamMax: 64 * 1024 * 1024,
  /** The default is Python's; what is published of the webhook fixes it. */
  datasetTimeoutMsDefault: 6_000,
  datasetTimeoutMsMax: 900_000,

  /** A webhook's whole body has so many bytes; it is streamed on and not held in memory. */
  webhookBodyBytesMax: 100 * 1024 * 1024,
  webhookClockSkewMs: 300_000,
  idempotencyKeptMs: 86_400_000,
  idempotencyKeysPerSweepMax: 5_000,
  /** A request that holds a key and has no run by now died before it. */
  idempotencyPendingMs: 900_000,

  /** The sandbox's first sign of life comes so long after a run's row, a cold start included. */
  runStartMs: 120_000,
  /** Three heartbeats may be lost. */
  runLeaseMs: 20_000,
  /**
   * A run may take so long beyond its datasets' own clocks: copying the drive to a new sandbox, and waiting for its
   * turn among many runs.
   */
  runSlackMs: 600_000,
  runInstallMs: 600_000,
  runMsMax: 6 * 3_600_000,
  /** A run is ended by force so long after its deadline: the sandbox ends it first, and reports. */
  runGraceMs: 30_000,
  runWatchMs: 1_000,
  runResultBytesMax: 1024 * 1024 * 1024,
  runKeptMs: 30 * 86_400_000,
  runsSweptMax: 100,
  runsForgottenPerSweepMax: 500,
  /**
   * One dataset has so many characters, as kept: the traceback's end, and what a result's columns are called, which is
   * left out where it is longer.
   */
  tracebackCharactersMax: 16_384,
  resultCharactersMax: 65_536,
} as const;
