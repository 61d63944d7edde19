// The bounds of a search of the catalog.

export const SEARCH_LIMITS = {
  questionCharactersMax: 500,
  hitsMax: 50,
  /** Columns of a lake whose names are searched, and those that a hit names. */
  columnsMax: 100_000,
  columnsShownMax: 12,
  /** Saved queries, and docs, that are searched; the oldest. */
  savedMax: 1_000,
};
