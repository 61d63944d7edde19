// Bounds of a team's glossary.

export const GLOSSARY_LIMITS = {
  termsPerTeamMax: 1_000,
  termVersionsKeptMax: 100,
  /** Bytes of all versions that are kept for a team: every team's rows share one database. */
  termBytesPerTeamMax: 8 * 1024 * 1024,
  termCharactersMax: 100,
  synonymsMax: 20,
  definitionCharactersMax: 4_000,
  linksMax: 20,
  linkNameCharactersMax: 300,
} as const;
