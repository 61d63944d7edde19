import { LAKE_CATALOG_LIMITS } from "../../../lake/format/limits.ts";
import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { LakeName } from "../../../lake/lake.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { addTallies, emptyTally, lookAtObjects } from "../../lakes/objects/look-at-objects.ts";
import { measureLake } from "../../lakes/summaries/keep-summary.ts";
import { findSummaries } from "../../lakes/summaries/summary.ts";
import { storageOf, type LakeStorage, type SeenStorage } from "./storage.ts";

type Deps = Needs<"scope" | "db" | "openLake" | "bucket">;

/** Lists the lake's objects, as far as one request may; of a larger lake, what the last collection saw of them. */
export async function getLakeStorage(ctx: Deps, integrationId: string): Promise<LakeStorage> {
  const lake = await getManagedLake(ctx, integrationId);
  const seen = (await listObjects(ctx, lake)) ?? (await findCollected(ctx, lake));
  // Asked behind the listing: what was committed meanwhile is then a difference that says so.
  return storageOf(lake.lakeId, await measureLake(ctx, lake), seen, ctx.scope.now);
}

/** Undefined for a lake of too many objects. */
async function listObjects(ctx: Deps, lake: LakeName): Promise<SeenStorage | undefined> {
  const { now } = ctx.scope;
  const beforeMs = now.getTime() - LAKE_CATALOG_LIMITS.graceMs;
  let tally = emptyTally();
  let afterKey: string | null = null;
  for (let pages = 0; pages < LAKE_ADMIN_LIMITS.storagePagesMax; pages++) {
    const page = await lookAtObjects(ctx, lake, { beforeMs, afterKey });
    tally = addTallies(tally, page.tally);
    afterKey = page.afterKey;
    if (afterKey === null) return { tally, at: now.toISOString(), source: "listing" };
  }
  return undefined;
}

/** Objects that were orphans at the last look may have been deleted since. */
async function findCollected({ db }: Deps, lake: LakeName): Promise<SeenStorage | null> {
  const objects = (await findSummaries(db, [lake])).get(lake.lakeId)?.objects;
  return objects
    ? { tally: { ...objects.tally, orphaned: emptyTally().orphaned }, at: objects.at, source: "collection" }
    : null;
}
