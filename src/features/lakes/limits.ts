// Bounds of lakes: of their jobs, their summaries, and of how their objects are removed and collected.

export const LAKE_LIMITS = {
  jobLeaseMs: 60_000,
  removalsPerSweepMax: 50,
  removalRetryMs: 300_000,
  removalStepsMax: 10,
  collectionEveryMs: 86_400_000,
  collectionRetryMs: 600_000,
  collectionsPerSweepMax: 50,
  collectionStepsMax: 10,
  /** A summary of a lake's health keeps so many tables; the worst first. */
  summaryTablesMax: 50,
} as const;
