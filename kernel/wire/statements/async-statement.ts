// A statement whose sender does not wait for its result: it is stored as an object, and the platform is told how the
// statement ended.

import { z } from "zod";
import { EngineFailure, StatementRequest } from "../engine.ts";

/**
 * POST /statements/async: runs a statement whose sender does not wait. Answers 202 once the statement runs, or has
 * ended within `waitMs`. From then on the statement ends by its deadline, by a cancellation, or where `leaseMs` lapses;
 * nobody renews the lease in `statement`.
 */
export const AsyncStatementRequest = z.strictObject({
  statement: StatementRequest,
  /** Token with which the engine reports on the statement. */
  token: z.string(),
  /** The most bytes that the stored result may have, in any format. */
  storedBytesMax: z.number().int().positive(),
  waitMs: z.number().int().nonnegative(),
  /** The statement is cancelled when nobody has renewed it for this long. Absent: no renewal is needed. */
  leaseMs: z.number().int().positive().optional(),
});
export type AsyncStatementRequest = z.infer<typeof AsyncStatementRequest>;

/** `hasEnded`: the statement has ended, and the platform has its outcome. */
export const AsyncStatementAnswer = z.object({ hasEnded: z.boolean() });
export type AsyncStatementAnswer = z.infer<typeof AsyncStatementAnswer>;

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
  }),
  z.strictObject({ outcome: z.literal("failed"), failure: EngineFailure, location: FailureLocation.optional() }),
]);
export type AsyncStatementOutcome = z.infer<typeof AsyncStatementOutcome>;
