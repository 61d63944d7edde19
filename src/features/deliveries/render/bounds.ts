// A delivery reads, draws and shows a bounded part of a result.

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
  /** Rows that a chart reads, and groups and series that it draws. */
  chartRowsMax: 100_000,
  chartGroupsMax: 1_000,
  chartSeriesMax: 50,
  /** Cells that all figures of a part read together, and that the sort of a table reads or compares. */
  readCellsMax: 4_000_000,
  /** Points of all series together, and of a scatter. */
  chartPointsMax: 20_000,
  pieSlicesMax: 12,
  heatmapCellsMax: 5_000,
  labelCharactersMax: 40,
  pictureSideMax: 2_000,
  /** What a mail shows of a table. */
  shownRowsMax: 50,
  shownColumnsMax: 20,
  shownCharactersMax: 200,
  markdownCharactersMax: 20_000,
} as const;
