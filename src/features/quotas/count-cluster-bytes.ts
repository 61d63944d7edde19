import { monthOf } from "../../core/teams/plans.ts";
import type { Db } from "../../platform/db/client.ts";
import { addClusterBytes } from "./store.ts";

/** Adds what a statement has read at a team's own cluster to the use of the month that it ends in. */
export async function countClusterBytes(db: Db, { teamId, now }: { teamId: string; now: Date }, bytes: number) {
  await addClusterBytes(db, { teamId, month: monthOf(now), bytes });
}
