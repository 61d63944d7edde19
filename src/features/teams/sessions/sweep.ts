import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { deleteEndedAuthorizations } from "../agents/store.ts";
import { deleteEndedChallenges } from "../sign-in/store-challenges.ts";
import { deleteOldTries } from "../sign-in/tries/store.ts";
import { deleteOldSessions } from "./store.ts";

/**
 * Forgets sessions that ended long ago, counts of what was tried that bound nothing any more, and challenges and
 * agents' authorizations that have ended.
 */
export async function sweepSessions({ db }: Needs<"db">, at: Date): Promise<{ sessionsForgotten: number }> {
  const before = (ms: number) => new Date(at.getTime() - ms).toISOString();
  const {
    sessionKeptMs,
    sessionIdleMs,
    linkAskMs,
    agentsForgottenPerSweepMax,
    challengesForgottenPerSweepMax,
    sessionsForgottenPerSweepMax,
    signInTriesForgottenPerSweepMax,
  } = TEAM_LIMITS;
  const unusedBefore = before(sessionIdleMs + sessionKeptMs);
  const old = await deleteOldSessions(db, before(sessionKeptMs), unusedBefore, sessionsForgottenPerSweepMax);
  await deleteOldTries(db, before(2 * linkAskMs), signInTriesForgottenPerSweepMax);
  await deleteEndedAuthorizations(db, at.toISOString(), agentsForgottenPerSweepMax);
  await deleteEndedChallenges(db, at.toISOString(), challengesForgottenPerSweepMax);
  return { sessionsForgotten: old.length };
}
