// Takes a run one step further. Repeatable at any point, and harmless when it comes twice or late.

import { newJobId } from "../../core/job-id.ts";
import { isProblem } from "../../core/problem.ts";
import { changeOfAttempt } from "./attempt-change.ts";
import { whileClaimed } from "./claims.ts";
import type { StepOutcome, WorkDeps, WorkKind } from "./kind.ts";
import { logGap, logStep } from "./log-step.ts";
import {
  awaySince,
  breakOff,
  claimRun,
  hasEnded,
  nextMove,
  nextState,
  paceLook,
  wasLeftAlone,
  type Move,
  type RunState,
} from "./next-state.ts";
import type { RunName, WorkRun } from "./run.ts";
import { countBegun, saveStep } from "./store.ts";
import { wakeWaiting } from "./waiting/wake-next.ts";

/** Answers the move it made; `wait` where there was none to make, or somebody else is at it. */
export async function stepRun<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  { teamId, id }: RunName,
  clock: () => Date = () => new Date(),
): Promise<Move> {
  const run = await kind.runs.find(deps.db, teamId, id);
  if (!run) return "wait";
  const now = clock();
  const move = nextMove(run, now.getTime());
  if (move === "wait") return "wait";
  const policy = kind.policyOf(deps, run);
  const claimed = await claim(kind, deps, { run, move, runMsMax: policy.runMsMax, now });
  if (!claimed) return "wait";

  const worker = policy.worker;
  let isPlaceFree = move !== "watch";
  try {
    const hold = { db: deps.db, table: kind.runs.table, run: claimed, clock };
    const outcome = await whileClaimed(hold, async () => {
      await logGap(deps, claimed, { since: awaySince(run, now.getTime()), now });
      return makeMove(kind, move, deps, { run: claimed, now });
    });
    const ended = clock();
    const leftAlone = wasLeftAlone(run, now.getTime());
    const state = nextState(claimed, outcome.observation, { nowMs: ended.getTime(), policy, leftAlone });
    const next = hasEnded(state)
      ? state
      : paceLook(state, await countBegun(deps.db, kind.runs.table, teamId), ended.getTime());
    isPlaceFree ||= hasEnded(next);
    await finishStep(kind, deps, { claimed, next, outcome, now: ended, worker });
  } catch (error) {
    const event = { event: "step_broken", kind: kind.wakeUp, teamId, runId: id, move, cause: String(error) };
    console.error(JSON.stringify(event));
    const ended = clock();
    // Nothing is recorded where it broke after its end had been.
    await recordStep(kind, deps, claimed, { next: breakOff(claimed, ended.getTime(), reasonOf(error)), now: ended });
  }
  // The place among the team's runs that start is another one's now; a sweep makes up for a failure of this.
  if (isPlaceFree)
    await wakeWaiting(kind, deps, { teamIds: [teamId], at: clock() }).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "waiting_not_woken", kind: kind.wakeUp, teamId, cause: String(error) })),
    );
  return move;
}

type Claim<Run> = { run: Run; move: Move; runMsMax: number; now: Date };

/** The run as it is claimed for this step; undefined where somebody else has moved it on, or it is not its turn. */
export async function claim<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  { runs, newJobId: idOf = ({ id }, attempt) => newJobId(id, attempt) }: WorkKind<Run, Deps, Progress>,
  { db }: Deps,
  { run, move, runMsMax, now }: Claim<Run>,
): Promise<Run | undefined> {
  const claimed = claimRun(run, { move, workId: idOf(run, run.attempt + 1), runMsMax, nowMs: now.getTime() });
  const saved = await saveStep(db, runs.table, run, {
    next: claimed,
    now,
    onlyIf: move === "begin" ? runs.isTurnOf(run) : undefined,
    attempt: changeOfAttempt(run, claimed, null),
  });
  return saved && { ...run, ...claimed, revision: run.revision + 1 };
}

async function makeMove<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  move: Exclude<Move, "wait">,
  deps: Deps,
  { run, now }: { run: Run; now: Date },
): Promise<StepOutcome<Progress>> {
  switch (move) {
    case "begin":
    case "start":
      return kind.start(deps, run, now);
    case "watch":
      return kind.watch(deps, run, now);
    case "stop":
      return kind.stop(deps, run, now);
    case "end":
      return { observation: { kind: "stopped" } };
  }
}

type Finished<Run, Progress> = {
  claimed: Run;
  next: RunState;
  outcome: StepOutcome<Progress>;
  now: Date;
  worker: string;
};

/** Records what a step observed, logs it, and goes on with what waited for the run's end. */
export async function finishStep<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  { claimed, next, outcome, now, worker }: Finished<Run, Progress>,
): Promise<void> {
  const isKept = hasEnded(next) || next.state === "queued";
  const columns = isKept && outcome.progress !== undefined ? kind.runs.progressColumns(outcome.progress) : undefined;
  if (!(await recordStep(kind, deps, claimed, { next, now, columns }))) return;
  await logStep(deps, claimed, { after: next, observation: outcome.observation, nowMs: now.getTime(), worker });
  if (hasEnded(next)) await kind.ended?.(deps, { ...claimed, ...next }, now);
}

type Recorded = { next: RunState; now: Date; columns?: Record<string, unknown> | undefined };

/**
 * Records a step's end and sends the wake-up message of the next one. False where the claim had run out and another has
 * moved the run on.
 */
async function recordStep<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  { runs, wakeUp }: WorkKind<Run, Deps, Progress>,
  { db, wakeUps }: Deps,
  claimed: Run,
  { next, now, columns }: Recorded,
): Promise<boolean> {
  const attempt = changeOfAttempt(claimed, next, claimed.cancelReason);
  const saved = await saveStep(db, runs.table, claimed, { next, now, columns, attempt });
  if (!saved) return false;
  if (saved.messages.length > 0) await wakeUps.sendAll("outgoing_message", saved.messages);
  if (hasEnded(next)) return true;
  const isUrgent = saved.cancelRequested && next.breaks === 0;
  await wakeUps.send(wakeUp, claimed, isUrgent ? 0 : next.dueAtMs - now.getTime());
  return true;
}

/** Why a step broke, for whoever reads of its attempt: what is no Problem may hold anything. */
export const reasonOf = (error: unknown): string =>
  isProblem(error) ? error.message : "The platform failed; its own log says how.";
