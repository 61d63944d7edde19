// Bounds of work: of claims on runs, of how often they are looked at, and of how long they are kept.

/** The cron trigger in `wrangler.toml` ticks once in so long. */
const SWEEP_MS = 60_000;
const WAKE_UP_LOST_MS = 30_000;

export const WORK_LIMITS = {
  /** A step of a run keeps the run claimed for at most this long; longer than any step takes. */
  stepMs: 300_000,
  /** A claim holds for this long after its step last renewed it, so that a step that died is followed soon. */
  claimMs: 15_000,
  claimRenewMs: 5_000,
  pollMsMin: 2_000,
  pollMsMax: 15_000,
  /**
   * This lies between two looks at any runs of one team and kind of work, on average: the more of them go on, the rarer
   * each is looked at, and no rarer than the second. Whatever works on a run says when it has ended.
   */
  teamLookMs: 250,
  teamLookMsMax: 120_000,
  /** A try waits within these bounds where there is no capacity, which is no attempt; and after a step that broke. */
  capacityRetryMsBase: 5_000,
  capacityRetryMsMax: 120_000,
  /** An attempt is ended when so many of its steps in a row broke; past twice as many without asking its job to end. */
  breaksMax: 10,
  /** A run that nobody has looked at for this long after it was due is woken up again. */
  wakeUpLostMs: WAKE_UP_LOST_MS,
  /**
   * An attempt that nobody has looked at for this long after it was due was alone while the platform was away. Where a
   * message is lost, the sweep makes up for it by a tick after `wakeUpLostMs`; three in a row are no chance.
   */
  leftAloneMs: 3 * (WAKE_UP_LOST_MS + SWEEP_MS),
  wakeUpsPerSweepMax: 1_000,
  /** So many runs of one team and kind of work start at a time; its others wait without a message. */
  startsPerTeamMax: 10,
  keptMs: 90 * 86_400_000,
  forgottenPerSweepMax: 500,
} as const;
