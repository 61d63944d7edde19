// The end of a lake, second move: its catalog is forgotten, its objects are deleted, and at last so is the removal
// itself.

import { LAKE_LIMITS } from "./limits.ts";
import { BUCKET_LIMITS } from "../../platform/bucket/limits.ts";
import { lakePrefix } from "../../lake/lake.ts";
import type { Needs } from "../../clients/context.ts";
import type { WakeUpSubject } from "../../platform/messages.ts";
import { emptyPrefix } from "../../platform/bucket/empty-prefix.ts";
import { deleteRemoval, findRemoval, setNextTry } from "./store.ts";

type Outcome = "gone" | "deleting" | "waiting" | "done";

/**
 * Repeatable at any point. The catalog goes first, so that no job gets another upload; URLs signed before that can
 * still be used, so the removal stays until they have run out and the prefix is empty once more.
 */
export async function removeLakeObjects(
  { db, bucket, wakeUps, openLake }: Needs<"db" | "bucket" | "wakeUps" | "openLake">,
  { teamId, id: lakeId }: WakeUpSubject,
  now: Date = new Date(),
): Promise<Outcome> {
  const removal = await findRemoval(db, teamId, lakeId);
  if (!removal) return "gone";
  await openLake(lakeId).destroy();
  if (!(await emptyPrefix(bucket, lakePrefix(teamId, lakeId), LAKE_LIMITS.removalStepsMax))) {
    // Its own message is delivered again where the next can't be sent: the sweep would come much later.
    if (!(await wakeUps.send("lake_removal", { teamId, id: lakeId }))) throw new Error("No wake-up message was sent.");
    return "deleting";
  }
  const urlsEndAt = new Date(Date.parse(removal.createdAt) + BUCKET_LIMITS.signedUrlSeconds * 1_000);
  if (now < urlsEndAt) {
    await setNextTry(db, teamId, lakeId, urlsEndAt.toISOString());
    return "waiting";
  }
  await deleteRemoval(db, teamId, lakeId);
  return "done";
}
