// Bounds of what is asked of Slack.

export const SLACK_CALL_LIMITS = {
  answerMs: 15_000,
  /** Slack asks to wait, and does not say how long. */
  retryMsDefault: 30_000,
} as const;
