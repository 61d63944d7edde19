import { LAKE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { claimDueRemovals } from "./store.ts";

/** Wakes up removals that are due: those whose message was lost, and those that waited for URLs to run out. */
export async function sweepLakeRemovals(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ lakeRemovalsWoken: number }> {
  const nextAt = new Date(at.getTime() + LAKE_LIMITS.removalRetryMs).toISOString();
  const due = await claimDueRemovals(db, { at: at.toISOString(), nextAt, rowsMax: LAKE_LIMITS.removalsPerSweepMax });
  const sent = await wakeUps.sendAll(
    "lake_removal",
    due.map(({ teamId, lakeId }) => ({ teamId, id: lakeId })),
  );
  return { lakeRemovalsWoken: sent };
}
