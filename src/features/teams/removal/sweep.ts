import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { claimDueRemovals } from "./store.ts";

/** Wakes up removals that are due: those whose message was lost, and those that waited for URLs to run out. */
export async function sweepTeamRemovals(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ teamRemovalsWoken: number }> {
  const nextAt = new Date(at.getTime() + TEAM_LIMITS.removalRetryMs).toISOString();
  const due = await claimDueRemovals(db, { at: at.toISOString(), nextAt, rowsMax: TEAM_LIMITS.removalsPerSweepMax });
  const sent = await wakeUps.sendAll(
    "team_removal",
    due.map(({ teamId }) => ({ teamId, id: teamId })),
  );
  return { teamRemovalsWoken: sent };
}
