import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../platform/context.ts";
import { claimDueRemovals } from "./store.ts";

/** Wakes up removals that are due: those whose message was lost, and those that waited for URLs to run out. */
export async function sweepLakeRemovals(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ lakeRemovalsWoken: number }> {
  const nextTryAt = new Date(at.getTime() + LIMITS.lakeRemovalRetryMs);
  const due = await claimDueRemovals(db, at.toISOString(), nextTryAt.toISOString(), LIMITS.lakeRemovalsPerSweepMax);
  const sent = await wakeUps.sendAll(
    "lake_removal",
    due.map(({ teamId, lakeId }) => ({ teamId, id: lakeId })),
  );
  return { lakeRemovalsWoken: sent };
}
