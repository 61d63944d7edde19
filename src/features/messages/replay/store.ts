// Every statement about events that are sent again. Each is of one team and one destination.

import { and, asc, eq, gt, gte, inArray, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import { idsFrom } from "../../../core/ids.ts";
import type { Db } from "../../../platform/db/client.ts";
import { outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import type { Message } from "../message.ts";

const { id, teamId, target, state, eventType, endedAt, revision } = outgoingMessages;

/** An event as it was. Whether it is held, behind others of its order, is for `holdInOrder` to say. */
const again = (at: string) => ({
  ...{ state: "pending" as const, attempts: 0, isClaimed: false, isHeld: false },
  ...{ dueAt: at, waitsSince: at, endedAt: null, error: null, revision: sql`${revision} + 1` },
});

/** True in SQL while {@link replayEvent} would find the message. */
export const isReplayable = (seen: Message): SQL =>
  sql`exists (select 1 from ${outgoingMessages} where team_id = ${seen.teamId} and id = ${seen.id}
    and revision = ${seen.revision} and ended_at is not null)`;

export const replayEvent = (db: Db, seen: Message, at: string) =>
  db
    .update(outgoingMessages)
    .set(again(at))
    .where(and(eq(teamId, seen.teamId), eq(id, seen.id), eq(revision, seen.revision), isNotNull(endedAt)))
    .returning({ id });

export type Range = {
  teamId: string;
  target: string;
  from: Date;
  until: Date;
  states: readonly Message["state"][];
  after: string | undefined;
};

/** The oldest of a time range that have ended: ids sort by time. */
export const selectReplayable = (db: Db, range: Range, rowsMax: number): Promise<{ id: string }[]> =>
  db
    .select({ id })
    .from(outgoingMessages)
    .where(
      and(
        eq(teamId, range.teamId),
        eq(target, range.target),
        sql`${outgoingMessages.channel} = 'events'`,
        gte(id, idsFrom(range.from)),
        lt(id, idsFrom(range.until)),
        range.after === undefined ? undefined : gt(id, range.after),
        isNotNull(eventType),
        isNotNull(endedAt),
        inArray(state, [...range.states]),
      ),
    )
    .orderBy(asc(id))
    .limit(rowsMax);

type Lane = Pick<Range, "teamId" | "target">;

const isEndedOf = (lane: Lane, ids: readonly string[]): SQL =>
  sql`team_id = ${lane.teamId} and channel_target = ${lane.target} and event_type is not null and ended_at is not null
    and id in (select value from json_each(${JSON.stringify(ids)}))`;

/** True in SQL where {@link replayEvents} would find any. */
export const isAnyReplayable = (lane: Lane, ids: readonly string[]): SQL =>
  sql`exists (select 1 from ${outgoingMessages} where ${isEndedOf(lane, ids)})`;

/** Returns those that had ended still. */
export const replayEvents = (db: Db, lane: Lane, ids: readonly string[], at: string) =>
  db.update(outgoingMessages).set(again(at)).where(isEndedOf(lane, ids)).returning({ id });
