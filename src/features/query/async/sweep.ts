import { LIMITS } from "../../../core/limits.ts";
import type { Needs } from "../../../platform/context.ts";
import { resultKey } from "./async-query.ts";
import { endIfLost } from "./finish.ts";
import { deleteQueries, selectEndedBefore, selectOverdue } from "./store.ts";

/** Ends queries whose engine never said how they ended; forgets old ones with their results. */
export async function sweepAsyncQueries(
  deps: Needs<"db" | "bucket" | "openEngine" | "openLake">,
  at: Date,
): Promise<{ queriesLost: number; queriesForgotten: number }> {
  const { db, bucket, openEngine } = deps;
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  const overdue = await selectOverdue(db, before(LIMITS.asyncQueryGraceMs), LIMITS.asyncQueriesSweptMax);
  for (const query of overdue) {
    await endIfLost(deps, query, at);
    // Whatever it does, nobody will hear of it.
    await openEngine(query.teamId)
      .cancelStatement(query.id)
      .catch(() => false);
  }
  const useless = { before: before(LIMITS.asyncQueryKeptMs), repeatedBefore: before(LIMITS.repeatedQueryResultMs) };
  const old = await selectEndedBefore(db, useless, LIMITS.asyncQueriesForgottenPerSweepMax);
  if (old.length > 0) {
    // The objects first: a row that is gone would leave its object for ever. One that failed may have left one, too.
    await bucket.delete(old.map(resultKey));
    await deleteQueries(db, old);
  }
  return { queriesLost: overdue.length, queriesForgotten: old.length };
}
