// Bounds of Trino's protocol.

export const TRINO_LIMITS = {
  /** A statement is cancelled when nobody has asked for its rows for this long. */
  leaseMs: 60_000,
  /** A held statement has so many bytes in UTF-8. D1 keeps a row of at most 2,000,000 bytes. */
  heldStatementBytesMax: 1_900_000,
  /** The first answer waits so long for a statement's end; nobody can cancel the statement before that answer. */
  firstWaitMs: 250,
  /** The answer waits so long for a plan, which is made without running the statement. */
  planWaitMs: 10_000,
  /** One request waits so long for rows. */
  pageWaitMs: 1_000,
  /** One page begins with so many stored bytes; a row that is longer is read whole, up to its own bound. */
  pageBytes: 4 * 1024 * 1024,
  rowBytesMax: 64 * 1024 * 1024,
} as const;
