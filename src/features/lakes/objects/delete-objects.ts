// Deletes a lake's unneeded objects from the bucket: files whose grace on the schedule is over, and uploads that no
// commit came to name. Each call is bounded, and repeatable at any point: nothing is deleted but what no commit can
// name any more, and deleting that twice is harmless.

import { LAKE_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { OBJECTS_PER_CALL_MAX } from "../../../platform/bucket/bucket.ts";
import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import { lakePrefix, type LakeName } from "../../../lake/lake.ts";
import { addTallies, emptyTally, lookAtObjects } from "./look-at-objects.ts";

type Deps = Needs<"bucket" | "openLake">;

/** First the objects, then the schedule's rows: what is cut short in between is done again. */
export async function deleteDueFiles(
  { bucket, openLake }: Deps,
  { teamId, lakeId }: LakeName,
  beforeMs: number,
): Promise<{ files: number; bytes: number; isDone: boolean }> {
  const catalog = openLake(lakeId);
  let [files, bytes] = [0, 0];
  for (let step = 0; step < LAKE_LIMITS.collectionStepsMax; step++) {
    const due = await catalog.listDueFiles(beforeMs, OBJECTS_PER_CALL_MAX);
    if (due.length === 0) return { files, bytes, isDone: true };
    await bucket.delete(due.map(({ path }) => lakePrefix(teamId, lakeId) + path));
    files += await catalog.confirmDeleted(due.map(({ id }) => id));
    bytes += due.reduce((sum, file) => sum + file.bytes, 0);
  }
  return { files, bytes, isDone: false };
}

/** `tally` is of what it has looked at, orphans before they were deleted; `afterKey` is null once it has seen all. */
export async function deleteOrphans(
  deps: Deps,
  lake: LakeName,
  { beforeMs, afterKey: from }: { beforeMs: number; afterKey: string | null },
): Promise<{ tally: ObjectTally; afterKey: string | null }> {
  const prefix = lakePrefix(lake.teamId, lake.lakeId);
  let tally = emptyTally();
  let afterKey = from;
  for (let step = 0; step < LAKE_LIMITS.collectionStepsMax; step++) {
    const page = await lookAtObjects(deps, lake, { beforeMs, afterKey });
    await deps.bucket.delete(page.orphans.map(({ path }) => prefix + path));
    tally = addTallies(tally, page.tally);
    afterKey = page.afterKey;
    if (afterKey === null) break;
  }
  return { tally, afterKey };
}
