// The consumer of `sync_run`: takes a run one step further. Repeatable at any point, and harmless when it comes twice
// or late.

import type { SyncProgress } from "../../../../../containers/engine/contract/progress.ts";
import { newJobId } from "../../../../core/job-id.ts";
import type { LogLevel } from "../../../../platform/logs/log-lines.ts";
import { startDueSync } from "../start-due.ts";
import { finishRemovals } from "../../finish-removals.ts";
import {
  breakOff,
  claimRun,
  hasEnded,
  nextMove,
  nextState,
  wasLeftAlone,
  type Move,
  type SyncRunState,
  type Observation,
} from "./next-state.ts";
import type { Run, RunName, StepOutcome } from "../run.ts";
import type { SyncRunDeps } from "./run-deps.ts";
import { startAttempt } from "./start-attempt.ts";
import { findActiveRun, findRun, isTurnOf, saveRun } from "../store.ts";
import { stopAttempt, watchAttempt } from "./watch-attempt.ts";

/** Answers the move it made; `wait` where there was none to make, or somebody else is at it. */
export async function stepRun(
  deps: SyncRunDeps,
  { teamId, id }: RunName,
  clock: () => Date = () => new Date(),
): Promise<Move> {
  const run = await findRun(deps.db, teamId, id);
  if (!run) return "wait";
  const now = clock();
  const move = nextMove(run, now.getTime());
  if (move === "wait") return "wait";
  const claimed = await claim(deps, run, move, now);
  if (!claimed) return "wait";

  const outcome = await makeMove(move, deps, claimed).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "sync_step_broken", teamId, runId: id, move, cause: String(error) }));
    return undefined;
  });
  const ended = clock();
  if (!outcome) {
    await recordStep(deps, claimed, breakOff(claimed, ended.getTime()), ended);
    return move;
  }
  const next = nextState(claimed, outcome.observation, {
    nowMs: ended.getTime(),
    retryMsBase: deps.settings.syncRetryMs,
    leftAlone: wasLeftAlone(run, now.getTime()),
  });
  const progress = hasEnded(next) || next.state === "queued" ? outcome.progress : undefined;
  if (!(await recordStep(deps, claimed, { ...next, ...(progress ? { progress } : {}) }, ended))) return move;
  await logStep(deps, claimed, lineOf(claimed, next, outcome.observation, ended.getTime()));
  if (hasEnded(next)) await startSuccessors(deps, run, ended);
  return move;
}

/** The run as it is claimed for this step; undefined where somebody else has moved it on, or it is not its turn. */
async function claim({ db }: SyncRunDeps, run: Run, move: Move, now: Date): Promise<Run | undefined> {
  const claimed = claimRun(run, move, newJobId(run.id, run.attempt + 1), now.getTime());
  const saved = await saveRun(db, run, claimed, { now, onlyIf: move === "begin" ? isTurnOf(run) : undefined });
  return saved && { ...run, ...claimed, revision: run.revision + 1 };
}

/** What waited for a run's end. */
async function startSuccessors(deps: SyncRunDeps, { teamId, syncId }: Run, now: Date): Promise<void> {
  await finishRemovals(deps, { teamId });
  const waiting = await findActiveRun(deps.db, teamId, syncId);
  if (waiting) await deps.wakeUps.send("sync_run", waiting);
  await startDueSync(deps, teamId, syncId, now);
}

async function makeMove(move: Exclude<Move, "wait">, deps: SyncRunDeps, run: Run): Promise<StepOutcome> {
  switch (move) {
    case "begin":
    case "start":
      return startAttempt(deps, run);
    case "watch":
      return watchAttempt(deps, run);
    case "stop":
      return stopAttempt(deps, run);
    case "end":
      return { observation: { kind: "stopped" } };
  }
}

/**
 * Records a step's end and sends the wake-up message of the next one. False where the claim had run out and another has
 * moved the run on.
 */
async function recordStep(
  { db, wakeUps }: SyncRunDeps,
  claimed: Run,
  next: SyncRunState & { progress?: SyncProgress },
  now: Date,
): Promise<boolean> {
  const saved = await saveRun(db, claimed, next, { now });
  if (!saved) return false;
  if (!hasEnded(next))
    await wakeUps.send("sync_run", claimed, saved.cancelRequested ? 0 : next.dueAtMs - now.getTime());
  return true;
}

/** A line that is lost is no failure of the run. */
async function logStep({ openLog }: SyncRunDeps, run: Run, line: LogText | undefined): Promise<void> {
  if (!line) return;
  const [level, message] = line;
  await openLog(run.teamId)
    .append(run.id, [{ level, message, attempt: Math.max(1, run.attempt) }])
    .catch((error: unknown) =>
      console.error(JSON.stringify({ event: "log_lost", runId: run.id, cause: String(error) })),
    );
}

type LogText = [level: LogLevel, message: string];

/** What a step has changed, for the run's log; undefined where that is nothing to report. */
function lineOf(before: Run, after: SyncRunState, { kind }: Observation, nowMs: number): LogText | undefined {
  const waitSeconds = Math.round((after.dueAtMs - nowMs) / 1_000);
  if (after.state === "succeeded") return ["info", "The run has succeeded."];
  if (after.state === "failed") return ["error", `The run has failed. ${after.error ?? ""}`];
  if (after.state === "cancelled") return ["warning", before.cancelReason ?? "The run was cancelled."];
  if (kind === "started") return ["info", `Attempt ${after.attempt} has started.`];
  if (kind === "no_capacity")
    return before.refusals === 0
      ? ["info", `The engine has no room yet. Trying again in ${waitSeconds} s, and so on.`]
      : undefined;
  if (after.state === "queued")
    return [
      "warning",
      `Attempt ${after.attempt} has failed; the next one starts in ${waitSeconds} s. ${after.error ?? ""}`,
    ];
  return undefined;
}
