// Bounds of drives and their files.

export const DRIVE_LIMITS = {
  pathCharactersMax: 1_024,
  /** R2 takes so many bytes as an object's key. */
  objectKeyBytesMax: 1_024,
  ttlDaysMax: 30,
  ttlDaysDefault: 7,
  pageFilesMax: 1_000,
  /** Paths too long to be keys are looked up one by one. */
  longPathsPerPageMax: 100,
  partsMax: 10_000,
  partsPerSigningMax: 1_000,
  /** The last part of an upload may be smaller. */
  partBytesMin: 5 * 1024 * 1024,
  /** One part, or a file sent by one PUT, has so many bytes; R2's own bound. */
  putBytesMax: 5 * 1024 * 1024 * 1024 - 5 * 1024 * 1024,
  /** R2 gives unfinished uploads up after as long. */
  uploadMs: 7 * 86_400_000,
  /** This is longer than a signed URL can be used. */
  longPathCheckMs: 2 * 3_600_000,
  /** A tick takes so many rows of each kind; a Worker's invocation may send D1 a thousand statements. */
  sweepRowsMax: 100,
  /** Drives are looked through for how much they hold: so often while files come and go, and otherwise. */
  measureEveryMs: 15 * 60_000,
  measureIdleMs: 86_400_000,
  /** A drive whose look was broken off is due again after this. */
  measureRetryMs: 10 * 60_000,
  measuresPerSweepMax: 20,
  measurePagesMax: 5,
} as const;
