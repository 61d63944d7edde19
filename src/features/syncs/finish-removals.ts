// The end of a sync, second move: once no run of it is under way its lake tables are anybody's, and it is forgotten
// with its watermarks.

import { SYNC_LIMITS } from "./limits.ts";
import { ifMissing } from "../../core/problem.ts";
import { getLake } from "../integrations/get.ts";
import type { SyncRunDeps } from "./runs/step/run-deps.ts";
import { deleteSyncRow, selectRemoving } from "./store.ts";
import { leaseOf, ownerOf } from "./sync.ts";

/** Repeatable at any point, for one team, or, in a sweep, for all: then also for what was planned and given up. */
export async function finishRemovals(
  deps: Pick<SyncRunDeps, "db" | "openLake">,
  which: Parameters<typeof selectRemoving>[2],
): Promise<number> {
  const removing = await selectRemoving(deps.db, SYNC_LIMITS.removalsPerSweepMax, which);
  for (const sync of removing) {
    if (await hasLake(deps, sync)) {
      const lake = deps.openLake(sync.lakeId);
      await lake.releaseOwner(ownerOf(sync.id));
      await lake.forgetNotes(`${leaseOf(sync.id)}/`);
    }
    await deleteSyncRow(deps.db, sync);
  }
  return removing.length;
}

/** A lake that is gone has no owners, and asking it would bring its catalog back. */
async function hasLake(
  { db }: Pick<SyncRunDeps, "db">,
  { teamId, lakeId }: { teamId: string; lakeId: string },
): Promise<boolean> {
  return (await getLake({ db, scope: { teamId } }, lakeId).catch(ifMissing(undefined))) !== undefined;
}
