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
  type RunState,
  type Seen,
} from "./next-state.ts";
import type { Run, Sight, RunName } from "../run.ts";
import type { SyncRunDeps } from "./run-deps.ts";
import { startAttempt } from "./start-attempt.ts";
import { findActiveRun, findRun, isTurnOf, saveRun } from "../store.ts";
import { stopAttempt, watchAttempt } from "./watch-attempt.ts";

/** Answers the move it made; `wait` where there was none to make, or somebody else is at it. */
export async function stepRun(
  matter: SyncRunDeps,
  { teamId, id }: RunName,
  clock: () => Date = () => new Date(),
): Promise<Move> {
  const { db, settings } = matter;
  const run = await findRun(db, teamId, id);
  if (!run) return "wait";
  const now = clock();
  const move = nextMove(run, now.getTime());
  if (move === "wait") return "wait";
  const claim = claimRun(run, move, newJobId(run.id, run.attempt + 1), now.getTime());
  if (!(await saveRun(db, run, claim, now, move === "begin" ? isTurnOf(run) : undefined))) return "wait";
  const claimed: Run = { ...run, ...claim, revision: run.revision + 1 };

  let sight: Sight;
  try {
    sight = await make(move, matter, claimed);
  } catch (error) {
    console.error(JSON.stringify({ event: "sync_step_broken", teamId, runId: id, move, cause: String(error) }));
    await keep(matter, claimed, breakOff(claimed, clock().getTime()), clock());
    return move;
  }
  const ended = clock();
  const next = nextState(claimed, sight.seen, ended.getTime(), settings.syncRetryMs, wasLeftAlone(run, now.getTime()));
  const progress = hasEnded(next) || next.state === "queued" ? sight.progress : undefined;
  if (!(await keep(matter, claimed, { ...next, ...(progress ? { progress } : {}) }, ended))) return move;
  await tell(matter, claimed, next, sight.seen, ended);
  if (hasEnded(next)) {
    await finishRemovals(matter, { teamId });
    await wakeUpActiveRun(matter, run);
    await startDueSync(matter, teamId, run.syncId, ended);
  }
  return move;
}

/** The run whose turn comes with this one's end. */
async function wakeUpActiveRun({ db, wakeUps }: SyncRunDeps, { teamId, syncId }: Run): Promise<void> {
  const waiting = await findActiveRun(db, teamId, syncId);
  if (waiting) await wakeUps.send("sync_run", waiting);
}

function make(move: Exclude<Move, "wait">, matter: SyncRunDeps, run: Run): Promise<Sight> {
  switch (move) {
    case "begin":
    case "start":
      return startAttempt(matter, run);
    case "watch":
      return watchAttempt(matter, run);
    case "stop":
      return stopAttempt(matter, run);
    case "end":
      return Promise.resolve({ seen: { kind: "stopped" } });
  }
}

/** Records a step's end and sends the message for the next one. False where the claim had run out and another has moved the run on. */
async function keep(
  { db, wakeUps }: SyncRunDeps,
  claimed: Run,
  next: RunState & { progress?: SyncProgress },
  now: Date,
): Promise<boolean> {
  const saved = await saveRun(db, claimed, next, now);
  if (!saved) return false;
  if (!hasEnded(next))
    await wakeUps.send("sync_run", claimed, saved.cancelRequested ? 0 : next.dueAtMs - now.getTime());
  return true;
}

/** The turns of a run, in its log. A line that is lost is no failure of the run. */
async function tell(
  { openLog }: Pick<SyncRunDeps, "openLog">,
  before: RunState & Run,
  after: RunState,
  seen: Seen,
  now: Date,
): Promise<void> {
  const line = lineOf(before, after, seen, now.getTime());
  if (!line) return;
  const [level, message] = line;
  await openLog(before.teamId)
    .append(before.id, [{ level, message, attempt: Math.max(1, before.attempt) }])
    .catch((error: unknown) =>
      console.error(JSON.stringify({ event: "log_lost", runId: before.id, cause: String(error) })),
    );
}

function lineOf(before: Run, after: RunState, seen: Seen, nowMs: number): [LogLevel, string] | undefined {
  const waitSeconds = Math.round((after.dueAtMs - nowMs) / 1_000);
  if (after.state === "succeeded") return ["info", "The run has succeeded."];
  if (after.state === "failed") return ["error", `The run has failed. ${after.error ?? ""}`];
  if (after.state === "cancelled") return ["warning", before.cancelReason ?? "The run was cancelled."];
  if (seen.kind === "started") return ["info", `Attempt ${after.attempt} has started.`];
  if (seen.kind === "no_room")
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
