// Bounds of mail.

export const MAIL_LIMITS = {
  /** Of all mail of a team: deliveries, messages of programs, confirmations and links that sign in. */
  mailsPerTeamAndDayMax: 1_000,
  mailAddressesPerTeamMax: 1_000,
  /** Between two mails that ask an address, whichever teams ask. */
  askEveryMs: 86_400_000,
  /** From a question until its link ends. */
  confirmationMs: 7 * 86_400_000,
  /** From a mail until its link for unsubscribing ends. */
  unsubscribingMs: 400 * 86_400_000,
  /** Counts of mails are kept for so long. */
  daysKeptMs: 7 * 86_400_000,
  forgottenPerSweepMax: 1_000,
} as const;
