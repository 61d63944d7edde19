// Bounds of mail.

export const MAIL_LIMITS = {
  /** All mail of a team counts: deliveries, messages of programs, confirmations and links that sign in. */
  mailsPerTeamAndDayMax: 1_000,
  mailAddressesPerTeamMax: 1_000,
  /** An address is asked once in so long, whichever teams ask. */
  askEveryMs: 86_400_000,
  /** The link of a question is good for so long. */
  confirmationMs: 7 * 86_400_000,
  /** The link for unsubscribing is good for so long. */
  unsubscribingMs: 400 * 86_400_000,
  /** Counts of mails are kept for so long. */
  daysKeptMs: 7 * 86_400_000,
  forgottenPerSweepMax: 1_000,
} as const;
