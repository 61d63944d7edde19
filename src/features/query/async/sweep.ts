import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { waitFor } from "../../../platform/container/wait-for.ts";
import type { Needs } from "../../../clients/context.ts";
import { resultKey, type AsyncQuery } from "./async-query.ts";
import { endIfLost } from "./finish.ts";
import { endOverdueHeld } from "./hold.ts";
import { deleteQueries, selectEndedBefore, selectOverdue } from "./store.ts";

type SweepDeps = Needs<"db" | "bucket" | "openEngine" | "openLake">;

/** Ends queries whose engine never said how they ended, or that never began; forgets old ones with their results. */
export async function sweepAsyncQueries(
  deps: SweepDeps,
  at: Date,
): Promise<{ queriesLost: number; queriesForgotten: number }> {
  const [lost, neverBegun, queriesForgotten] = await Promise.all([
    endOverdue(deps, at),
    endOverdueHeld(deps, at),
    forgetOld(deps, at),
  ]);
  return { queriesLost: lost + neverBegun, queriesForgotten };
}

const before = (at: Date, ms: number): string => new Date(at.getTime() - ms).toISOString();

/** Answers how many have ended. Some at a time, each with a deadline: one whose lake is silent delays few others. */
async function endOverdue(deps: SweepDeps, at: Date): Promise<number> {
  const overdue = await selectOverdue(deps.db, before(at, ASYNC_QUERY_LIMITS.graceMs), ASYNC_QUERY_LIMITS.sweptMax);
  const left = overdue.values();
  let ended = 0;
  const endSome = async (): Promise<void> => {
    for (const query of left) {
      const ending = waitFor(endOne(deps, query, at), { deadlineMs: ASYNC_QUERY_LIMITS.sweepMs });
      if (await ending.catch((cause: unknown) => logUnended(query, cause))) ended++;
    }
  };
  await Promise.all(Array.from({ length: ASYNC_QUERY_LIMITS.sweptAtOnceMax }, endSome));
  return ended;
}

/** Answers whether it has ended. */
async function endOne(deps: SweepDeps, query: AsyncQuery, at: Date): Promise<boolean> {
  const state = await endIfLost(deps, query, at);
  // Whatever it does, nobody will hear of it.
  await deps
    .openEngine(query.teamId)
    .cancelStatement(query.id)
    .catch(() => false);
  return state?.endedAt !== null;
}

function logUnended({ teamId, id }: AsyncQuery, cause: unknown): false {
  console.error(JSON.stringify({ event: "query_not_ended", teamId, queryId: id, cause: String(cause) }));
  return false;
}

/** Answers how many are forgotten. */
async function forgetOld({ db, bucket }: SweepDeps, at: Date): Promise<number> {
  const useless = {
    before: before(at, ASYNC_QUERY_LIMITS.keptMs),
    repeatedBefore: before(at, ASYNC_QUERY_LIMITS.repeatedQueryResultMs),
    // Whoever asks late whether a statement was written is to hear it, and not send it again.
    writtenBefore: before(at, ASYNC_QUERY_LIMITS.trinoPageMs),
  };
  const old = await selectEndedBefore(db, useless, ASYNC_QUERY_LIMITS.forgottenPerSweepMax);
  if (old.length > 0) {
    // The objects first: a row that is gone would leave its object for ever. One that failed may have left one, too.
    await bucket.delete(old.map(resultKey));
    await deleteQueries(db, old);
  }
  return old.length;
}
