import { minuteOf } from "../../core/events/event-types.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import type { Needs } from "../../clients/context.ts";
import { deleteRollupsBefore } from "./store.ts";

/** Forgets what no window reaches any more. */
export async function sweepStatistics({ db }: Needs<"db">, at: Date): Promise<{ forgotten: number }> {
  const before = minuteOf(at.getTime() - EVENT_LIMITS.statisticsKeptMs);
  const each: number = EVENT_LIMITS.statisticsSweptPerStatementMax;
  let forgotten = 0;
  for (let gone = each; gone === each && forgotten < EVENT_LIMITS.statisticsSweptMax; forgotten += gone)
    gone = await deleteRollupsBefore(db, before, each);
  return { forgotten };
}
