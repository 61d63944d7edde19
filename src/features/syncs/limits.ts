// Bounds of syncs and their runs; `syncRunMsMax` stands in `core/limits.ts`, because lakes keep snapshots by it.

export const SYNC_LIMITS = {
  perTeamMax: 1_000,
  /** A sync that is planned for longer than this was given up in the middle. */
  plannedMsMax: 300_000,
  /** At least this lies between two times that a sync is due by a cron expression. */
  cronMsMin: 300_000,
  patternsMax: 1_000,
  tablesMax: 10_000,
  /** A cron tick starts at most so many runs, so many of one team, so many in one statement. */
  runsPerTickMax: 1_000,
  runsPerTickOfTeamMax: 100,
  runsPerClaimMax: 100,
  /** So many runs of one sync wait for their turn. */
  runsWaitingMax: 10,
  /** The history shows so many warnings of one run: what it left as it was, and why. */
  runWarningsMax: 20,
  runWarningCharactersMax: 500,
  attemptsMax: 5,
  retryMsMax: 1_800_000,
  removalsPerSweepMax: 50,
} as const;
