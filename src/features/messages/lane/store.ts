// Every statement about the order of messages to one target: each is held until those before it have ended.

import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import type { Message } from "../message.ts";

type Lane = Pick<Message, "teamId" | "target">;

const { attempts, dueAt, endedAt, id, isClaimed, isHeld, orderKey, target, teamId } = outgoingMessages;

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
const underWayInSql = (lane: Lane, at: string): SQL =>
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

type Places = { at: string; placesMax: number; repeatsMax: number };

/**
 * The due messages of a target, as many as there are places for beside the attempts under way. Those that were tried
 * before come first, and take `repeatsMax` of the places at most.
 */
export async function selectDueInLane(
  db: Db,
  lane: Lane,
  { at, placesMax, repeatsMax }: Places,
): Promise<Pick<Message, "id" | "teamId">[]> {
  const due = (isRepeat: 0 | 1, rowsMax: number) =>
    db
      .select({ id, teamId })
      .from(outgoingMessages)
      .where(
        sql`${isInLane(lane)} and (${attempts} > 0) = ${sql.raw(String(isRepeat))} and ${dueAt} <= ${at}
          and ${endedAt} is null and ${isHeld} = 0`,
      )
      .orderBy(dueAt)
      .limit(rowsMax);
  const underWay = db.select({ attempts }).from(outgoingMessages).where(underWayInSql(lane, at)).limit(placesMax);
  const [again, fresh, claimed] = await db.batch([due(1, repeatsMax), due(0, placesMax), underWay]);
  const repeats = claimed.filter((message) => message.attempts > 1).length;
  return [...again.slice(0, Math.max(0, repeatsMax - repeats)), ...fresh].slice(
    0,
    Math.max(0, placesMax - claimed.length),
  );
}

/** Ends what waits to go to a target, where `isOver` is true in SQL; the outcome of an attempt under way counts. */
export const endMessagesTo = (db: Db, lane: Lane, { error, at, isOver }: { error: string; at: string; isOver: SQL }) =>
  db
    .update(outgoingMessages)
    .set({ state: "failed", error, endedAt: at, revision: sql`${outgoingMessages.revision} + 1` })
    .where(and(isInLane(lane), isNull(endedAt), eq(isClaimed, false), isOver));
