// Bounds of destinations, and of what is sent to them.

export const DESTINATION_LIMITS = {
  perTeamMax: 100,
  /** A team's destinations of kind `events`: each takes some of the queue's places. */
  eventsPerTeamMax: 10,
  descriptionCharactersMax: 500,
  /** A destination of events that takes none for so long is disabled: longer than an event is tried. */
  failingMsMax: 5 * 86_400_000,
  /** So much of what a host answers to an event is read. */
  answerBytesMax: 2_048,
  /** The secret before the newest signs as well for so long. */
  secretOverlapMs: 86_400_000,
  /** A destination is sent a test once in so long. */
  testEveryMs: 6_000,
  answerMs: 15_000,
  /** Teams takes no larger message. */
  cardBytesMax: 28 * 1_024,
  payloadBytesMax: 256 * 1_024,
  /** A card shows so much of a table and a text, and so many links. */
  cardTextLinesMax: 60,
  cardTextCharactersMax: 4_000,
  cardCellCharactersMax: 100,
  cardColumnsMax: 12,
  cardRowsMax: 50,
  cardLinksMax: 10,
} as const;
