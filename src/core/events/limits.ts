// Bounds of counting events.

export const EVENT_LIMITS = {
  /**
   * An isolate hands its counts of a team to the team's meter this often at most; what it loses when it dies is of that
   * time.
   */
  meterReportEveryMs: 1_000,
  /** A report that is not answered is sent again after so long. */
  meterReportMs: 5_000,
  /** A request sends its counts after its answer within so long: the runtime gives it thirty seconds. */
  meterSendingMs: 25_000,
  /** Minutes of each kind of event that an isolate keeps of a team, while the meter is silent. */
  meterReportRowsMax: 180,
  /** A meter tells so many counts of one team apart within a minute. */
  meterKeysMax: 1_000,
  /** An isolate counts for so many teams at once. */
  meterTeamsMax: 5_000,
  /** A meter passes on to D1 so often, rows at most in one batch, and waits for so long when D1 is away. */
  meterPassOnMs: 30_000,
  meterBatchRowsMax: 500,
  meterRetryMsMax: 300_000,
  /** A meter remembers an isolate for longer than one lives that has a report to repeat. */
  meterSourceKeptMs: 86_400_000,
  /** One answer has so many: the largest about named teams is of 50 teams and 8 kinds by the minute for a week. */
  statisticsBucketsMax: 50 * 8 * (168 * 60 + 1),
  /** Rollups that are in memory at once, a hundred bytes or a few each. */
  statisticsRowsPerReadMax: 15_000,
  statisticsTeamIdCharactersMax: 100,
  /** A rollup outlives the longest window and a bucket, so that no window reaches what is being swept. */
  statisticsKeptMs: 8 * 86_400_000,
  /** A tick sweeps so many rollups, and each of its statements so many. */
  statisticsSweptMax: 20_000,
  statisticsSweptPerStatementMax: 5_000,
} as const;
