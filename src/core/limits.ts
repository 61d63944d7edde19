// Every bound of the control plane, in one place. Names carry their unit.

export const LIMITS = {
  bodyBytesMax: 4 * 1024 * 1024,
  sqlCharactersMax: 1_000_000,
  nameCharactersMax: 200,

  keyCacheMs: 30_000,
  keyCacheEntriesMax: 10_000,
  usersPerTeamMax: 1_000,
  keysPerUserMax: 50,
  integrationsPerTeamMax: 1_000,

  connectionTestMs: 15_000,
  healthMs: 3_000,
  healthCacheMs: 30_000,

  queryDeadlineMsDefault: 110_000,
  queryDeadlineMsMax: 900_000,
  queryLeaseMs: 15_000,
  queryRowsMax: 100_000,
  queryBytesMax: 64 * 1024 * 1024,

  engineStartMs: 30_000,
  signedUrlSeconds: 3_600,

  lakeFilesPerCommitMax: 10_000,
  lakeColumnsPerTableMax: 2_000,
  lakeColumnDepthMax: 16,
  /** Characters of one bound in a column's statistics; writers truncate long text well below. */
  lakeBoundCharactersMax: 4_096,
  lakePlannedFilesMax: 100_000,
  /** One note of a writer's, kept with its commit. */
  lakeStateBytesMax: 1024 * 1024,
  lakeProgressBytesMax: 1024 * 1024,
  lakeSnapshotsExpiredMax: 10_000,
  /** A repeated commit is recognised for this long. */
  lakeCommitKeptMs: 30 * 86_400_000,
  internalBodyBytesMax: 24 * 1024 * 1024,
  jobLeaseMs: 60_000,
  sampleLoadMs: 1_800_000,
  lakeRemovalsPerSweepMax: 50,
  lakeRemovalRetryMs: 300_000,
  lakeRemovalStepsMax: 10,

  catalogTablesMax: 10_000,
  catalogSnapshotsMax: 200,
  /** Of a column's live read; the caller waits for it. */
  profileMs: 30_000,
  exportMs: 300_000,
  dataPathCharactersMax: 1_024,
} as const;
