import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../clients/context.ts";
import { deleteEvents } from "./store.ts";

/** Forgets old events, those of runs' keys sooner. */
export async function sweepAuditEvents({ db }: Needs<"db">, at: Date): Promise<{ forgotten: number }> {
  const ago = (ms: number): Date => new Date(at.getTime() - ms);
  const [ofRuns, all] = await db.batch([
    deleteEvents(db, { before: ago(LIMITS.auditOfRunsKeptMs), ofRuns: true }, LIMITS.auditForgottenPerSweepMax),
    deleteEvents(db, { before: ago(LIMITS.auditKeptMs), ofRuns: false }, LIMITS.auditForgottenPerSweepMax),
  ]);
  return { forgotten: ofRuns.length + all.length };
}
