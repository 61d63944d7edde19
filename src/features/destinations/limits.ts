// Bounds of destinations, and of what is sent to them.

export const DESTINATION_LIMITS = {
  perTeamMax: 100,
  /** The secret before the newest signs as well for so long. */
  secretOverlapMs: 86_400_000,
  /** Between two test messages to one destination. */
  testEveryMs: 6_000,
  answerMs: 15_000,
  /** Teams takes no larger message. */
  cardBytesMax: 28 * 1_024,
  payloadBytesMax: 256 * 1_024,
  /** Of a card: a table, and what of a text and how many links it shows. */
  cardTextLinesMax: 60,
  cardTextCharactersMax: 4_000,
  cardCellCharactersMax: 100,
  cardColumnsMax: 12,
  cardRowsMax: 50,
  cardLinksMax: 10,
} as const;
