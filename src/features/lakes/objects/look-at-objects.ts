// A look at a lake's objects, page by page: what each is to the catalog, and how many bytes each kind has.

import type { Needs } from "../../../clients/context.ts";
import { OBJECTS_PER_CALL_MAX } from "../../../platform/bucket/bucket.ts";
import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import { lakePrefix, type LakeName } from "../../../lake/lake.ts";

export type StoredFile = { path: string; bytes: number };

/** `afterKey` is where the next page begins; null where this was the last. Paths are relative to the lake's root. */
export type ObjectsPage = { tally: ObjectTally; orphans: StoredFile[]; afterKey: string | null };

export const emptyTally = (): ObjectTally => ({
  current: { objects: 0, bytes: 0 },
  kept: { objects: 0, bytes: 0 },
  scheduled: { objects: 0, bytes: 0 },
  young: { objects: 0, bytes: 0 },
  orphaned: { objects: 0, bytes: 0 },
});

export function addTallies(one: ObjectTally, other: ObjectTally): ObjectTally {
  const sum = (kind: keyof ObjectTally) => ({
    objects: one[kind].objects + other[kind].objects,
    bytes: one[kind].bytes + other[kind].bytes,
  });
  const [current, kept, scheduled] = [sum("current"), sum("kept"), sum("scheduled")];
  return { current, kept, scheduled, young: sum("young"), orphaned: sum("orphaned") };
}

/**
 * One page behind `afterKey`. What nothing names is an orphan once it is older than `beforeMs`: what is younger may be
 * named yet, by a job that still runs, with a URL that is still good. So may an upload of a job that holds its lease.
 */
export async function lookAtObjects(
  { bucket, openLake }: Needs<"bucket" | "openLake">,
  { teamId, lakeId }: LakeName,
  { beforeMs, afterKey }: { beforeMs: number; afterKey: string | null },
): Promise<ObjectsPage> {
  const prefix = lakePrefix(teamId, lakeId);
  const page = await bucket.list({ prefix, limit: OBJECTS_PER_CALL_MAX, after: afterKey ?? undefined });
  const paths = page.objects.map(({ key }) => key.slice(prefix.length));
  const states = paths.length > 0 ? await openLake(lakeId).statesOfObjects(paths) : [];
  const tally = emptyTally();
  const orphans: StoredFile[] = [];
  for (const [index, { size, uploaded }] of page.objects.entries()) {
    const state = states[index]!;
    const isYoung = state === "held" || uploaded.getTime() >= beforeMs;
    const kind = state !== "held" && state !== "unnamed" ? state : isYoung ? "young" : "orphaned";
    tally[kind].objects++;
    tally[kind].bytes += size;
    if (kind === "orphaned") orphans.push({ path: paths[index]!, bytes: size });
  }
  return { tally, orphans, afterKey: page.isComplete ? null : (page.objects.at(-1)?.key ?? afterKey) };
}
