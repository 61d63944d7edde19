// Bounds of messages to Slack: Slack's own, and how much of a message's content is shown in one.

export const SLACK_LIMITS = {
  /** Of a message's text; Slack cuts longer ones. */
  textCharactersMax: 40_000,
  blocksMax: 50,
  sectionCharactersMax: 3_000,
  headerCharactersMax: 150,
  channelCharactersMax: 100,
  /** Of the text, and of the tables and links, that a message shows as blocks. */
  textSectionsMax: 10,
  tablesMax: 10,
  linksMax: 20,
  cellCharactersMax: 40,
} as const;
