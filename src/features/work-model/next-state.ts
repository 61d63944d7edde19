// A run's life as pure rules: what is to be done with it next, and what becomes of it after what was observed.
//
//   queued ──begin──► starting ──► running ──► succeeded | failed | cancelled | timed_out
//      ▲                  │            │
//      └── no capacity (no attempt used) · a retry after backoff
//
// A step is: look at the move, claim the run for a while, do it, record the next state under the revision that was
// claimed.
// Whatever dies in between is taken up by the next who looks once the claim has run out.

import { backoffMs } from "../../../kernel/jobs/backoff.ts";
import { WORK_LIMITS } from "./limits.ts";
import type { ResourceFacts } from "../../core/resource-types.ts";

export type ActiveState = "queued" | "starting" | "running";
/** `skipped`: it never began, for another run was in progress; such a run is recorded at its end. */
export type EndState = "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped";

/** The part of a run that the rules are about. Instants are in Unix milliseconds. */
export type RunState = {
  id: string;
  state: ActiveState | EndState;
  /** Attempts begun; dense from 1. */
  attempt: number;
  /** The job of the attempt under way; null between attempts. */
  workId: string | null;
  /** The fence of the lease under which an engine's job works. */
  fence: number | null;
  /** Times in a row that there was no capacity for it. */
  refusals: number;
  /** Times in a row that a step of it broke. */
  breaks: number;
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

/** The bounds that a kind of work sets its runs. */
export type Policy = {
  attemptsMax: number;
  /** The wait before the second attempt; it doubles with each further one. */
  retryMsBase: number;
  retryMsMax: number;
  /** A run with all its attempts, from the first one's beginning. */
  runMsMax: number;
  /** How a run ends that takes longer, and why in words. */
  overtime: { state: "failed" | "timed_out"; reason: string };
  /** The program that works on it, for people. */
  worker: ResourceFacts["worker"];
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
  /** End its job and then the run, or the attempt alone where it is the steps that break. */
  | "stop"
  /** The end of an attempt that has no job, or whose job can't be ended. */
  | "end";

export type Observation =
  | { kind: "started"; fence: number | null }
  /** The engine or the sandbox has no capacity now. */
  | { kind: "no_capacity"; error: string }
  | { kind: "alive" }
  | { kind: "ended"; outcome: EndState; error: string | null; retryable: boolean; platformAway?: boolean }
  /** The job is gone without a report. */
  | { kind: "lost"; error: string; platformAway?: boolean }
  /** The job can't write any more; it had not ended by itself. */
  | { kind: "stopped" };

const ENDS: readonly string[] = ["succeeded", "failed", "cancelled", "timed_out", "skipped"] satisfies EndState[];
export const hasEnded = ({ state }: Pick<RunState, "state">): boolean => ENDS.includes(state);

/** An attempt was begun and has not ended. */
export const isUnderWay = ({ state }: Pick<RunState, "state">): boolean => state === "starting" || state === "running";

/** Queues and clocks are not exact: what is due so soon is due. */
const SLACK_MS = 1_000;

export function nextMove(seen: RunState, nowMs: number): Move {
  if (hasEnded(seen) || (seen.claimedUntilMs ?? 0) > nowMs) return "wait";
  const run = afterSilence(seen);
  // A run that still waits for others has used up nothing of its time.
  const isOver = run.cancelRequested || (run.startedAtMs !== null && nowMs >= run.deadlineAtMs);
  // A run after a break comes again when it is due, however urgent: it would be tried without a pause.
  if ((!isOver || run.breaks > 0) && run.dueAtMs > nowMs + SLACK_MS) return "wait";
  if (run.state === "queued") return isOver ? "end" : "begin";
  // Nor can a job be ended while the steps that would do so break. Whoever comes next displaces it.
  if (run.breaks >= 2 * WORK_LIMITS.breaksMax) return "end";
  if (isOver || run.breaks >= WORK_LIMITS.breaksMax) return "stop";
  return run.state === "starting" ? "start" : "watch";
}

/**
 * Whether the attempt under way was left alone for long after somebody should have looked at it. Then it is the
 * platform that was away, and that its engine is gone says nothing of the work. A failure that the job reported does:
 * it knows by itself whether the platform was what it missed.
 */
export const wasLeftAlone = ({ state, dueAtMs }: RunState, nowMs: number): boolean =>
  state === "running" && nowMs - dueAtMs > WORK_LIMITS.leftAloneMs;

/**
 * Since when nobody has worked on a run that somebody should have worked on: its step died without an end, or an
 * attempt under way was not looked at when that was due. Undefined where there is no such gap.
 */
export function awaySince(run: RunState, nowMs: number): number | undefined {
  if (run.claimedUntilMs !== null) return run.claimedUntilMs - WORK_LIMITS.claimMs;
  return isUnderWay(run) && nowMs - run.dueAtMs > WORK_LIMITS.wakeUpLostMs ? run.dueAtMs : undefined;
}

type Claim = { move: Move; workId: string; runMsMax: number; nowMs: number };

/**
 * The claim of a step. To begin an attempt is recorded before anything is done for it, so that every job is known by
 * its run. `workId`: of the attempt that is begun.
 */
export function claimRun(seen: RunState, { move, workId, runMsMax, nowMs }: Claim): RunState {
  const run = afterSilence(seen);
  const untilMs = nowMs + WORK_LIMITS.claimMs;
  const claimed = { ...run, claimedUntilMs: untilMs, dueAtMs: untilMs };
  if (move !== "begin") return claimed;
  const deadlineAtMs = run.startedAtMs === null ? nowMs + runMsMax : run.deadlineAtMs;
  return {
    ...claimed,
    state: "starting",
    attempt: run.attempt + 1,
    workId,
    fence: null,
    startedAtMs: nowMs,
    deadlineAtMs,
  };
}

/** `leftAlone`: {@link wasLeftAlone} of the run before its claim. */
export type StepEnd = { nowMs: number; policy: Policy; leftAlone?: boolean };

export function nextState(claimed: RunState, observation: Observation, end: StepEnd): RunState {
  const run: RunState = { ...claimed, claimedUntilMs: null, breaks: 0 };
  const { nowMs, leftAlone = false } = end;
  const wasAway = "platformAway" in observation && observation.platformAway === true;
  switch (observation.kind) {
    case "started":
      return {
        ...run,
        state: "running",
        fence: observation.fence,
        refusals: 0,
        dueAtMs: nowMs + WORK_LIMITS.pollMsMin,
      };
    case "no_capacity":
      return refuseAttempt(run, observation.error, nowMs);
    case "alive":
      return { ...run, refusals: 0, dueAtMs: nowMs + pollMs(nowMs - (run.startedAtMs ?? nowMs)) };
    case "lost":
      return failAttempt(run, { error: observation.error, retryable: true, isAway: wasAway || leftAlone }, end);
    case "ended":
      return endAttempt(run, observation, end);
    case "stopped":
      return stopAttempt(run, claimed.breaks, end);
  }
}

function endAttempt(run: RunState, observation: Extract<Observation, { kind: "ended" }>, end: StepEnd): RunState {
  const { outcome, error, retryable, platformAway = false } = observation;
  // A job that ended as cancelled although nobody asked for it was displaced or shut down: that is a loss.
  if (outcome === "cancelled" && !run.cancelRequested) {
    const isAway = platformAway || end.leftAlone === true;
    return failAttempt(
      run,
      { error: error ?? `The ${end.policy.worker} stopped the work.`, retryable: true, isAway },
      end,
    );
  }
  if (outcome === "failed")
    return failAttempt(run, { error: error ?? "The work failed.", retryable, isAway: platformAway }, end);
  return endRun(run, outcome, outcome === "succeeded" || outcome === "cancelled" ? null : error);
}

/** Its time was over, somebody asked for its end, or its steps broke until the attempt was given up. */
function stopAttempt(run: RunState, breaks: number, end: StepEnd): RunState {
  if (run.cancelRequested) return endRun(run, "cancelled", null);
  if (breaks >= WORK_LIMITS.breaksMax && end.nowMs < run.deadlineAtMs)
    return failAttempt(run, { error: run.error ?? "Its steps broke.", retryable: true, isAway: false }, end);
  const { state, reason } = end.policy.overtime;
  return endRun(run, state, run.error === null ? reason : `${reason} Before that: ${run.error}`);
}

/**
 * A step that broke in the middle observed nothing: the same move comes again, later each time, and so often at most.
 */
export const breakOff = (claimed: RunState, nowMs: number, reason: string): RunState =>
  broken(claimed, { reason, dueAtMs: nowMs + capacityRetryMs(claimed.breaks + 1, claimed.id) });

const SILENT =
  "The last one ended without a word, as one does that takes more memory or time than the platform gives a step.";

/**
 * The run whose last step left its claim behind: a Worker that the platform ended reports nothing. That is a break as
 * well, or work that no Worker survives would come again until the run's deadline. The first one is made up for at
 * once, for it may have been a restart.
 */
function afterSilence(run: RunState): RunState {
  if (run.claimedUntilMs === null) return run;
  const waitMs = run.breaks === 0 ? 0 : capacityRetryMs(run.breaks, run.id);
  return broken(run, { reason: SILENT, dueAtMs: run.claimedUntilMs + waitMs });
}

function broken(run: RunState, { reason, dueAtMs }: { reason: string; dueAtMs: number }): RunState {
  const breaks = run.breaks + 1;
  const isTooOften = breaks >= WORK_LIMITS.breaksMax;
  const error = isTooOften ? `The steps of this attempt broke ${breaks} times in a row. ${reason}` : run.error;
  return { ...run, claimedUntilMs: null, breaks, error, dueAtMs };
}

const AWAY = "The platform was away meanwhile, so this attempt does not count.";

const endRun = (run: RunState, state: EndState, error: string | null): RunState => ({
  ...run,
  state,
  error,
  workId: null,
  fence: null,
});

/** The attempt was none: its number is free again. */
function refuseAttempt(run: RunState, error: string, nowMs: number): RunState {
  const refusals = run.refusals + 1;
  return {
    ...run,
    state: "queued",
    attempt: run.attempt - 1,
    workId: null,
    fence: null,
    refusals,
    error,
    dueAtMs: nowMs + capacityRetryMs(refusals, run.id),
  };
}

const capacityRetryMs = (tries: number, seed: string): number =>
  backoffMs(tries, { baseMs: WORK_LIMITS.capacityRetryMsBase, maxMs: WORK_LIMITS.capacityRetryMsMax }, seed);

type FailedAttempt = { error: string; retryable: boolean; isAway: boolean };

function failAttempt(
  run: RunState,
  { error, retryable, isAway }: FailedAttempt,
  { nowMs, policy }: Pick<StepEnd, "nowMs" | "policy">,
): RunState {
  if (run.cancelRequested) return endRun(run, "cancelled", null);
  if (!retryable) return endRun(run, "failed", error);
  const queued = { ...run, state: "queued" as const, workId: null, fence: null, refusals: 0 };
  if (isAway) {
    const absences = run.absences + 1;
    return { ...queued, absences, error: `${AWAY} ${error}`, dueAtMs: nowMs + capacityRetryMs(absences, run.id) };
  }
  const tries = run.attempt - run.absences;
  if (tries >= policy.attemptsMax) return endRun(run, "failed", error);
  const waitMs = backoffMs(tries, { baseMs: policy.retryMsBase, maxMs: policy.retryMsMax }, run.id);
  return { ...queued, error, dueAtMs: nowMs + waitMs };
}

/**
 * The state with its next look put off where many runs of the team have begun and not ended (`begun`): their looks
 * share a rate, so that a burst of one team does not fill the queue before others. A run's deadline is looked at in
 * time.
 */
export function paceLook(next: RunState, begun: number, nowMs: number): RunState {
  const lookAtMs = nowMs + Math.min(begun * WORK_LIMITS.teamLookMs, WORK_LIMITS.teamLookMsMax);
  return { ...next, dueAtMs: Math.max(next.dueAtMs, Math.min(lookAtMs, next.deadlineAtMs)) };
}

/** Until the next look at an attempt of this age: a short one is watched closely, a long one at ease. */
export const pollMs = (ageMs: number): number =>
  Math.min(WORK_LIMITS.pollMsMax, Math.max(WORK_LIMITS.pollMsMin, Math.round(ageMs / 10)));
