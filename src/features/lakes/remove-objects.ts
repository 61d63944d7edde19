// The end of a lake, second move: its catalog is forgotten, its objects are deleted, and at last so is the removal
// itself.

import { LIMITS } from "../../core/limits.ts";
import { openDb } from "../../platform/db/client.ts";
import { lakePrefix, openLake } from "../../platform/lake/lake.ts";
import { nudgeLakeRemoval } from "./remove-lake.ts";
import { deleteRemoval, findRemoval, setNextTry } from "./store.ts";

/** R2 lists and deletes a thousand objects at a time. */
const OBJECTS_PER_STEP = 1_000;

type Outcome = "gone" | "deleting" | "waiting" | "done";

/**
 * Repeatable at any point. The catalog goes first, so that no job gets another upload; URLs signed before that can
 * still be used, so the removal stays until they have run out and the prefix is empty once more.
 */
export async function removeLakeObjects(
  env: Env,
  nudge: { teamId: string; id: string },
  now: Date = new Date(),
): Promise<Outcome> {
  const { teamId, id: lakeId } = nudge;
  const db = openDb(env.DB);
  const removal = await findRemoval(db, teamId, lakeId);
  if (!removal) return "gone";
  await openLake(env, lakeId).destroy();
  if (!(await emptyPrefix(env.BUCKET, lakePrefix(teamId, lakeId)))) {
    await nudgeLakeRemoval(env, { teamId, lakeId });
    return "deleting";
  }
  const urlsEndAt = new Date(Date.parse(removal.createdAt) + LIMITS.signedUrlSeconds * 1_000);
  if (now < urlsEndAt) {
    await setNextTry(db, teamId, lakeId, urlsEndAt.toISOString());
    return "waiting";
  }
  await deleteRemoval(db, teamId, lakeId);
  return "done";
}

/** Deletes a bounded number of objects; says whether none is left. */
async function emptyPrefix(bucket: R2Bucket, prefix: string): Promise<boolean> {
  for (let step = 0; step < LIMITS.lakeRemovalStepsMax; step++) {
    const { objects } = await bucket.list({ prefix, limit: OBJECTS_PER_STEP });
    if (objects.length === 0) return true;
    await bucket.delete(objects.map(({ key }) => key));
  }
  return false;
}
