import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { deleteEndedKeys } from "./store.ts";

/** Forgets keys that ended long ago. */
export async function sweepKeys({ db }: Needs<"db">, at: Date): Promise<{ forgotten: number }> {
  const before = new Date(at.getTime() - TEAM_LIMITS.keyKeptMs).toISOString();
  return { forgotten: (await deleteEndedKeys(db, before, TEAM_LIMITS.keysForgottenPerSweepMax)).length };
}
