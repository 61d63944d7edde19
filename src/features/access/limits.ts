// Bounds of what a caller may see.

export const ACCESS_LIMITS = {
  /** An isolate keeps a caller's roles and attributes for so long; other isolates learn of a change this much later. */
  cacheMs: 30_000,
  cacheEntriesMax: 10_000,
  filtersMax: 100,
  filterValuesMax: 1_000,
  columnsMax: 2_000,
  nameCharactersMax: 255,
  valueCharactersMax: 4_096,
  /** Attributes' values have so many characters in all the filters of one user's roles in an integration. */
  filledCharactersMax: 4 * 1024 * 1024,
} as const;
