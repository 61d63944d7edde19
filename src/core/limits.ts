// Bounds that several layers or features share; a bound of one feature stands in its own `limits.ts`.

/** Names carry their unit. */
export const LIMITS = {
  nameCharactersMax: 200,

  /** A key, and that its team is there, are known to an isolate for so long. */
  keyCacheMs: 30_000,
  keyCacheEntriesMax: 10_000,

  queryDeadlineMsDefault: 110_000,
  /** A statement runs for so long at most; a lake keeps what the longest one may still read. */
  queryDeadlineMsMax: 900_000,
  /** A sync's run ends within so long; until then its lease on a lake's snapshot may have to be kept. */
  syncRunMsMax: 86_400_000,

  /** A list of tables, of a lake or any other integration, names so many. */
  catalogTablesMax: 10_000,
} as const;
