// A write is tried again from the start where another commit came first.

import { setTimeout } from "node:timers/promises";
import type { Failure } from "../../core/failure.ts";

/** How often it is tried, the first time with it. */
const TRIES = 8;
const BACK_OFF_MS = 10;
const BACK_OFF_MS_MAX = 1_000;

/** The answer of an attempt, or the conflict of its commit, which was made from the snapshot `base`. */
export type Attempted<Answer> = { answer: Answer } | { conflict: Failure; base: number };

/** Repeats what conflicted at first. It begins at once, and waits before each further attempt. */
export async function againAfterConflict<Answer>(
  attempt: () => Promise<Attempted<Answer>>,
  first: Attempted<Answer>,
  signal: AbortSignal,
): Promise<Attempted<Answer>> {
  let outcome = first;
  for (let tries = 1; tries < TRIES && "conflict" in outcome; tries++) {
    if (tries > 1) await backOff(tries, signal);
    const { base } = outcome;
    outcome = await attempt();
    // From the same snapshot as before: no other commit came first, so that it would always conflict.
    if ("conflict" in outcome && outcome.base === base) break;
  }
  return outcome;
}

/**
 * Waits longer from one attempt to the next, by a random time, so that statements that conflicted do not conflict
 * again.
 */
export const backOff = (attempt: number, signal: AbortSignal): Promise<void> =>
  setTimeout(Math.min(BACK_OFF_MS * 2 ** attempt, BACK_OFF_MS_MAX) * (0.5 + Math.random() / 2), undefined, {
    signal,
  }).catch(() => signal.throwIfAborted());
