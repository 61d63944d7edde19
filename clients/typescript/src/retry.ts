// A failed request is sent again where the answer says that it may be, and where a repeat can do no harm. Pure.

import { UNKNOWN_CODE, type FjordProblem } from "./problem.ts";

export type RetryPolicy = Readonly<{
  /** How often a request is sent at most; 1 sends nothing again. */
  triesMax: number;
  /** The longest wait before a try. An answer that asks for a longer one is the caller's to wait for. */
  waitMsMax: number;
}>;

export const DEFAULT_RETRY: RetryPolicy = { triesMax: 4, waitMsMax: 30_000 };

/**
 * The harm that a repeat of a request may do:
 * - `none`: it only reads.
 * - `once`: it is a statement under a request id, which the platform writes once however often it comes.
 * - `twice`: it may be done twice where the first sending was done and only its answer was lost.
 */
export type Repeat = "none" | "once" | "twice";

/** Absent where no answer came: the connection broke, or the answer took too long. */
type Failed = Readonly<{ problem: FjordProblem | undefined; tries: number; repeat: Repeat }>;

const FIRST_WAIT_MS = 250;
const WRITE_OUTCOME_UNKNOWN = "write_outcome_unknown";

/** How many milliseconds to wait before the request is sent again; undefined where it is not. */
export function retryWaitMs(failed: Failed, policy: RetryPolicy): number | undefined {
  const { problem, tries } = failed;
  if (tries >= policy.triesMax || !mayRepeat(failed)) return undefined;
  const backoffMs = Math.min(policy.waitMsMax, FIRST_WAIT_MS * 2 ** tries);
  const waitMs = problem?.retryAfterMs ?? backoffMs * (0.5 + Math.random() / 2);
  return waitMs <= policy.waitMsMax ? waitMs : undefined;
}

function mayRepeat({ problem, repeat }: Failed): boolean {
  if (problem === undefined || isGateway(problem)) return repeat !== "twice";
  if (problem.code === WRITE_OUTCOME_UNKNOWN) return repeat === "once";
  if (!problem.retryable) return false;
  // A conflict with work in progress ends with that work, which may take hours: only a statement that meets its own
  // first sending waits for it. An internal error does not tell whether the request was done.
  if (problem.status === 409) return repeat === "once";
  return problem.status < 500 || problem.status === 503 || repeat !== "twice";
}

/** An answer of what stands before the platform tells nothing of what the platform did. */
const isGateway = ({ code, status }: FjordProblem): boolean => code === UNKNOWN_CODE && status >= 500;
