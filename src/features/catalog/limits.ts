// Bounds of the catalog, and of exports from it.

export const CATALOG_LIMITS = {
  snapshotsMax: 200,
  /** A column's live read takes so long at most; the caller waits for it. */
  profileMs: 30_000,
  exportMs: 300_000,
  dataPathCharactersMax: 1_024,
} as const;
