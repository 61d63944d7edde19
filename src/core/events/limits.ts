// Bounds of counting events.

export const EVENT_LIMITS = {
  /**
   * An isolate hands its counts of a team to the team's meter this often at most; what it loses when it dies is of that
   * time.
   */
  meterReportEveryMs: 1_000,
  /** Until a report is sent again. */
  meterReportMs: 5_000,
  /** What a request sends after its answer: the runtime gives it thirty seconds. */
  meterSendingMs: 25_000,
  /** Minutes of each kind of event that an isolate keeps of a team, while the meter is silent. */
  meterReportRowsMax: 180,
  /** Of one team, that are told apart within a minute. */
  meterKeysMax: 1_000,
  /** That an isolate counts at once. */
  meterTeamsMax: 5_000,
  /** A meter passes on to D1 so often, rows at most in one batch, and waits for so long when D1 is away. */
  meterPassOnMs: 30_000,
  meterBatchRowsMax: 500,
  meterRetryMsMax: 300_000,
  /** Longer than an isolate lives that has a report to repeat. */
  meterSourceKeptMs: 86_400_000,
  /** In one answer: of the largest about teams that are named, 50 teams and 8 kinds by the minute for a week. */
  statisticsBucketsMax: 50 * 8 * (168 * 60 + 1),
  /** Rollups that are in memory at once, a hundred bytes or a few each. */
  statisticsRowsPerReadMax: 15_000,
  statisticsTeamIdCharactersMax: 100,
  /** Longer than the longest window and a bucket, so that no window reaches what is being swept. */
  statisticsKeptMs: 8 * 86_400_000,
  /** Of rollups, a tick and a statement. */
  statisticsSweptMax: 20_000,
  statisticsSweptPerStatementMax: 5_000,
} as const;
