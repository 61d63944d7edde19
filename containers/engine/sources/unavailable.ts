// Failures of a source that may pass: each kind has a table from its own codes to these causes.

import { Failure } from "../core/failure.ts";

export type PassingCause =
  | "too_many_connections"
  | "throttled"
  | "deadlock"
  | "conflict"
  | "lock_timeout"
  | "shutting_down"
  | "not_ready"
  | "service_failure"
  | "session_ended";

/** In words for people, behind the source's own. */
const ADVICE: Record<PassingCause, string> = {
  too_many_connections: "The source has no more connections to give now.",
  throttled: "The source takes no more work now.",
  deadlock: "The source chose this statement to end a deadlock.",
  conflict: "Other transactions at the source were in the way.",
  lock_timeout: "Others at the source held what the statement needs for too long.",
  shutting_down: "The source was shutting down, or ended the session.",
  not_ready: "The source is not ready yet.",
  service_failure: "The source's service fails.",
  session_ended: "The session with the source ended.",
};

/** A source that asks for more is asked again all the same. */
const RETRY_AFTER_SECONDS_MAX = 300;

/** `retryAfterMs`: the pause that the source asks for; nought where it names none. */
export function sourceUnavailable(
  cause: PassingCause,
  text: string,
  { error, retryAfterMs = 0 }: { error?: unknown; retryAfterMs?: number } = {},
): Failure {
  const seconds = Math.min(RETRY_AFTER_SECONDS_MAX, Math.ceil(retryAfterMs / 1_000));
  return new Failure("source_unavailable", `${text.replace(/\.?$/, ".")} ${ADVICE[cause]} Try again later.`, {
    retryAfterSeconds: seconds > 0 ? seconds : undefined,
    cause: error,
  });
}
