// A lake's daily round: what it no longer needs goes out of the bucket, and what its objects came to is kept.

import { LAKE_CATALOG_LIMITS } from "../../lake/format/limits.ts";
import { LAKE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import type { WakeUpSubject } from "../../platform/messages.ts";
import { deleteDueFiles, deleteOrphans } from "./objects/delete-objects.ts";
import { addTallies, emptyTally } from "./objects/look-at-objects.ts";
import { findCollection, moveCollection } from "./store.ts";
import { keepRound } from "./summaries/keep-summary.ts";

export type Collected = { outcome: "gone" | "collecting" | "done"; expired: number; orphans: number };
export type CollectionDeps = Needs<"db" | "bucket" | "wakeUps" | "openLake">;

/**
 * Goes on where the last call has stopped, for a bounded number of steps, and wakes itself up while there is more.
 * Repeatable at any point.
 */
export async function collectLakeObjects(
  deps: CollectionDeps,
  { teamId, id: lakeId }: WakeUpSubject,
  now: Date = new Date(),
): Promise<Collected> {
  const lake = { teamId, lakeId };
  const { db, wakeUps } = deps;
  const seen = await findCollection(db, lake.teamId, lake.lakeId);
  if (!seen) return { outcome: "gone", expired: 0, orphans: 0 };
  const beforeMs = now.getTime() - LAKE_CATALOG_LIMITS.graceMs;
  const due = await deleteDueFiles(deps, lake, beforeMs);
  const search = await deleteOrphans(deps, lake, { beforeMs, afterKey: seen.afterKey });
  const tally = addTallies(seen.tally ?? emptyTally(), search.tally);
  const isLooked = search.afterKey === null;
  const isDone = due.isDone && isLooked;
  const dueAt = new Date(
    now.getTime() + (isDone ? LAKE_LIMITS.collectionEveryMs : LAKE_LIMITS.collectionRetryMs),
  ).toISOString();
  const moved = await moveCollection(db, seen, { dueAt, afterKey: search.afterKey, tally: isLooked ? null : tally });
  if (moved && isLooked) await keepRound(deps, lake, tally, now);
  const sent = !moved || isDone || (await wakeUps.send("lake_collection", { teamId, id: lakeId }));
  const collected: Collected = {
    outcome: isDone ? "done" : "collecting",
    expired: due.files,
    orphans: search.tally.orphaned.objects,
  };
  if (collected.expired + collected.orphans > 0)
    console.log(JSON.stringify({ event: "lake_collected", ...lake, ...collected }));
  // Its own message is delivered again where the next can't be sent: the sweep would come much later.
  if (!sent) throw new Error("No wake-up message was sent.");
  return collected;
}
