// The bounds of alerts and their deliveries.

export const ALERT_LIMITS = {
  /** The secret before the newest signs as well for so long. */
  alertSecretOverlapMs: 86_400_000,
  /** A delivery is due, after each attempt that failed: the example that Standard Webhooks gives. */
  alertRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  alertAnswerMs: 15_000,
  /** Whoever makes an attempt has the delivery to himself for this long; longer than it takes. */
  alertAttemptMs: 60_000,
  alertTestsPerMinuteMax: 10,
  alertErrorCharactersMax: 2_000,
  alertDeliveriesPerSweepMax: 500,
  /** Due deliveries of one team that are woken at once; the next ones are once its receiver has answered. */
  alertWakeUpsPerTeamMax: 4,
  /** Teams, and their syncs and jobs, that a tick looks through; the others come with the next ones. */
  alertTeamsPerSweepMax: 200,
  alertTeamsPerPageMax: 5,
  alertSubjectsPerSweepMax: 5_000,
  alertSubjectsPerPageMax: 500,
  /** Nobody hears of a failure that nobody looked at for so long. */
  alertFailureMsMax: 7 * 86_400_000,
  /** Longer than that: what has ended tells which failures were reported. */
  alertKeptMs: 30 * 86_400_000,
  alertsForgottenPerSweepMax: 500,
} as const;
