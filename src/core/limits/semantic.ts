// Bounds of semantic models and of questions to them: a part of `limits.ts`.

export const SEMANTIC_LIMITS = {
  semanticFilesMax: 200,
  semanticPathCharactersMax: 255,
  /** Bytes of one file's text; a database row takes two megabytes. */
  semanticFileBytesMax: 512 * 1024,
  /** Bytes of all files of a model. */
  semanticModelBytesMax: 2 * 1024 * 1024,
  /** Cubes and views of a model. */
  semanticDefinitionsMax: 500,
  /** YAML tokens of one file. Reading this many takes 100 MB of memory at worst. */
  semanticYamlFileTokensMax: 250_000,
  /** YAML tokens of all files. 190 cubes of 41 members with titles and descriptions have 380,000. */
  semanticYamlTokensMax: 400_000,
  semanticYamlLinesMax: 100_000,
  semanticDepthMax: 30,
  /** What YAML aliases may add, as a multiple of what is written out. */
  semanticAliasesMax: 100,
  semanticYamlValuesMax: 250_000,
  /** Members of one cube. */
  semanticMembersPerDefinitionMax: 1_000,
  /** Members of all cubes together, inherited ones with them. */
  semanticModelMembersMax: 10_000,
  /** Filters of a measure, granularities of a time, cases of a dimension, entries of a view. */
  semanticPartsMax: 100,
  semanticSqlCharactersMax: 50_000,
  /** Of a member's SQL with all that it refers to written out, and how far one may refer to another. */
  semanticExpandedCharactersMax: 100_000,
  semanticReferencesDeepMax: 30,
  /** Of a cube or view as JSON, and as much again of what Cube's meta says of it: together a row. */
  semanticDefinitionBytesMax: 768 * 1024,
  /** Of both, of all cubes and views: a query may read them from the database, and an isolate holds them. */
  semanticDefinitionsBytesMax: 6 * 1024 * 1024,
  semanticMessageCharactersMax: 500,
  semanticVersionsKeptMax: 100,
  /** Bytes of a model's kept versions, without the newest and the one before. */
  semanticVersionsKeptBytesMax: 16 * 1024 * 1024,
  /** Bytes of all versions that are kept for a team: every team's rows share one database. */
  semanticBytesPerTeamMax: 64 * 1024 * 1024,

  /** Time to compile a whole model when it is saved. */
  semanticCompileMs: 30_000,
  /** Time to compile one query when only its SQL is asked for. */
  semanticSqlMs: 10_000,

  /** Models that an isolate keeps as read, by their JSON. */
  semanticModelCacheBytesMax: 16 * 1024 * 1024,
  /** Visible models that an isolate keeps of one model, for callers with different access. */
  semanticDigestsPerModelMax: 20,
  /** For how many sets of members an isolate keeps what they reach of one model. */
  semanticReachesPerModelMax: 50,

  /** Lines deleted from and added to a file. Beyond it a diff says only that the file changed. */
  semanticDiffEditsMax: 1_000,
  /** Members that a diff names. */
  semanticDiffMembersMax: 10_000,
  /** Tables that one draft describes. */
  semanticDraftTablesMax: 100,
  /** Deadline of the statement that counts what may be a lake's keys. */
  semanticDraftKeysMs: 20_000,
  semanticDraftKeysBytesMax: 1024 * 1024,

  /** Rows that a query answers: when it does not say, and when it does. */
  semanticRowsDefault: 10_000,
  semanticRowsMax: 50_000,
  /** Entries of each list in a query: measures, dimensions and the like. */
  semanticMembersMax: 500,
  /** Conditions of a query, groups of them too; how deep they nest, and what they compare with. */
  semanticFiltersMax: 1_000,
  semanticFilterDepthMax: 32,
  semanticValuesMax: 10_000,
  /** Ranges of time that one query compares: each is a query of its own. */
  semanticComparedRangesMax: 20,
} as const;
