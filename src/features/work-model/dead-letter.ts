// A run whose wake-up message failed at each delivery: its attempt fails with the reason, and the run goes on by its
// policy. That is done here and not by another message, which would only come back.

import { sql } from "drizzle-orm";
import { whileClaimed } from "./claims.ts";
import type { WorkDeps, WorkKind } from "./kind.ts";
import { isUnderWay, nextMove, nextState, type Observation } from "./next-state.ts";
import type { RunName, WorkRun } from "./run.ts";
import { claim, finishStep, reasonOf, stepRun } from "./step-run.ts";
import { findWorkRun } from "./store.ts";

/** Tries the step once more, for what broke it may be over. Answers whether an attempt was ended instead. */
export async function takeDeadLetter<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  name: RunName,
  clock: () => Date = () => new Date(),
): Promise<boolean> {
  try {
    await stepRun(kind, deps, name, clock);
    return false;
  } catch (error) {
    const reason = `A step of this run could not be taken, however often it was tried. ${reasonOf(error)}`;
    const run = await kind.runs.find(deps.db, name.teamId, name.id).catch(() => undefined);
    if (run) return endAttempt(kind, deps, run, { reason, clock });
    const bare = await findWorkRun(deps.db, kind.runs.table, name);
    return bare ? endAttempt(unreadable(kind), deps, bare, { reason, clock }) : false;
  }
}

/** A queued run begins an attempt for it: its policy counts those, and the reason has a place. */
async function endAttempt<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  run: Run,
  { reason, clock }: { reason: string; clock: () => Date },
): Promise<boolean> {
  const now = clock();
  const move = nextMove(run, now.getTime());
  if (move === "wait") return false;
  const policy = kind.policyOf(deps, run);
  const claimed = await claim(kind, deps, { run, move, runMsMax: policy.runMsMax, now });
  if (!claimed) return false;
  const seen = isUnderWay(run) ? await stop(kind, deps, { run: claimed, now, clock }) : undefined;
  const failed: Observation = { kind: "ended", outcome: "failed", error: reason, retryable: true };
  const observation = move === "end" ? { kind: "stopped" as const } : (seen ?? failed);
  const ended = clock();
  const next = nextState(claimed, observation, { nowMs: ended.getTime(), policy });
  await finishStep(kind, deps, { claimed, next, outcome: { observation }, now: ended, worker: policy.worker });
  return true;
}

/**
 * The progress that its job had reached, where that is a success. A job that can't be ended is displaced by the next
 * one.
 */
async function stop<Run extends WorkRun, Deps extends WorkDeps, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  { run, now, clock }: { run: Run; now: Date; clock: () => Date },
): Promise<Observation | undefined> {
  try {
    const hold = { db: deps.db, table: kind.runs.table, run, clock };
    const { observation } = await whileClaimed(hold, () => kind.stop(deps, run, now));
    return observation.kind === "ended" ? observation : undefined;
  } catch (error) {
    console.error(JSON.stringify({ event: "stop_broken", kind: kind.wakeUp, runId: run.id, cause: String(error) }));
    return undefined;
  }
}

/** A run whose row the kind can't read: it fails at once, and nothing else can be done for it. */
function unreadable<Run extends WorkRun, Deps extends WorkDeps, Progress>({
  wakeUp,
  runs: { table, isItsTurn },
}: WorkKind<Run, Deps, Progress>): WorkKind<WorkRun, Deps, never> {
  const nothing = async () => ({ observation: { kind: "stopped" as const } });
  return {
    wakeUp,
    runs: {
      table,
      find: (db, teamId, id) => findWorkRun(db, table, { teamId, id }),
      isTurnOf: () => sql`true`,
      isItsTurn,
      progressColumns: () => ({}),
    },
    policyOf: () => ({
      attemptsMax: 0,
      retryMsBase: 0,
      retryMsMax: 0,
      runMsMax: 0,
      overtime: { state: "failed", reason: "The run took too long." },
      worker: "engine",
    }),
    start: nothing,
    watch: nothing,
    stop: nothing,
  };
}
