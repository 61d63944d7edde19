// What a lake no longer needs, out of the bucket: files of expired snapshots, and uploads that no commit came to name.

import { LIMITS } from "../../core/limits.ts";
import { openDb } from "../../platform/db/client.ts";
import { lakePrefix, openLake } from "../../platform/lake/lake.ts";
import { nudgeCollection } from "./plan-collection.ts";
import { findCollection, moveCollection } from "./store.ts";

/** R2 lists and deletes a thousand objects at a time. */
const OBJECTS_PER_STEP = 1_000;

export type Collected = { outcome: "gone" | "collecting" | "done"; expired: number; orphans: number };
type Lake = { teamId: string; lakeId: string };

/**
 * Goes on where the last call has stopped, for a bounded number of steps, and nudges itself while there is more.
 * Repeatable at any point: nothing is deleted but what no commit can name any more, and deleting that twice is
 * harmless.
 */
export async function collectLakeObjects(
  env: Env,
  nudge: { teamId: string; id: string },
  now: Date = new Date(),
): Promise<Collected> {
  const lake = { teamId: nudge.teamId, lakeId: nudge.id };
  const db = openDb(env.DB);
  const seen = await findCollection(db, lake.teamId, lake.lakeId);
  if (!seen) return { outcome: "gone", expired: 0, orphans: 0 };
  const beforeMs = now.getTime() - LIMITS.lakeGraceMs;
  const due = await deleteDueFiles(env, lake, beforeMs);
  const search = await deleteOrphans(env, lake, beforeMs, seen.afterKey);
  const isDone = due.isDone && search.afterKey === null;
  const dueAt = new Date(
    now.getTime() + (isDone ? LIMITS.lakeCollectionEveryMs : LIMITS.lakeCollectionRetryMs),
  ).toISOString();
  const moved = await moveCollection(db, seen, { dueAt, afterKey: search.afterKey });
  if (moved && !isDone) await nudgeCollection(env, lake);
  const collected: Collected = {
    outcome: isDone ? "done" : "collecting",
    expired: due.deleted,
    orphans: search.deleted,
  };
  if (due.deleted + search.deleted > 0) console.log(JSON.stringify({ event: "lake_collected", ...lake, ...collected }));
  return collected;
}

/** First the objects, then the schedule's rows: what is cut short in between is done again. */
async function deleteDueFiles(
  env: Env,
  { teamId, lakeId }: Lake,
  beforeMs: number,
): Promise<{ deleted: number; isDone: boolean }> {
  const catalog = openLake(env, lakeId);
  let deleted = 0;
  for (let step = 0; step < LIMITS.lakeCollectionStepsMax; step++) {
    const files = await catalog.listDueFiles(beforeMs, OBJECTS_PER_STEP);
    if (files.length === 0) return { deleted, isDone: true };
    await env.BUCKET.delete(files.map(({ path }) => lakePrefix(teamId, lakeId) + path));
    deleted += await catalog.confirmDeleted(files.map(({ id }) => id));
  }
  return { deleted, isDone: false };
}

/** Answers the last key it has looked at; null once it has seen them all. */
async function deleteOrphans(
  env: Env,
  { teamId, lakeId }: Lake,
  beforeMs: number,
  from: string | null,
): Promise<{ deleted: number; afterKey: string | null }> {
  const prefix = lakePrefix(teamId, lakeId);
  let afterKey = from;
  let deleted = 0;
  for (let step = 0; step < LIMITS.lakeCollectionStepsMax; step++) {
    const page = await env.BUCKET.list({
      prefix,
      limit: OBJECTS_PER_STEP,
      ...(afterKey === null ? {} : { startAfter: afterKey }),
    });
    // What is younger may be named yet: by a job that still runs, with a URL that is still good.
    const old = page.objects
      .filter(({ uploaded }) => uploaded.getTime() < beforeMs)
      .map(({ key }) => key.slice(prefix.length));
    const orphans = old.length > 0 ? await openLake(env, lakeId).findOrphans(old) : [];
    if (orphans.length > 0) await env.BUCKET.delete(orphans.map((path) => prefix + path));
    deleted += orphans.length;
    if (!page.truncated) return { deleted, afterKey: null };
    afterKey = page.objects.at(-1)?.key ?? afterKey;
  }
  return { deleted, afterKey };
}
