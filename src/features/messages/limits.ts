// Bounds of messages that go out.

export const MESSAGE_LIMITS = {
  subjectCharactersMax: 250,
  /** An attempt is due, after each one that failed: over some twenty hours. */
  retrySeconds: [30, 300, 1_800, 7_200, 21_600, 43_200],
  /** An event's: over some three days. */
  eventRetrySeconds: [5, 60, 300, 1_800, 7_200, 14_400, 28_800, 43_200, 43_200, 57_600, 64_800],
  /** A channel may ask for a longer wait; not for longer than this. */
  retryAfterMsMax: 86_400_000,
  /** Whoever makes an attempt has the message to himself for this long; longer than it takes. */
  attemptMs: 120_000,
  /** What a message says, with its tables, as JSON. */
  contentBytesMax: 4 * 1024 * 1024,
  /** Files and pictures of one message together: a mail has five MiB, and there they take a third more. */
  fileBytesMax: 3 * 1024 * 1024,
  errorCharactersMax: 500,
  /** The log keeps so much of what a host answers. */
  excerptCharactersMax: 500,
  /** Due messages of one team and channel that are woken at once; the next ones follow an answer. */
  wakeUpsPerChannelMax: 4,
  /** Attempts of events to one destination that are under way at once. */
  eventsUnderWayMax: 4,
  /** Events that one request sends again; the next request goes on behind the last. */
  replayedMax: 1_000,
  /** An event that waits is given up so long after it was written or sent again; longer than all its attempts take. */
  eventWaitMs: 3.5 * 86_400_000,
  eventsGivenUpPerSweepMax: 5_000,
  messagesPerSweepMax: 500,
  /** A tick looks through so many lanes; with more, others with each tick. */
  lanesPerSweepMax: 10_000,
  /** A message is kept for so long after its end. */
  keptMs: 30 * 86_400_000,
  /** After how long a repeat of a request that is still under way may find its answer. */
  repeatAfterSeconds: 15,
  /** A message that is forgotten takes its objects along. */
  forgottenPerSweepMax: 50,
  /** An event has no objects. */
  eventsForgottenPerSweepMax: 5_000,

  /** A request that sends mail has so many receivers and characters. */
  recipientsMax: 50,
  subjectSentCharactersMax: 10_000,
  bodyCharactersMax: 500_000,
} as const;
