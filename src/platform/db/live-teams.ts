// A team's existence is looked up. A container's token is good for as long as its work may take; its team may be gone
// before.

import { and, eq, isNull } from "drizzle-orm";
import { ExpiringCache } from "../../core/expiring-cache.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Db } from "./client.ts";
import { teams } from "./schema/schema.ts";

const known = new ExpiringCache<true>(LIMITS.keyCacheEntriesMax);

/** As of at most so long ago as keys are remembered. That a team is gone is never remembered. */
export async function isTeamLive(db: Db, teamId: string, now: Date): Promise<boolean> {
  if (known.get(teamId, now)) return true;
  const keep = known.reading();
  const row = await db
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.deletedAt)))
    .get();
  if (!row) return false;
  keep(teamId, true, now.getTime() + LIMITS.keyCacheMs);
  return true;
}

/** To be called when a team is deleted. Other isolates follow within the cache's time. */
export function forgetLiveTeam(teamId: string): void {
  known.forget((id) => id === teamId);
}
