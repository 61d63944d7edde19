// Whether a team is there. A container's token is good for as long as its work may take; its team may be gone before.

import { and, eq, isNull } from "drizzle-orm";
import { LIMITS } from "../../core/limits.ts";
import type { Db } from "./client.ts";
import { teams } from "./schema/schema.ts";

/** By id, in the order they were asked for: until when the database need not be asked again. */
const known = new Map<string, number>();

/** Counts removals, so that a look under way while one happens is not kept. */
let removals = 0;

/** As of at most so long ago as keys are remembered. That a team is gone is never remembered. */
export async function isTeamLive(db: Db, teamId: string, now: Date): Promise<boolean> {
  if ((known.get(teamId) ?? 0) > now.getTime()) return true;
  const removalsBefore = removals;
  const row = await db
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.deletedAt)))
    .get();
  if (!row) return false;
  if (removalsBefore === removals) remember(teamId, now.getTime() + LIMITS.keyCacheMs);
  return true;
}

/** To be called when a team is deleted. Other isolates follow within the cache's time. */
export function forgetLiveTeam(teamId: string): void {
  removals++;
  known.delete(teamId);
}

function remember(teamId: string, until: number): void {
  // Deleted first, so that a renewed entry moves to the end of the order.
  known.delete(teamId);
  if (known.size >= LIMITS.keyCacheEntriesMax) known.delete(known.keys().next().value!);
  known.set(teamId, until);
}
