// The states of runs, executions and tests, in words that everybody reads alike.

import { State, type Tone } from "../data/values.tsx";

export type AnyRunState =
  | "queued"
  | "starting"
  | "running"
  | "succeeded"
  | "failed"
  | "cancelled"
  | "timed_out"
  | "skipped";

const SHOWN: Record<AnyRunState, [Tone, string]> = {
  queued: ["busy", "queued"],
  starting: ["busy", "starting"],
  running: ["busy", "running"],
  succeeded: ["good", "succeeded"],
  failed: ["bad", "failed"],
  cancelled: ["quiet", "cancelled"],
  timed_out: ["bad", "timed out"],
  skipped: ["quiet", "skipped"],
};

type RunStateProps = {
  state: AnyRunState | undefined;
  isCancelling?: boolean;
  /** When it should have ended: a run that goes on past that is stuck. */
  deadlineAt?: string | null;
};

/** Without a state there was no run. */
export function RunState({ state, isCancelling = false, deadlineAt }: RunStateProps) {
  if (!state) return <State tone="quiet">never ran</State>;
  if (isCancelling && isUnderWay(state)) return <State tone="busy">cancelling</State>;
  if (isUnderWay(state) && deadlineAt && Date.parse(deadlineAt) < Date.now()) return <State tone="bad">stuck</State>;
  const [tone, word] = SHOWN[state];
  return <State tone={tone}>{word}</State>;
}

export const isUnderWay = (state: AnyRunState): boolean => SHOWN[state][0] === "busy";

export const POLL_MS = 1_500;
export const SELDOM_MS = 20_000;
