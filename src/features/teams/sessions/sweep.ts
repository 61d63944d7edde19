import { TEAM_LIMITS } from "../../../core/teams/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { deleteOldTries } from "../sign-in/store-tries.ts";
import { deleteOldSessions } from "./store.ts";

/** Forgets sessions that ended long ago, and counts of what was tried that bound nothing any more. */
export async function sweepSessions({ db }: Needs<"db">, at: Date): Promise<{ sessionsForgotten: number }> {
  const before = (ms: number) => new Date(at.getTime() - ms).toISOString();
  const { sessionKeptMs, sessionIdleMs, linkAskMs, sessionsForgottenPerSweepMax, signInTriesForgottenPerSweepMax } =
    TEAM_LIMITS;
  const unusedBefore = before(sessionIdleMs + sessionKeptMs);
  const old = await deleteOldSessions(db, before(sessionKeptMs), unusedBefore, sessionsForgottenPerSweepMax);
  await deleteOldTries(db, before(2 * linkAskMs), signInTriesForgottenPerSweepMax);
  return { sessionsForgotten: old.length };
}
