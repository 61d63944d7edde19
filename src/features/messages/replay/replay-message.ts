import type { Needs } from "../../../clients/context.ts";
import { invalidAt, notFound, Problem } from "../../../core/problem.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { holdInOrder } from "../lane/store.ts";
import { shownMessage, type OutgoingMessage } from "../message.ts";
import { findMessage } from "../store.ts";
import { wakeLane } from "../wake.ts";
import { isReplayable, replayEvent } from "./store.ts";

/**
 * Sends an event again under its id: at once, or when the earlier ones of its run or subject have ended. Its attempts
 * are counted from one. Throws `resource_conflict` for one that is on its way.
 */
export async function replayMessage(ctx: Needs<"scope" | "db" | "wakeUps">, id: string): Promise<OutgoingMessage> {
  const { scope, db } = ctx;
  const seen = await findMessage(db, scope.teamId, id);
  if (!seen) throw notFound("Message", id);
  if (seen.eventType === null)
    throw invalidAt("/path/message_id", "The message is no event: only events are replayed.");
  const [, replayed] = await db.batch([
    recordAuditIf(db, scope, {
      ...{ action: "message.replay" as const, subjectId: seen.id, when: isReplayable(seen) },
      after: { destination_id: seen.target, event_type: seen.eventType },
    }),
    replayEvent(db, seen, scope.now.toISOString()),
    holdInOrder(db, seen),
  ]);
  if (replayed.length === 0)
    throw new Problem("resource_conflict", "The event is on its way, or was replayed meanwhile.");
  await wakeLane(ctx, seen, { isTaken: true, now: scope.now });
  return shownMessage((await findMessage(db, scope.teamId, seen.id)) ?? seen);
}
