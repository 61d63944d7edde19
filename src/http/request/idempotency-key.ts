// The header by which a caller names a request, so that a repeat of it is known as one.

import { REQUEST_LIMITS } from "./limits.ts";
import { invalidAt } from "../../core/problem.ts";
import { describeHeaders, type Answer } from "../answer.ts";

/** The request's own name for itself, if it has one. Throws `validation_failed` for one that can't be. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= REQUEST_LIMITS.idempotencyKeyCharactersMax) return key;
  const message = `Send 1 to ${REQUEST_LIMITS.idempotencyKeyCharactersMax} printable ASCII characters without spaces.`;
  throw invalidAt("/header/idempotency-key", message, "The Idempotency-Key is not valid.");
}

/** A verb's value, and whether it is that of an earlier request of the same key. */
export type Replayable<Value> = { value: Value; isReplay: boolean };

/** The answer, marked by a header where it is that of an earlier request. */
export const replayable = <Value>(answer: Answer<Value>): Answer<Replayable<Value>> => ({
  status: answer.status,
  document: describeHeaders(
    { "Idempotency-Replayed": "`true`: this is the answer to an earlier request." },
    answer.document,
  ),
  bodyOf: (call, { value }) => answer.bodyOf(call, value),
  headersOf: ({ isReplay }) => ({ ...(isReplay && { "Idempotency-Replayed": "true" }) }),
});
