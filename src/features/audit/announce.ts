import type { Needs } from "../../clients/context.ts";
import { AUDIT_LIMITS } from "./limits.ts";
import { recordOutboundEvent } from "../../platform/db/record-outbound-event.ts";
import { sql } from "drizzle-orm";
import { isUnannounced, markAnnounced, selectUnannounced } from "./store.ts";

/**
 * Writes the outbound event of each access change that was committed as unannounced, once, in the order of their
 * commits. A bounded number a tick; the others come with the next ones.
 */
export async function announceAccessChanges({ db, wakeUps }: Needs<"db" | "wakeUps">): Promise<number> {
  const changes = await selectUnannounced(db, {
    rowsMax: AUDIT_LIMITS.announcedPerSweepMax,
    perTeamMax: AUDIT_LIMITS.announcedPerTeamMax,
    teamsMax: AUDIT_LIMITS.announcedTeamsMax,
  });
  const [first, ...rest] = changes.map((change) => {
    const { id, teamId, subjectId, actorId, action, at, runId, isByOperator } = change;
    const data = { action, subject_id: subjectId, actor_id: actorId, by_operator: isByOperator === 1, run_id: runId };
    return recordOutboundEvent(db, {
      ...{ teamId, type: "access.changed", orderKey: `access/${subjectId}`, at: new Date(at) },
      ...{ data: sql`${JSON.stringify({ audit_event_id: id, ...data })}`, when: isUnannounced(change) },
    });
  });
  if (!first) return 0;
  // Behind the events, each of which asks whether its change is announced.
  const mark = markAnnounced(db, changes) as unknown as typeof first;
  const written = await db.batch([first, ...rest, mark]);
  await wakeUps.sendAll("outgoing_message", written.slice(0, -1).flat());
  return changes.length;
}
