// Bounds of messages to Slack: Slack's own, and how much of a message's content is shown in one.

export const SLACK_LIMITS = {
  /** A message's text has so many characters; Slack cuts longer ones. */
  textCharactersMax: 40_000,
  blocksMax: 50,
  sectionCharactersMax: 3_000,
  headerCharactersMax: 150,
  channelCharactersMax: 100,
  /** A message shows so many blocks of its text, its tables and its links. */
  textSectionsMax: 10,
  tablesMax: 10,
  linksMax: 20,
  cellCharactersMax: 40,
  /**
   * Pictures and files of a message, shared so many at once. No upload begins after `uploadMs`: with the calls that
   * follow, an attempt stays within its time.
   */
  filesMax: 20,
  filesPerShareMax: 10,
  uploadMs: 45_000,
  fileNameCharactersMax: 100,
} as const;
