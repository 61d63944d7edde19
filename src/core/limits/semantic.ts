// Bounds of semantic models and of questions to them: a part of `limits.ts`.

export const SEMANTIC_LIMITS = {
  semanticFilesMax: 200,
  semanticPathCharactersMax: 255,
  /** Of a file's text; a row takes two megabytes. */
  semanticFileBytesMax: 512 * 1024,
  /** Of all files of a model. */
  semanticModelBytesMax: 2 * 1024 * 1024,
  /** Cubes and views of a model. */
  semanticDefinitionsMax: 500,
  /** Of one file, which takes the most memory while it is read: at worst 100 MB. */
  semanticYamlFileTokensMax: 250_000,
  /** Of all files: 190 cubes of 41 members with titles and descriptions are 380,000, which takes a second to read. */
  semanticYamlTokensMax: 400_000,
  semanticYamlLinesMax: 100_000,
  semanticDepthMax: 30,
  /** Of YAML: what its aliases may add, as a multiple of what is written out. */
  semanticAliasesMax: 100,
  semanticYamlValuesMax: 250_000,
  /** Of one cube; and of all together, with what they inherit. */
  semanticMembersPerDefinitionMax: 1_000,
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
  /** Of the versions that are kept of a model, beside the newest and the one before. */
  semanticVersionsKeptBytesMax: 16 * 1024 * 1024,
  /** Of all versions that are kept: every team's rows share one database. */
  semanticBytesPerTeamMax: 64 * 1024 * 1024,

  /** Of a whole model, when it is saved. */
  semanticCompileMs: 30_000,
  /** Of one query, where only its SQL is asked for. */
  semanticSqlMs: 10_000,

  /** Models that an isolate keeps as read, by their JSON. */
  semanticModelCacheBytesMax: 16 * 1024 * 1024,
  /** Of callers with different access, for whom an isolate keeps what is left of one model. */
  semanticDigestsPerModelMax: 20,
  /** For how many sets of members an isolate keeps what they reach of one model. */
  semanticReachesPerModelMax: 50,

  /** Of a file's lines, those that went and those that came; beyond it a diff says only that the file changed. */
  semanticDiffEditsMax: 1_000,
  /** Members that a diff names. */
  semanticDiffMembersMax: 10_000,
  /** Tables that one draft describes. */
  semanticDraftTablesMax: 100,
  /** Of the statement that counts what may be a lake's keys. */
  semanticDraftKeysMs: 20_000,
  semanticDraftKeysBytesMax: 1024 * 1024,

  /** Rows that a query answers: when it does not say, and when it does. */
  semanticRowsDefault: 10_000,
  semanticRowsMax: 50_000,
  /** Of each list of a query's: measures, dimensions and the like. */
  semanticMembersMax: 500,
  /** Conditions of a query, groups of them too; how deep they nest, and what they compare with. */
  semanticFiltersMax: 1_000,
  semanticFilterDepthMax: 32,
  semanticValuesMax: 10_000,
  /** Ranges of time that one query compares: each is a query of its own. */
  semanticComparedRangesMax: 20,
} as const;
