// Bounds of webhooks that the platform sends.

export const WEBHOOK_LIMITS = {
  /** A URL that the platform sends something to has so many characters. */
  urlCharactersMax: 2_048,
} as const;
