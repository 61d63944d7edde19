// Bounds of schedules, and of when recurring work counts as stale.

export const SCHEDULE_LIMITS = {
  /** A list of every minute takes 170. */
  cronCharactersMax: 256,
  /** Recurring work counts as stale as long after it was due as until it is due again, within these bounds. */
  staleSlackMsMin: 1_800_000,
  staleSlackMsMax: 43_200_000,
} as const;
