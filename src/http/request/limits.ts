// Bounds of requests.

export const REQUEST_LIMITS = {
  bodyBytesMax: 4 * 1024 * 1024,
  /** Members, items, objects and lists of a JSON body all count. Checking one costs far more than its bytes. */
  bodyValuesMax: 100_000,
  internalBodyBytesMax: 24 * 1024 * 1024,
  /** An answer reports so many flaws of one request; a body can have as many as values. */
  flawsReportedMax: 100,
  sqlCharactersMax: 1_000_000,
  idempotencyKeyCharactersMax: 255,
} as const;
