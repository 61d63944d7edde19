// The change that a step makes to an attempt's row. This file is pure.

import { hasEnded, isUnderWay, type RunState } from "./next-state.ts";

export type AttemptEnd = "succeeded" | "failed" | "cancelled" | "timed_out";

export type AttemptChange =
  | { kind: "begin"; attempt: number; workId: string; startedAtMs: number }
  /** There was no capacity for it: it never was. */
  | { kind: "withdraw"; attempt: number }
  | { kind: "end"; attempt: number; state: AttemptEnd; error: string | null };

/** Undefined where the attempt goes on, or there is none. `cancelReason` is what a cancelled one ended for. */
export function changeOfAttempt(
  before: RunState,
  after: RunState,
  cancelReason: string | null,
): AttemptChange | undefined {
  if (after.attempt > before.attempt)
    return { kind: "begin", attempt: after.attempt, workId: after.workId!, startedAtMs: after.startedAtMs! };
  if (after.attempt < before.attempt) return { kind: "withdraw", attempt: before.attempt };
  if (!isUnderWay(before) || isUnderWay(after)) return undefined;
  const state = hasEnded(after) ? (after.state as AttemptEnd) : "failed";
  return { kind: "end", attempt: before.attempt, state, error: state === "cancelled" ? cancelReason : after.error };
}
