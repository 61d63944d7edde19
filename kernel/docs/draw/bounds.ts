// A drawing of a result reads and shows a bounded part of it.

export const DRAW_BOUNDS = {
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
  /** Columns of a table, and values of a pivot's column fields. */
  shownColumnsMax: 20,
} as const;
