// An outbound event is written in the same batch as what it reports: a message to each destination that wants it.

import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { OutboundEventType } from "../../core/events/outbound-event-types.ts";
import type { Db } from "./client.ts";
import { destinations } from "./schema/destination-schema.ts";
import { outgoingMessages } from "./schema/message-schema.ts";
import { valuesInSql } from "./values-in-sql.ts";

export type NewOutboundEvent = {
  teamId: string;
  /** Its type, or what finds it in SQL. */
  type: OutboundEventType | SQL;
  /** Events of the same order go out one after the other, in the order of their commits: a run's id, for instance. */
  orderKey: string | SQL;
  /** Its `data`, as JSON in SQL: names, states and instants, never a row's values and no secret. */
  data: SQL;
  at: Date;
  /** True in SQL, or nothing is written. */
  when: SQL;
  /** Whether an event of this type that the destination has of this order already is enough. */
  once?: boolean;
};

/** A statement, not an effect. Returns the messages; none where no destination wants the event. */
export function recordOutboundEvent(db: Db, { teamId, type, orderKey, data, at, when, once }: NewOutboundEvent) {
  const now = at.toISOString();
  const row: typeof outgoingMessages.$inferSelect = {
    ...{ id: "", teamId, channel: "events", target: "", subject: "", contentKey: "", state: "pending" },
    ...{ deliveryId: null, runId: null, reference: null, error: null, note: null, attemptedAt: null, endedAt: null },
    ...{ attempts: 0, isClaimed: false, revision: 0, dueAt: now, createdAt: now },
    ...{ eventType: null, payload: null, orderKey: null, isHeld: false, waitsSince: now },
  };
  const earlier = sql`from outgoing_messages earlier where earlier.team_id = ${teamId}
    and earlier.channel_target = d.id and earlier.order_key = ${orderKey}`;
  const own = {
    id: idInSql(at),
    target: sql`d.id`,
    subject: sql`${type}`,
    eventType: sql`${type}`,
    payload: sql`json_object('type', ${type}, 'timestamp', ${now}, 'data', json(${data}))`,
    orderKey: sql`${orderKey}`,
    isHeld: sql`exists (select 1 ${earlier} and earlier.ended_at is null)`,
  };
  const isNew = once ? sql`not exists (select 1 ${earlier} and earlier.event_type = ${type})` : sql`true`;
  return db
    .insert(outgoingMessages)
    .select(
      sql`select ${valuesInSql(outgoingMessages, row, own)} from ${destinations} d
        where d.team_id = ${teamId} and ${isWanted(type)} and ${isNew} and ${when}`,
    )
    .returning({ id: outgoingMessages.id, teamId: outgoingMessages.teamId });
}

/** True in SQL where the destination `d` takes events of the type. By the text of the partial index. */
const isWanted = (type: OutboundEventType | SQL): SQL =>
  sql`d.kind = 'events' and d.disabled_at is null
    and exists (select 1 from json_each(d.event_types) t where t.value = ${type})`;

/** True in SQL where any destination of the team takes events of the type. */
export const isEventWanted = (teamId: string, type: OutboundEventType): SQL<boolean> =>
  sql`exists (select 1 from ${destinations} d where d.team_id = ${teamId} and ${isWanted(type)})`;

/**
 * A version 7 UUID as {@link newId} makes them, another one for each row: of its parts after the instant and the count
 * all bits are random.
 */
const idInSql = (at: Date): SQL =>
  sql`${newId(at).slice(0, "xxxxxxxx-xxxx-7xxx-".length)} || substr('89ab', 1 + (random() & 3), 1)
    || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
