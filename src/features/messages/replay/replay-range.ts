// Events of a time range to one destination are sent again, for whoever knows the destination.

import type { Needs } from "../../../clients/context.ts";
import type { ConditionalAudit } from "../../../platform/db/audit.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { holdInOrder } from "../lane/store.ts";
import { MESSAGE_LIMITS } from "../limits.ts";
import { wakeLane } from "../wake.ts";
import { isAnyReplayable, replayEvents, selectReplayable, type Range } from "./store.ts";

type Audited = Pick<ConditionalAudit, "action" | "subjectId" | "after">;

/** At most so many, the oldest first; `next`: the last of them, where there may be more behind it. */
export async function replayRange(
  { scope, db, wakeUps }: Needs<"scope" | "db" | "wakeUps">,
  range: Omit<Range, "teamId">,
  { action, subjectId, after }: Audited,
): Promise<{ replayed: number; next: string | null }> {
  const lane = { teamId: scope.teamId, target: range.target };
  const { replayedMax } = MESSAGE_LIMITS;
  const found = await selectReplayable(db, { ...range, teamId: scope.teamId }, replayedMax);
  const ids = found.map(({ id }) => id);
  const [, replayed] = await db.batch([
    recordAuditIf(db, scope, { action, subjectId, when: isAnyReplayable(lane, ids), after }),
    replayEvents(db, lane, ids, scope.now.toISOString()),
    holdInOrder(db, lane),
  ]);
  if (replayed.length > 0) await wakeLane({ db, wakeUps }, lane, { isTaken: true, now: scope.now });
  return { replayed: replayed.length, next: ids.length < replayedMax ? null : ids.at(-1)! };
}
