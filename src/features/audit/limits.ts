// Bounds of the audit log.

export const AUDIT_LIMITS = {
  keptMs: 400 * 86_400_000,
  /** Events about what a run's key did are kept for as long as the run. */
  ofRunsKeptMs: 30 * 86_400_000,
  forgottenPerSweepMax: 1_000,
  /** A tick writes the outbound events of so many access changes. */
  announcedPerSweepMax: 500,
  announcedPerTeamMax: 25,
  announcedTeamsMax: 2_000,
} as const;
