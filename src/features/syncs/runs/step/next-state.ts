// A run's life as pure rules: what is to be done with it next, and what becomes of it after what was seen.
//
//   queued ──begin──► starting ──► running ──► succeeded | failed | cancelled
//      ▲                  │            │
//      └── no room (no attempt used) · a retry after backoff
//
// A step is: look at the move, claim the run for a while, do it, record the next state under the revision that was
// claimed.
// Whatever dies in between is taken up by the next who looks once the claim has run out.

import { backoffMs } from "../../../../core/backoff.ts";
import { LIMITS } from "../../../../core/limits.ts";

export type ActiveState = "queued" | "starting" | "running";
export type EndState = "succeeded" | "failed" | "cancelled";

/** The part of a run that the rules are about. Instants are in Unix milliseconds. */
export type RunState = {
  id: string;
  state: ActiveState | EndState;
  /** Attempts begun; dense from 1. */
  attempt: number;
  /** Of the attempt under way; null between attempts. */
  jobId: string | null;
  fence: number | null;
  /** Times in a row that the engine had no room, or a step broke. */
  refusals: number;
  /** Attempts that the platform itself was away for: they count for nothing. */
  absences: number;
  dueAtMs: number;
  claimedUntilMs: number | null;
  cancelRequested: boolean;
  /** When the attempt under way began, or the last one. */
  startedAtMs: number | null;
  /** Counts from the first attempt's beginning. */
  deadlineAtMs: number;
  error: string | null;
};

export type Move =
  /** Nothing is to be done now, or somebody is at it. */
  | "wait"
  /** Take the next attempt and start its job. */
  | "begin"
  /** An attempt was taken, and whoever took it did not say how starting went: start it again under its id. */
  | "start"
  /** See whether its job lives, and how it ended. */
  | "watch"
  /** End its job and then the run. */
  | "stop"
  /** End a run that has no job. */
  | "end";

export type Seen =
  | { kind: "started"; fence: number }
  /** The engine takes no job now. */
  | { kind: "no_room"; error: string }
  | { kind: "alive" }
  | { kind: "ended"; outcome: EndState; error: string | null; retryable: boolean; platformAway?: boolean }
  /** The job is gone without a word. */
  | { kind: "lost"; error: string; platformAway?: boolean }
  /** The job can't write any more; it had not ended by itself. */
  | { kind: "stopped" };

const ENDS: readonly string[] = ["succeeded", "failed", "cancelled"] satisfies EndState[];
export const hasEnded = ({ state }: Pick<RunState, "state">): boolean => ENDS.includes(state);

/** Queues and clocks are not exact: what is due so soon is due. */
const SLACK_MS = 1_000;

export function nextMove(run: RunState, nowMs: number): Move {
  if (hasEnded(run) || (run.claimedUntilMs ?? 0) > nowMs) return "wait";
  // A run that still waits for others of its sync has used up nothing of its time.
  const isOver = run.cancelRequested || (run.startedAtMs !== null && nowMs >= run.deadlineAtMs);
  if (!isOver && run.dueAtMs > nowMs + SLACK_MS) return "wait";
  if (run.state === "queued") return isOver ? "end" : "begin";
  if (isOver) return "stop";
  return run.state === "starting" ? "start" : "watch";
}

/**
 * Whether the attempt under way was left alone for long after somebody should have looked at it. Then it is the
 * platform that was away, and that its engine is gone says nothing of the work. A failure that the job told does: it
 * knows by itself whether the platform was what it missed.
 */
export const wasLeftAlone = ({ state, dueAtMs }: RunState, nowMs: number): boolean =>
  state === "running" && nowMs - dueAtMs > LIMITS.syncLeftAloneMs;

/**
 * The claim of a step. To begin an attempt is recorded before anything is done for it, so that every job is known by
 * its run.
 */
export function claimRun(run: RunState, move: Move, jobId: string, nowMs: number): RunState {
  const untilMs = nowMs + LIMITS.syncStepMs;
  const claimed = { ...run, claimedUntilMs: untilMs, dueAtMs: untilMs };
  if (move !== "begin") return claimed;
  const deadlineAtMs = run.startedAtMs === null ? nowMs + LIMITS.syncRunMsMax : run.deadlineAtMs;
  return {
    ...claimed,
    state: "starting",
    attempt: run.attempt + 1,
    jobId,
    fence: null,
    startedAtMs: nowMs,
    deadlineAtMs,
  };
}

/**
 * `retryMsBase`: the wait after a first failed attempt. `leftAlone`: {@link wasLeftAlone} of the run before it was
 * claimed.
 */
export function nextState(
  claimed: RunState,
  seen: Seen,
  nowMs: number,
  retryMsBase: number,
  leftAlone = false,
): RunState {
  const run: RunState = { ...claimed, claimedUntilMs: null };
  const wasAway = "platformAway" in seen && seen.platformAway === true;
  const failed = (error: string, retryable: boolean) =>
    failAttempt(run, { error, retryable, isAway: wasAway }, nowMs, retryMsBase);
  const lost = (error: string) =>
    failAttempt(run, { error, retryable: true, isAway: wasAway || leftAlone }, nowMs, retryMsBase);
  switch (seen.kind) {
    case "started":
      return { ...run, state: "running", fence: seen.fence, refusals: 0, dueAtMs: nowMs + LIMITS.syncPollMsMin };
    case "no_room":
      return noRoom(run, seen.error, nowMs);
    case "alive":
      return { ...run, refusals: 0, dueAtMs: nowMs + pollMs(nowMs - (run.startedAtMs ?? nowMs)) };
    case "ended":
      // A job that ended as cancelled although nobody asked for it was displaced or shut down: that is a loss.
      if (seen.outcome === "cancelled" && !run.cancelRequested)
        return lost(seen.error ?? "The engine stopped the work.");
      if (seen.outcome === "failed") return failed(seen.error ?? "The sync failed.", seen.retryable);
      return end(run, seen.outcome, null);
    case "lost":
      return lost(seen.error);
    case "stopped":
      if (run.cancelRequested) return end(run, "cancelled", null);
      return end(run, "failed", run.error === null ? TOO_LONG : `${TOO_LONG} Before that: ${run.error}`);
  }
}

/** A step that broke in the middle saw nothing: the same move comes again, later each time. */
export function breakOff(claimed: RunState, nowMs: number): RunState {
  const refusals = claimed.refusals + 1;
  return { ...claimed, claimedUntilMs: null, refusals, dueAtMs: nowMs + roomMs(refusals, claimed.id) };
}

const AWAY = "The platform was away meanwhile, so this attempt does not count.";
const TOO_LONG = `The run was given up after ${LIMITS.syncRunMsMax / 3_600_000} hours.`;

const end = (run: RunState, state: EndState, error: string | null): RunState => ({
  ...run,
  state,
  error,
  jobId: null,
  fence: null,
});

/** The attempt was none: its number is free again. */
function noRoom(run: RunState, error: string, nowMs: number): RunState {
  const refusals = run.refusals + 1;
  return {
    ...run,
    state: "queued",
    attempt: run.attempt - 1,
    jobId: null,
    fence: null,
    refusals,
    error,
    dueAtMs: nowMs + roomMs(refusals, run.id),
  };
}

const roomMs = (refusals: number, seed: string): number =>
  backoffMs(refusals, { baseMs: LIMITS.syncRoomMsBase, maxMs: LIMITS.syncRoomMsMax }, seed);

type FailedAttempt = { error: string; retryable: boolean; isAway: boolean };

function failAttempt(
  run: RunState,
  { error, retryable, isAway }: FailedAttempt,
  nowMs: number,
  baseMs: number,
): RunState {
  if (run.cancelRequested) return end(run, "cancelled", null);
  if (!retryable) return end(run, "failed", error);
  if (isAway) {
    const absences = run.absences + 1;
    const dueAtMs = nowMs + roomMs(absences, run.id);
    return {
      ...run,
      state: "queued",
      jobId: null,
      fence: null,
      refusals: 0,
      absences,
      error: `${AWAY} ${error}`,
      dueAtMs,
    };
  }
  if (run.attempt - run.absences >= LIMITS.syncAttemptsMax) return end(run, "failed", error);
  const waitMs = backoffMs(run.attempt - run.absences, { baseMs, maxMs: LIMITS.syncRetryMsMax }, run.id);
  return { ...run, state: "queued", jobId: null, fence: null, refusals: 0, error, dueAtMs: nowMs + waitMs };
}

/** A short attempt is watched closely, a long one at ease. */
const pollMs = (ageMs: number): number =>
  Math.min(LIMITS.syncPollMsMax, Math.max(LIMITS.syncPollMsMin, Math.round(ageMs / 10)));
