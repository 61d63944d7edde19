import { LAKE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { claimDueCollections } from "./store.ts";

/** Wakes up lakes whose objects are due to be looked through, and those whose search was broken off. */
export async function sweepLakeCollections(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ lakeCollectionsWoken: number }> {
  const nextAt = new Date(at.getTime() + LAKE_LIMITS.collectionRetryMs).toISOString();
  const rowsMax = LAKE_LIMITS.collectionsPerSweepMax;
  const due = await claimDueCollections(db, { at: at.toISOString(), nextAt, rowsMax });
  const sent = await wakeUps.sendAll(
    "lake_collection",
    due.map(({ teamId, lakeId }) => ({ teamId, id: lakeId })),
  );
  return { lakeCollectionsWoken: sent };
}
