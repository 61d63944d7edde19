// A doc may draw a bounded number of each thing.

export const DOC_BOUNDS = {
  /** The bounds of `layout.columns`, and its default. */
  gridColumnsMax: 100,
  gridColumnsDefault: 36,
  gridRowsMax: 10_000,
  tilesMax: 200,
  filtersMax: 50,
  filterValuesMax: 1_000,
  /** All filters of a doc together take so many values. */
  filtersValuesMax: 10_000,
  seriesMax: 50,
  tableColumnsMax: 500,
  referencesMax: 20,
  colorsMax: 100,
  nameCharactersMax: 200,
  textCharactersMax: 100_000,
} as const;
