import { LIMITS } from "../../../core/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { deleteEndedKeys } from "./store.ts";

/** Forgets keys that ended long ago. */
export async function sweepKeys({ db }: Needs<"db">, at: Date): Promise<{ forgotten: number }> {
  const before = new Date(at.getTime() - LIMITS.keyKeptMs).toISOString();
  return { forgotten: (await deleteEndedKeys(db, before, LIMITS.keysForgottenPerSweepMax)).length };
}
