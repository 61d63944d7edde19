// Bounds of saved queries.

export const QUESTION_LIMITS = {
  savedQueriesPerTeamMax: 2_000,
  savedQueryVersionsKeptMax: 100,
  /** Bytes of one definition as JSON; a database row takes two megabytes. */
  savedQueryBytesMax: 256 * 1024,
  /** Bytes of all versions that are kept for a team: every team's rows share one database. */
  savedQueryBytesPerTeamMax: 32 * 1024 * 1024,
  savedQueryDescriptionCharactersMax: 4_000,
  savedQueryQuestionsMax: 20,
  savedQueryQuestionCharactersMax: 300,
  savedQueryTagsMax: 20,
  savedQueryTagCharactersMax: 50,
  /** Words of one search, each of which a saved query has to have. */
  savedQuerySearchWordsMax: 10,
  savedQuerySearchCharactersMax: 200,
  declaredParametersMax: 100,
  /** Parameters of a question whose allowed values come from a query: each is a statement of every run. */
  allowedQueriesMax: 5,
  allowedValuesMax: 1_000,
  /** Rows, and bytes, that a query for allowed values may have. */
  allowedValuesReadMax: 10_000,
  allowedValuesReadBytesMax: 1024 * 1024,
  allowedValuesMs: 30_000,
} as const;
