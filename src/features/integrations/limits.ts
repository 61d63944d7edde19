// Bounds of integrations.

export const INTEGRATION_LIMITS = {
  perTeamMax: 1_000,
  connectionTestMs: 15_000,
  introspectMs: 30_000,
  /** An isolate keeps so many guesses which lake a team's statements are for. */
  lakesSupposedMax: 10_000,
  /** A team's own lake never changes; a change after all is followed after this. */
  ownLakeCacheMs: 30_000,
} as const;
