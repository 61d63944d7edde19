// A statement whose sender does not wait for its result: it is stored as an object, and the platform is told how the
// statement ended.

import { z } from "zod";
import { ClusterTarget } from "./cluster.ts";
import { EngineFailure, StatementRequest } from "../engine.ts";

/** The most bytes of rows that an answer holds of a statement which ended at once. */
export const ANSWERED_BYTES_MAX = 1024 * 1024;

/**
 * POST /statements/async: runs a statement whose sender does not wait. Answers 202 once the statement runs, or has
 * ended within `waitMs`. From then on the statement ends by its deadline, by a cancellation, or where `leaseMs` lapses;
 * nobody renews the lease in `statement`.
 */
export const AsyncStatementRequest = z.strictObject({
  statement: StatementRequest,
  /** What runs in its place, from the beginning, where DuckDB has too little memory for the statement. */
  fallback: z
    .strictObject({ sql: z.string(), target: ClusterTarget, isTranslated: z.literal(true).optional() })
    .optional(),
  /** Token with which the engine reports on the statement. */
  token: z.string(),
  /** The most bytes that the stored result may have, in any format. */
  storedBytesMax: z.number().int().positive(),
  waitMs: z.number().int().nonnegative(),
  /**
   * The sender takes the end itself where it comes within `waitMs`, with at most so many bytes of rows: it is answered,
   * and neither stored nor reported. The sender of any other statement is answered before anything is reported. For
   * statements that read: where the answer is lost nothing is left of them.
   */
  answeredBytesMax: z.number().int().positive().max(ANSWERED_BYTES_MAX).optional(),
  /** The statement is cancelled when nobody has renewed it for this long. Absent: no renewal is needed. */
  leaseMs: z.number().int().positive().optional(),
});
export type AsyncStatementRequest = z.infer<typeof AsyncStatementRequest>;

/** The most bytes of a running statement's result that are asked for at once. */
export const RUNNING_ROWS_BYTES_MAX = 64 * 1024 * 1024;

/**
 * GET /statements/{id}/rows?from=&bytes=: bytes of the result of a statement whose sender does not wait, from a place
 * on, in the order in which they will be stored. The statement may run, and fail after them. 200 with
 * {@link ROWS_END_HEADER}; 204 where there are no more yet, after a moment; 404 where the statement has no result here
 * that may be read: it has not begun, has failed, or is stored and reported. It renews the statement's lease.
 */
export const RunningRowsRequest = z.strictObject({
  from: z.coerce.number().int().nonnegative(),
  bytes: z.coerce.number().int().positive().max(RUNNING_ROWS_BYTES_MAX),
});
export type RunningRowsRequest = z.infer<typeof RunningRowsRequest>;

/** `true` where the bytes are the last of a statement that has succeeded, else `false`. */
export const ROWS_END_HEADER = "x-fjord-rows-end";

/** POST /internal/queries/{id}/result: where to PUT the result. Repeatable, refused once the query has ended. */
export const ResultUploadRequest = z.strictObject({ bytes: z.number().int().nonnegative() });
export const ResultUploadAnswer = z.object({ url: z.string() });

/** Where in the SQL that was sent a failure is; all count Unicode characters from 1. */
export const FailureLocation = z.strictObject({
  position: z.number().int().positive(),
  line: z.number().int().positive(),
  column: z.number().int().positive(),
});
export type FailureLocation = z.infer<typeof FailureLocation>;

/** The most characters of the columns of a result in Trino's own values. */
export const READER_HEAD_CHARACTERS_MAX = 1024 * 1024;

/** POST /internal/queries/{id}/finish → 204: how the statement ended. Repeatable; the first report counts. */
export const AsyncStatementOutcome = z.discriminatedUnion("outcome", [
  z.strictObject({
    outcome: z.literal("succeeded"),
    bytes: z.number().int().nonnegative(),
    /** The columns of a result in Trino's own values, as Trino's protocol has them. */
    readerHead: z.string().max(READER_HEAD_CHARACTERS_MAX).optional(),
    /** The statement that was to run in its place has run. */
    isFallback: z.literal(true).optional(),
  }),
  z.strictObject({ outcome: z.literal("failed"), failure: EngineFailure, location: FailureLocation.optional() }),
]);
export type AsyncStatementOutcome = z.infer<typeof AsyncStatementOutcome>;

/** How a statement ended of which nothing was stored, and nothing is reported. */
export const AnsweredEnd = z.object({ outcome: AsyncStatementOutcome, rows: z.string().max(ANSWERED_BYTES_MAX) });
export type AnsweredEnd = z.infer<typeof AnsweredEnd>;

/** `hasEnded`: the statement has ended. The platform has its outcome where `end` is not this one's. */
export const AsyncStatementAnswer = z.object({ hasEnded: z.boolean(), end: AnsweredEnd.optional() });
export type AsyncStatementAnswer = z.infer<typeof AsyncStatementAnswer>;
