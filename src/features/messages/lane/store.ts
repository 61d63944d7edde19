// Every statement about the order of messages to one target: each is held until those before it have ended.

import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import type { Message } from "../message.ts";

type Lane = Pick<Message, "teamId" | "target">;

const { dueAt, endedAt, isClaimed, isHeld, orderKey, target, teamId } = outgoingMessages;

/** By the text of the partial indexes, which bound values would not match. */
const isInLane = (lane: Lane): SQL =>
  sql`${teamId} = ${lane.teamId} and ${target} = ${lane.target} and ${outgoingMessages.channel} = 'events'`;

/**
 * Releases the first message of an order that has not ended. In the batch of what ends one; harmless where that did
 * not happen, for the first is not held then.
 */
export const releaseNext = (db: Db, message: Pick<Message, "teamId" | "target"> & { orderKey: string }) =>
  db
    .update(outgoingMessages)
    .set({ isHeld: false, revision: sql`${outgoingMessages.revision} + 1` })
    .where(
      and(
        eq(isHeld, true),
        sql`rowid = (select min(first.rowid) from outgoing_messages first where first.team_id = ${message.teamId}
          and first.channel_target = ${message.target} and first.order_key = ${message.orderKey}
          and first.ended_at is null)`,
      ),
    );

/** Ends a bounded number of events of all teams, those that wait longest first; an attempt under way counts. */
export const endEventsWaitingSince = (
  db: Db,
  waitsSince: string,
  { at, error }: { at: string; error: string },
  rowsMax: number,
) =>
  db
    .update(outgoingMessages)
    .set({ state: "failed", error, endedAt: at, revision: sql`${outgoingMessages.revision} + 1` })
    .where(
      sql`rowid in (select rowid from outgoing_messages where waits_since <= ${waitsSince} and ended_at is null
        and is_claimed = 0 order by waits_since limit ${rowsMax})`,
    );

/** {@link releaseNext} of each order of which an event ended at that instant, in the batch of what ends them. */
export const releaseBehind = (db: Db, at: string) =>
  db
    .update(outgoingMessages)
    .set({ isHeld: false, revision: sql`${outgoingMessages.revision} + 1` })
    .where(
      and(
        eq(isHeld, true),
        sql`rowid in (select (select min(first.rowid) from outgoing_messages first where first.team_id = gone.team_id
          and first.channel_target = gone.channel_target and first.order_key = gone.order_key
          and first.ended_at is null)
          from outgoing_messages gone where gone.ended_at = ${at} and gone.payload is not null)`,
      ),
    );

/** Releases the first message that has not ended of each order of a target, and holds the others. */
export const holdInOrder = (db: Db, lane: Lane) =>
  db
    .update(outgoingMessages)
    .set({ isHeld: sql`1 - ${isHeld}`, revision: sql`${outgoingMessages.revision} + 1` })
    .where(
      sql`${isInLane(lane)} and ${orderKey} is not null and ${endedAt} is null and ${isClaimed} = 0
        and ${isHeld} = (outgoing_messages.rowid in (select min(first.rowid) from outgoing_messages first
          where first.team_id = ${lane.teamId} and first.channel_target = ${lane.target}
            and first.order_key is not null and first.ended_at is null group by first.order_key))`,
    );

/** In SQL, the attempts under way to a target; a claim that a dead Worker left behind is none once it has run out. */
export const underWayInSql = (lane: Lane, at: string): SQL =>
  sql`${isInLane(lane)} and ${isClaimed} = 1 and ${endedAt} is null and ${dueAt} > ${at}`;

/** True in SQL while an attempt to the message's target may begin; always on other channels than that of events. */
export const hasPlace = (
  message: Pick<Message, "teamId" | "target" | "channel">,
  at: string,
  placesMax: number,
): SQL =>
  message.channel === "events"
    ? sql`(select count(*) from ${outgoingMessages} where ${underWayInSql(message, at)}) < ${placesMax}`
    : sql`true`;

/** Ends what waits to go to a target, where `isOver` is true in SQL; the outcome of an attempt under way counts. */
export const endMessagesTo = (db: Db, lane: Lane, { error, at, isOver }: { error: string; at: string; isOver: SQL }) =>
  db
    .update(outgoingMessages)
    .set({ state: "failed", error, endedAt: at, revision: sql`${outgoingMessages.revision} + 1` })
    .where(and(isInLane(lane), isNull(endedAt), eq(isClaimed, false), isOver));
