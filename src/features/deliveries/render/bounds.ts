// A delivery reads and shows a bounded part of a result; `kernel/docs/draw/bounds.ts` says what it draws of it.

export const RENDER_BOUNDS = {
  /** An Arrow stream as it is stored. */
  streamBytesMax: 16 * 1024 * 1024,
  resultRowsMax: 1_000_000,
  /** Columns and what is nested in them, together. */
  resultFieldsMax: 10_000,
  nestingMax: 64,
  batchesMax: 100_000,
  dictionaryPartsMax: 1_000,
  /** Characters of one nested cell as JSON. */
  cellCharactersMax: 16 * 1024 * 1024,
  /** What a CSV or a Parquet file may come to: a dictionary makes much of few bytes. */
  fileBytesMax: 16 * 1024 * 1024,
  pictureSideMax: 2_000,
  /** What a mail shows of a table. */
  shownRowsMax: 50,
  shownCharactersMax: 200,
  markdownCharactersMax: 20_000,
} as const;
