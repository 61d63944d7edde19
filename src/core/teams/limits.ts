// Bounds of teams as a whole; as `../limits.ts`.

export const TEAM_LIMITS = {
  /**
   * Of a deleted team all is looked for once more after so long: longer than a URL that was signed for it is good, and
   * a key of it is remembered.
   */
  removalMs: (3_600 + 300) * 1_000,
  removalRetryMs: 300_000,
  removalsPerSweepMax: 50,
  /** Steps of a removal, each of a thousand objects. */
  removalStepsMax: 10,
  removalStatementsMax: 200,
  removalRowsMax: 1_000,

  /** From when a link that signs in is made until it is used. */
  magicLinkMs: 900_000,
  /** Lifetime of the key that a magic link is exchanged for. */
  signInKeyMs: 8 * 3_600_000,
  /** A link is known for so long, so that who looks for one finds what became of it. */
  magicLinkKeptMs: 86_400_000,
  magicLinksForgottenPerSweepMax: 500,
} as const;
