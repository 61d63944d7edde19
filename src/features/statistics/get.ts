import type { EventType } from "../../core/events/event-types.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import type { Needs } from "../../clients/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { selectTeamsWith, type SeriesName } from "./store.ts";
import { seriesPerRead, streamStatistics, type SeriesGroups } from "./stream.ts";
import { windowOf, type Window, type WindowQuery } from "./window.ts";

export type TypeStatisticsQuery = WindowQuery & { teamId?: string | undefined };

/** One team's series of a kind, or those of all teams that have such events in the window, by their ids. */
export function getEventStatistics(
  { scope, db }: Needs<"scope" | "db">,
  type: EventType,
  { teamId, ...query }: TypeStatisticsQuery,
  metaOf: () => object,
): Promise<ReadableStream<Uint8Array>> {
  const window = windowOf(query, scope.now);
  return streamStatistics(
    db,
    window,
    teamId === undefined ? teamsWith(db, type, window) : one({ teamId, type }),
    metaOf,
  );
}

async function* one(name: SeriesName): SeriesGroups {
  yield [name];
  return false;
}

/** The teams are so many that there are no more buckets than in the largest answer about named teams. */
async function* teamsWith(db: Db, type: EventType, window: Window): SeriesGroups {
  let left = Math.floor(EVENT_LIMITS.statisticsBucketsMax / window.buckets);
  let after = "";
  for (;;) {
    const teamsMax = Math.min(left, seriesPerRead(window));
    // One more tells whether there are any behind the last.
    const teams = await selectTeamsWith(db, type, window, { after, teamsMax: teamsMax + 1 });
    const shown = teams.slice(0, teamsMax);
    if (shown.length > 0) yield shown.map((teamId) => ({ teamId, type }));
    left -= shown.length;
    if (teams.length === shown.length || left === 0) return teams.length > shown.length;
    after = shown.at(-1)!;
  }
}
