// Every statement that looks for messages that are due. None reads more of a lane than it returns.

import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import { underWayInSql } from "../lane/store.ts";
import { MESSAGE_LIMITS } from "../limits.ts";
import type { Message } from "../message.ts";

type Due = Pick<Message, "id" | "teamId">;

/**
 * A lane's key by the text of its index: the channel of a team, of events the destination, and of each those messages
 * apart that were tried before.
 */
const LANE: SQL = sql.raw(
  "(team_id || ' ' || channel || ' ' || iif(channel = 'events', channel_target, '') || ' ' || (attempts > 0))",
);
/** By the text of the partial index. */
const IS_WAITING: SQL = sql.raw("ended_at is null and is_held = 0");

/** The first lane behind a key that has messages which wait. */
const firstLane = (after: SQL, until: string): SQL =>
  sql`(select min(${LANE}) from outgoing_messages where ${IS_WAITING} and ${LANE} > ${after} and ${LANE} < ${until})`;

/**
 * Goes from lane to lane, with one look-up of the index each. A round begins at any team, so that a bounded number of
 * lanes leaves none out for ever, and `union` ends it where it began.
 */
function lanesInSql(teamId: string | undefined): SQL {
  const [from, until] = teamId === undefined ? ["", "~"] : [`${teamId} `, `${teamId}!`];
  const start = sql`(select id from teams where rowid > abs(random() % (select max(rowid) from teams)) limit 1)`;
  return sql`lanes(lane) as (select ${teamId === undefined ? start : sql`${from}`}
    union select coalesce(${firstLane(sql`lanes.lane`, until)}, ${firstLane(sql`${from}`, until)}) from lanes
    limit ${MESSAGE_LIMITS.lanesPerSweepMax + 1})`;
}

/**
 * The first of each team and channel, of events of each destination; of all teams or of one. Messages that were tried
 * before come one at a time, beside the others: a receiver that is slow or broken holds few places in the queue, and
 * keeps no new message, no other channel and no other team from its turn.
 */
export function selectDueMessages(
  db: Db,
  at: string,
  { rowsMax, teamId }: { rowsMax: number; teamId?: string },
): Promise<Due[]> {
  const { wakeUpsPerChannelMax } = MESSAGE_LIMITS;
  return db.all<Due>(sql`with recursive ${lanesInSql(teamId)}
    select id, team_id as "teamId" from (
      select id, team_id, due_at, attempts > 0 as is_repeat,
        row_number() over (partition by lane order by due_at, id) as place
      from lanes join outgoing_messages on outgoing_messages.rowid in (
        select rowid from outgoing_messages where ${IS_WAITING} and ${LANE} = lanes.lane and due_at <= ${at}
        order by due_at limit ${wakeUpsPerChannelMax}))
    where place <= iif(is_repeat, 1, ${wakeUpsPerChannelMax}) order by is_repeat, place, due_at limit ${rowsMax}`);
}

type Places = { at: string; placesMax: number; repeatsMax: number };

/**
 * The due events of a destination, as many as there are places for beside the attempts under way. Events that were
 * tried before come first, and take `repeatsMax` of the places at most.
 */
export async function selectDueInLane(
  db: Db,
  lane: Pick<Message, "teamId" | "target">,
  { at, placesMax, repeatsMax }: Places,
): Promise<Due[]> {
  const { id, teamId, attempts, dueAt } = outgoingMessages;
  const due = (isRepeat: 0 | 1, rowsMax: number) =>
    db
      .select({ id, teamId })
      .from(outgoingMessages)
      .where(
        sql`${IS_WAITING} and ${LANE} = ${`${lane.teamId} events ${lane.target} ${isRepeat}`} and ${dueAt} <= ${at}`,
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
