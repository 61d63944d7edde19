import { LIMITS } from "../../core/limits.ts";
import { openDb } from "../../platform/db/client.ts";
import { nudgeCollections } from "./plan-collection.ts";
import { claimDueCollections } from "./store.ts";

/** Nudges lakes whose objects are due to be looked through, and those whose search was broken off. */
export async function sweepLakeCollections(
  env: Pick<Env, "DB" | "NUDGES">,
  at: Date,
): Promise<{ lakeCollectionsNudged: number }> {
  const nextDueAt = new Date(at.getTime() + LIMITS.lakeCollectionRetryMs).toISOString();
  const due = await claimDueCollections(openDb(env.DB), at.toISOString(), nextDueAt, LIMITS.lakeCollectionsPerSweepMax);
  if (due.length > 0) await nudgeCollections(env, due);
  return { lakeCollectionsNudged: due.length };
}
