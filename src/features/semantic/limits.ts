// Bounds of semantic models and of questions to them.

export const SEMANTIC_LIMITS = {
  filesMax: 200,
  pathCharactersMax: 255,
  /** One file's text has so many bytes; a database row takes two megabytes. */
  fileBytesMax: 512 * 1024,
  /** All files of a model have so many bytes. */
  modelBytesMax: 2 * 1024 * 1024,
  /** A model has so many cubes and views. */
  definitionsMax: 500,
  /** One file has so many YAML tokens. Reading this many takes 100 MB of memory at worst. */
  yamlFileTokensMax: 250_000,
  /** All files have so many YAML tokens. 190 cubes of 41 members with titles and descriptions have 380,000. */
  yamlTokensMax: 400_000,
  yamlLinesMax: 100_000,
  depthMax: 30,
  /** YAML aliases may add so much, as a multiple of what is written out. */
  aliasesMax: 100,
  yamlValuesMax: 250_000,
  /** One cube has so many members. */
  membersPerDefinitionMax: 1_000,
  /** All cubes have so many members together, inherited ones with them. */
  modelMembersMax: 10_000,
  /** A measure has so many filters, a time granularities, a dimension cases, a view entries. */
  partsMax: 100,
  sqlCharactersMax: 50_000,
  /** A member's SQL has so many characters with all that it refers to written out; members refer to others so deep. */
  expandedCharactersMax: 100_000,
  referencesDeepMax: 30,
  /** A cube or view as JSON has so many bytes, and as many again what Cube's meta says of it: together a row. */
  definitionBytesMax: 768 * 1024,
  /** Both have so many of all cubes and views: a query may read them from the database, and an isolate holds them. */
  definitionsBytesMax: 6 * 1024 * 1024,
  messageCharactersMax: 500,
  versionsKeptMax: 100,
  /** A model's kept versions have so many bytes, without the newest and the one before. */
  versionsKeptBytesMax: 16 * 1024 * 1024,
  /** All versions that are kept for a team have so many bytes: every team's rows share one database. */
  bytesPerTeamMax: 64 * 1024 * 1024,

  /** Compiling a whole model when it is saved takes so long at most. */
  compileMs: 30_000,
  /** Compiling one query takes so long when only its SQL is asked for. */
  sqlMs: 10_000,

  /** An isolate keeps so many bytes of models as read, by their JSON. */
  modelCacheBytesMax: 16 * 1024 * 1024,
  /** An isolate keeps so many visible models of one model, for callers with different access. */
  digestsPerModelMax: 20,
  /** An isolate keeps for so many sets of members what they reach of one model. */
  reachesPerModelMax: 50,

  /** A diff shows so many lines deleted from and added to a file. Beyond, it says only that the file changed. */
  diffEditsMax: 1_000,
  /** A diff names so many members. */
  diffMembersMax: 10_000,
  /** One draft describes so many tables. */
  draftTablesMax: 100,
  /** The statement that counts what may be a lake's keys ends within so long. */
  draftKeysMs: 20_000,
  draftKeysBytesMax: 1024 * 1024,

  /** A query answers so many rows: when it does not say, and when it does. */
  rowsDefault: 10_000,
  rowsMax: 50_000,
  /** Each list in a query has so many entries: measures, dimensions and the like. */
  membersMax: 500,
  /** A query has so many conditions, groups of them too; they nest so deep, and compare with so many values. */
  filtersMax: 1_000,
  filterDepthMax: 32,
  valuesMax: 10_000,
  /** One query compares so many ranges of time: each is a query of its own. */
  comparedRangesMax: 20,
} as const;
