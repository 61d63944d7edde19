import { LIMITS } from "../../core/limits.ts";
import { openDb } from "../../platform/db/client.ts";
import { claimDueRemovals } from "./store.ts";

/** Nudges removals that are due: those whose nudge was lost, and those that waited for URLs to run out. */
export async function sweepLakeRemovals(
  env: Pick<Env, "DB" | "NUDGES">,
  at: Date,
): Promise<{ lakeRemovalsNudged: number }> {
  const nextTryAt = new Date(at.getTime() + LIMITS.lakeRemovalRetryMs);
  const due = await claimDueRemovals(
    openDb(env.DB),
    at.toISOString(),
    nextTryAt.toISOString(),
    LIMITS.lakeRemovalsPerSweepMax,
  );
  if (due.length > 0) {
    await env.NUDGES.sendBatch(
      due.map(({ teamId, lakeId }) => ({ body: { kind: "lake_removal", version: 1, teamId, id: lakeId } })),
    );
  }
  return { lakeRemovalsNudged: due.length };
}
