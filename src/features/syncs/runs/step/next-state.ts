// A run's life as pure rules: what is to be done with it next, and what becomes of it after what was observed.
//
//   queued ──begin──► starting ──► running ──► succeeded | failed | cancelled
//      ▲                  │            │
//      └── no capacity (no attempt used) · a retry after backoff
//
// A step is: look at the move, claim the run for a while, do it, record the next state under the revision that was
// claimed.
// Whatever dies in between is taken up by the next who looks once the claim has run out.

import { backoffMs } from "../../../../core/backoff.ts";
import { LIMITS } from "../../../../core/limits.ts";

export type ActiveState = "queued" | "starting" | "running";
export type EndState = "succeeded" | "failed" | "cancelled";

/** The part of a run that the rules are about. Instants are in Unix milliseconds. */
export type SyncRunState = {
  id: string;
  state: ActiveState | EndState;
  /** Attempts begun; dense from 1. */
  attempt: number;
  /** Of the attempt under way; null between attempts. */
  jobId: string | null;
  fence: number | null;
  /** Times in a row that the engine had no capacity, or a step broke. */
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

export type Observation =
  | { kind: "started"; fence: number }
  /** The engine takes no job now. */
  | { kind: "no_capacity"; error: string }
  | { kind: "alive" }
  | { kind: "ended"; outcome: EndState; error: string | null; retryable: boolean; platformAway?: boolean }
  /** The job is gone without a report. */
  | { kind: "lost"; error: string; platformAway?: boolean }
  /** The job can't write any more; it had not ended by itself. */
  | { kind: "stopped" };

const ENDS: readonly string[] = ["succeeded", "failed", "cancelled"] satisfies EndState[];
export const hasEnded = ({ state }: Pick<SyncRunState, "state">): boolean => ENDS.includes(state);

/** Queues and clocks are not exact: what is due so soon is due. */
const SLACK_MS = 1_000;

export function nextMove(run: SyncRunState, nowMs: number): Move {
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
 * platform that was away, and that its engine is gone says nothing of the work. A failure that the job reported does:
 * it knows by itself whether the platform was what it missed.
 */
export const wasLeftAlone = ({ state, dueAtMs }: SyncRunState, nowMs: number): boolean =>
  state === "running" && nowMs - dueAtMs > LIMITS.syncLeftAloneMs;

/**
 * The claim of a step. To begin an attempt is recorded before anything is done for it, so that every job is known by
 * its run.
 */
export function claimRun(run: SyncRunState, move: Move, jobId: string, nowMs: number): SyncRunState {
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
 * `retryMsBase`: the wait after a first failed attempt. `leftAlone`: {@link wasLeftAlone} of the run before its claim.
 */
export type StepEnd = { nowMs: number; retryMsBase: number; leftAlone?: boolean };

export function nextState(claimed: SyncRunState, observation: Observation, end: StepEnd): SyncRunState {
  const run: SyncRunState = { ...claimed, claimedUntilMs: null };
  const { nowMs, leftAlone = false } = end;
  const wasAway = "platformAway" in observation && observation.platformAway === true;
  switch (observation.kind) {
    case "started":
      return { ...run, state: "running", fence: observation.fence, refusals: 0, dueAtMs: nowMs + LIMITS.syncPollMsMin };
    case "no_capacity":
      return refuseAttempt(run, observation.error, nowMs);
    case "alive":
      return { ...run, refusals: 0, dueAtMs: nowMs + pollMs(nowMs - (run.startedAtMs ?? nowMs)) };
    case "lost":
      return failAttempt(run, { error: observation.error, retryable: true, isAway: wasAway || leftAlone }, end);
    case "ended":
      return endAttempt(run, observation, end);
    case "stopped":
      if (run.cancelRequested) return endRun(run, "cancelled", null);
      return endRun(run, "failed", run.error === null ? TOO_LONG : `${TOO_LONG} Before that: ${run.error}`);
  }
}

function endAttempt(
  run: SyncRunState,
  observation: Extract<Observation, { kind: "ended" }>,
  end: StepEnd,
): SyncRunState {
  const { outcome, error, retryable, platformAway = false } = observation;
  // A job that ended as cancelled although nobody asked for it was displaced or shut down: that is a loss.
  if (outcome === "cancelled" && !run.cancelRequested) {
    const isAway = platformAway || end.leftAlone === true;
    return failAttempt(run, { error: error ?? "The engine stopped the work.", retryable: true, isAway }, end);
  }
  if (outcome === "failed")
    return failAttempt(run, { error: error ?? "The sync failed.", retryable, isAway: platformAway }, end);
  return endRun(run, outcome, null);
}

/** A step that broke in the middle observed nothing: the same move comes again, later each time. */
export function breakOff(claimed: SyncRunState, nowMs: number): SyncRunState {
  const refusals = claimed.refusals + 1;
  return { ...claimed, claimedUntilMs: null, refusals, dueAtMs: nowMs + capacityRetryMs(refusals, claimed.id) };
}

const AWAY = "The platform was away meanwhile, so this attempt does not count.";
const TOO_LONG = `The run was given up after ${LIMITS.syncRunMsMax / 3_600_000} hours.`;

const endRun = (run: SyncRunState, state: EndState, error: string | null): SyncRunState => ({
  ...run,
  state,
  error,
  jobId: null,
  fence: null,
});

/** The attempt was none: its number is free again. */
function refuseAttempt(run: SyncRunState, error: string, nowMs: number): SyncRunState {
  const refusals = run.refusals + 1;
  return {
    ...run,
    state: "queued",
    attempt: run.attempt - 1,
    jobId: null,
    fence: null,
    refusals,
    error,
    dueAtMs: nowMs + capacityRetryMs(refusals, run.id),
  };
}

const capacityRetryMs = (refusals: number, seed: string): number =>
  backoffMs(refusals, { baseMs: LIMITS.syncCapacityRetryMsBase, maxMs: LIMITS.syncCapacityRetryMsMax }, seed);

type FailedAttempt = { error: string; retryable: boolean; isAway: boolean };

function failAttempt(
  run: SyncRunState,
  { error, retryable, isAway }: FailedAttempt,
  { nowMs, retryMsBase: baseMs }: StepEnd,
): SyncRunState {
  if (run.cancelRequested) return endRun(run, "cancelled", null);
  if (!retryable) return endRun(run, "failed", error);
  if (isAway) {
    const absences = run.absences + 1;
    const dueAtMs = nowMs + capacityRetryMs(absences, run.id);
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
  if (run.attempt - run.absences >= LIMITS.syncAttemptsMax) return endRun(run, "failed", error);
  const waitMs = backoffMs(run.attempt - run.absences, { baseMs, maxMs: LIMITS.syncRetryMsMax }, run.id);
  return { ...run, state: "queued", jobId: null, fence: null, refusals: 0, error, dueAtMs: nowMs + waitMs };
}

/** A short attempt is watched closely, a long one at ease. */
const pollMs = (ageMs: number): number =>
  Math.min(LIMITS.syncPollMsMax, Math.max(LIMITS.syncPollMsMin, Math.round(ageMs / 10)));
