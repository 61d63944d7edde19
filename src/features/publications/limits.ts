// Bounds of what is published.

import type { PublicationKind } from "../../platform/db/schema/question-schema.ts";

export const PUBLICATION_LIMITS = {
  perTeamMax: { endpoint: 200, dashboard: 200 } satisfies Record<PublicationKind, number>,
  /** The content of a publication, as JSON, has at most so many bytes: a row of the database has room for it. */
  contentBytesMax: 1024 * 1024,
  frameAncestorsMax: 20,
  keysPerEndpointMax: 100,
  /** Calls of one key or token. */
  ratePerMinuteDefault: 600,
  ratePerMinuteMax: 60_000,
  audienceCharactersMax: 200,
  tokenCharactersMax: 8_192,
  /** From now until a token's end. */
  tokenSecondsMax: 86_400,
  secretOverlapSecondsMax: 7 * 86_400,
  statisticsHoursMax: 168,
  /** Rollups are kept for a day more than any answer shows. */
  rollupHoursKept: 8 * 24,
  rollupsForgottenPerSweepMax: 1_000,
  /** Between two times that an isolate writes what it has counted. */
  countsWrittenEveryMs: 1_000,
  /** A request that writes counts and has died is not waited for longer than this. */
  countsWritingMs: 20_000,
  /** Sums of a publication and hour that an isolate holds until it writes them. */
  countsHeldMax: 5_000,
} as const;
