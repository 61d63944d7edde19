import type { EventType } from "../../core/events/event-types.ts";
import type { Needs } from "../../clients/context.ts";
import type { SeriesName } from "./store.ts";
import { seriesPerRead, streamStatistics, type SeriesGroups } from "./stream.ts";
import { windowOf, type WindowQuery } from "./window.ts";

export type StatisticsQuery = WindowQuery & { types: EventType[]; teamIds: string[] };

/** A series for each kind and team that is asked for, in their order; an unknown team's is empty. */
export function listEventStatistics(
  { scope, db }: Needs<"scope" | "db">,
  query: StatisticsQuery,
  metaOf: () => object,
): Promise<ReadableStream<Uint8Array>> {
  const window = windowOf(query, scope.now);
  const names = [...new Set(query.types)].flatMap((type) =>
    [...new Set(query.teamIds)].map((teamId) => ({ teamId, type })),
  );
  return streamStatistics(db, window, groupsOf(names, seriesPerRead(window)), metaOf);
}

async function* groupsOf(names: SeriesName[], size: number): SeriesGroups {
  for (let from = 0; from < names.length; from += size) yield names.slice(from, from + size);
  return false;
}
