// Every statement about messages. A read takes the team first; only the sweep looks across teams.

import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { outgoingMessages } from "../../platform/db/schema/message-schema.ts";
import { automationRuns } from "../../platform/db/schema/work-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { Message } from "./message.ts";

const isMessage = (teamId: string, id: string): SQL =>
  and(eq(outgoingMessages.teamId, teamId), eq(outgoingMessages.id, id))!;

export const findMessage = (db: Db, teamId: string, id: string): Promise<Message | undefined> =>
  db.select().from(outgoingMessages).where(isMessage(teamId, id)).get();

export type MessageFilter = {
  state?: Message["state"] | undefined;
  deliveryId?: string | undefined;
  /** The messages to one destination of kind `events`. */
  destinationId?: string | undefined;
  eventType?: string | undefined;
};

/** Newest first. */
export const selectMessages = (
  db: Db,
  teamId: string,
  { state, deliveryId, destinationId, eventType }: MessageFilter,
  page: Page,
): Promise<PageOf<Message>> =>
  selectPage(db, outgoingMessages, {
    where: and(
      eq(outgoingMessages.teamId, teamId),
      state && eq(outgoingMessages.state, state),
      deliveryId === undefined ? undefined : eq(outgoingMessages.deliveryId, deliveryId),
      destinationId === undefined ? undefined : and(isEvents, eq(outgoingMessages.target, destinationId)),
      eventType === undefined ? undefined : eq(outgoingMessages.eventType, eventType),
    ),
    orderBy: [desc(outgoingMessages.createdAt), desc(outgoingMessages.id)],
    page,
  });

/** By the text of the partial indexes, which a bound value would not match. */
const isEvents: SQL = sql`${outgoingMessages.channel} = 'events'`;

/** True in SQL once the message is there. */
export const hasMessage = ({ teamId, id }: Pick<Message, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${outgoingMessages} where team_id = ${teamId} and id = ${id})`;

const COLUMNS = Object.keys(getTableColumns(outgoingMessages));

/**
 * A statement for the batch of what causes the messages; those of a team that is gone are left out, and all where
 * `when` is not true in SQL.
 */
export const insertMessages = (db: Db, messages: readonly Message[], when: SQL = sql`true`) =>
  db
    .insert(outgoingMessages)
    .select(
      sql`select ${sql.join(
        COLUMNS.map((name) => sql`m.value ->> ${sql.raw(`'${name}'`)}`),
        sql`, `,
      )} from json_each(${JSON.stringify(messages)}) m
        where exists (select 1 from teams t where t.id = m.value ->> 'teamId' and t.deleted_at is null)
          and ${when}`,
    )
    .returning({ id: outgoingMessages.id });

/** Says whether nobody has moved it on since it was seen, and `onlyIf` is true in SQL. */
export const saveMessage = (db: Db, seen: Message, { id: _, teamId: __, ...next }: Message, onlyIf?: SQL) =>
  db
    .update(outgoingMessages)
    .set(next)
    .where(
      and(
        isMessage(seen.teamId, seen.id),
        eq(outgoingMessages.revision, seen.revision),
        isNull(outgoingMessages.endedAt),
        onlyIf,
      ),
    )
    .returning({ id: outgoingMessages.id });

// ── The messages of one run ────────────────────────────────────────────────────────────────────────────────────────

/** A run of a delivery; the messages of one are looked up by its delivery. */
export type DeliveryRun = { teamId: string; deliveryId: string; runId: string };

const isOfRun = ({ teamId, deliveryId, runId }: DeliveryRun): SQL =>
  and(
    eq(outgoingMessages.teamId, teamId),
    eq(outgoingMessages.deliveryId, deliveryId),
    eq(outgoingMessages.runId, runId),
  )!;

export const selectMessagesOf = (
  db: Db,
  run: DeliveryRun,
): Promise<Pick<Message, "target" | "state" | "attempts" | "error">[]> =>
  db
    .select({
      target: outgoingMessages.target,
      state: outgoingMessages.state,
      attempts: outgoingMessages.attempts,
      error: outgoingMessages.error,
    })
    .from(outgoingMessages)
    .where(isOfRun(run))
    .orderBy(asc(outgoingMessages.id));

/** The states of what the last run of a delivery that sent anything has sent. */
export const selectLastStates = async (
  db: Db,
  { teamId, deliveryId }: Pick<DeliveryRun, "teamId" | "deliveryId">,
): Promise<Message["state"][]> => {
  const isOfDelivery = and(eq(outgoingMessages.teamId, teamId), eq(outgoingMessages.deliveryId, deliveryId));
  const last = db
    .select({ runId: outgoingMessages.runId })
    .from(outgoingMessages)
    .where(isOfDelivery)
    .orderBy(desc(outgoingMessages.createdAt), desc(outgoingMessages.id))
    .limit(1);
  const rows = await db
    .selectDistinct({ state: outgoingMessages.state })
    .from(outgoingMessages)
    .where(and(isOfDelivery, eq(outgoingMessages.runId, last)));
  return rows.map(({ state }) => state);
};

/** Whether the run that made a message was ended by somebody, or by its time: nothing more of it is sent. */
export const isWithdrawn = async (db: Db, { teamId, runId }: Pick<Message, "teamId" | "runId">): Promise<boolean> =>
  runId !== null &&
  (await db.$count(
    automationRuns,
    and(
      eq(automationRuns.teamId, teamId),
      eq(automationRuns.id, runId),
      or(isNotNull(automationRuns.cancelRequestedAt), inArray(automationRuns.state, ["cancelled", "timed_out"])),
    ),
  )) > 0;

/** Takes back what no attempt is at; the outcome of one under way counts. */
export const endMessagesOfRun = (db: Db, run: DeliveryRun, { error, at }: { error: string; at: string }) =>
  db
    .update(outgoingMessages)
    .set({ state: "failed", error, endedAt: at, revision: sql`${outgoingMessages.revision} + 1` })
    .where(and(isOfRun(run), isNull(outgoingMessages.endedAt), eq(outgoingMessages.isClaimed, false)));

/** A bounded number of old ones that may have objects. By the text of the partial index. */
export const selectMessagesEndedBefore = (db: Db, endedBefore: string, rowsMax: number) =>
  db
    .select({ id: outgoingMessages.id, teamId: outgoingMessages.teamId })
    .from(outgoingMessages)
    .where(sql`${outgoingMessages.endedAt} < ${endedBefore} and ${outgoingMessages.payload} is null`)
    .orderBy(asc(outgoingMessages.endedAt))
    .limit(rowsMax);

export const deleteMessages = (db: Db, ids: readonly string[]) =>
  db
    .delete(outgoingMessages)
    .where(inArray(outgoingMessages.id, [...ids]))
    .returning({ id: outgoingMessages.id });

/** Forgets a bounded number of old events: all of an event is in its row. */
export async function deleteEventsEndedBefore(db: Db, endedBefore: string, rowsMax: number): Promise<number> {
  const { meta } = await db.delete(outgoingMessages).where(
    sql`rowid in (select rowid from outgoing_messages where ended_at < ${endedBefore} and payload is not null
      order by ended_at limit ${rowsMax})`,
  );
  return meta.changes;
}
