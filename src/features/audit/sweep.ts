import { AUDIT_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { announceAccessChanges } from "./announce.ts";
import { deleteEvents } from "./store.ts";

/** Announces access changes to the destinations that want them, and forgets old events, those of runs' keys sooner. */
export async function sweepAuditEvents(
  deps: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ announced: number; forgotten: number }> {
  const { db } = deps;
  const announced = await announceAccessChanges(deps);
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const [ofRuns, all] = await db.batch([
    deleteEvents(db, { before: ago(AUDIT_LIMITS.ofRunsKeptMs), ofRuns: true }, AUDIT_LIMITS.forgottenPerSweepMax),
    deleteEvents(db, { before: ago(AUDIT_LIMITS.keptMs), ofRuns: false }, AUDIT_LIMITS.forgottenPerSweepMax),
  ]);
  return { announced, forgotten: ofRuns.length + all.length };
}
