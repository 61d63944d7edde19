// What a lake no longer needs, out of the bucket: files of expired snapshots, and uploads that no commit came to name.

import { LIMITS } from "../../core/limits.ts";
import { lakePrefix } from "../../platform/lake/lake.ts";
import type { Needs } from "../../platform/context.ts";
import type { WakeUpSubject } from "../../platform/messages.ts";
import { OBJECTS_PER_CALL_MAX } from "../../platform/bucket/bucket.ts";
import { findCollection, moveCollection } from "./store.ts";

export type Collected = { outcome: "gone" | "collecting" | "done"; expired: number; orphans: number };
export type CollectionDeps = Needs<"db" | "bucket" | "wakeUps" | "openLake">;
type Lake = { teamId: string; lakeId: string };

/**
 * Goes on where the last call has stopped, for a bounded number of steps, and wakes itself up while there is more.
 * Repeatable at any point: nothing is deleted but what no commit can name any more, and deleting that twice is
 * harmless.
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
  const beforeMs = now.getTime() - LIMITS.lakeGraceMs;
  const due = await deleteDueFiles(deps, lake, beforeMs);
  const search = await deleteOrphans(deps, lake, beforeMs, seen.afterKey);
  const isDone = due.isDone && search.afterKey === null;
  const dueAt = new Date(
    now.getTime() + (isDone ? LIMITS.lakeCollectionEveryMs : LIMITS.lakeCollectionRetryMs),
  ).toISOString();
  const moved = await moveCollection(db, seen, { dueAt, afterKey: search.afterKey });
  const sent = !moved || isDone || (await wakeUps.send("lake_collection", { teamId, id: lakeId }));
  const collected: Collected = {
    outcome: isDone ? "done" : "collecting",
    expired: due.deleted,
    orphans: search.deleted,
  };
  if (due.deleted + search.deleted > 0) console.log(JSON.stringify({ event: "lake_collected", ...lake, ...collected }));
  // Its own message is delivered again where the next can't be sent: the sweep would come much later.
  if (!sent) throw new Error("No wake-up message was sent.");
  return collected;
}

/** First the objects, then the schedule's rows: what is cut short in between is done again. */
async function deleteDueFiles(
  { bucket, openLake }: CollectionDeps,
  { teamId, lakeId }: Lake,
  beforeMs: number,
): Promise<{ deleted: number; isDone: boolean }> {
  const catalog = openLake(lakeId);
  let deleted = 0;
  for (let step = 0; step < LIMITS.lakeCollectionStepsMax; step++) {
    const files = await catalog.listDueFiles(beforeMs, OBJECTS_PER_CALL_MAX);
    if (files.length === 0) return { deleted, isDone: true };
    await bucket.delete(files.map(({ path }) => lakePrefix(teamId, lakeId) + path));
    deleted += await catalog.confirmDeleted(files.map(({ id }) => id));
  }
  return { deleted, isDone: false };
}

/** Answers the last key it has looked at; null once it has seen them all. */
async function deleteOrphans(
  { bucket, openLake }: CollectionDeps,
  { teamId, lakeId }: Lake,
  beforeMs: number,
  from: string | null,
): Promise<{ deleted: number; afterKey: string | null }> {
  const prefix = lakePrefix(teamId, lakeId);
  let afterKey = from;
  let deleted = 0;
  for (let step = 0; step < LIMITS.lakeCollectionStepsMax; step++) {
    const page = await bucket.list({ prefix, limit: OBJECTS_PER_CALL_MAX, after: afterKey ?? undefined });
    // What is younger may be named yet: by a job that still runs, with a URL that is still good.
    const old = page.objects
      .filter(({ uploaded }) => uploaded.getTime() < beforeMs)
      .map(({ key }) => key.slice(prefix.length));
    const orphans = old.length > 0 ? await openLake(lakeId).findOrphans(old) : [];
    await bucket.delete(orphans.map((path) => prefix + path));
    deleted += orphans.length;
    if (page.isComplete) return { deleted, afterKey: null };
    afterKey = page.objects.at(-1)?.key ?? afterKey;
  }
  return { deleted, afterKey };
}
