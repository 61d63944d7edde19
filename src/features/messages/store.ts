// Every statement about messages. A read takes the team first; only the sweep looks across teams.

import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { outgoingMessages } from "../../platform/db/schema/message-schema.ts";
import { automationRuns } from "../../platform/db/schema/work-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
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
    toItem: (row) => row,
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

/** By the text of the partial index. */
const isDueInSql = (at: string): SQL =>
  sql`${outgoingMessages.endedAt} is null and ${outgoingMessages.isHeld} = 0 and ${outgoingMessages.dueAt} <= ${at}`;

/** True in SQL of a message that was tried before. */
const isRepeat: SQL = sql`(${outgoingMessages.attempts} > 0)`;

/**
 * The first of each team and channel, of events of each destination; of all teams or of one. Of those that were tried
 * before it is one at a time, beside the others: a receiver that is slow or broken holds few places in the queue, and
 * keeps no new message, no other channel and no other team from its turn.
 */
export function selectDueMessages(
  db: Db,
  at: string,
  { rowsMax, teamId }: { rowsMax: number; teamId?: string },
): Promise<Pick<Message, "id" | "teamId">[]> {
  const { id, teamId: team, channel, target, dueAt } = outgoingMessages;
  const lane = sql`${team}, ${channel}, iif(${isEvents}, ${target}, ''), ${isRepeat}`;
  const due = db
    .select({
      ...{ id, teamId: team, dueAt },
      isRepeat: isRepeat.as("is_repeat"),
      place: sql<number>`row_number() over (partition by ${lane} order by ${dueAt}, ${id})`.as("place"),
    })
    .from(outgoingMessages)
    .where(and(isDueInSql(at), teamId === undefined ? undefined : eq(team, teamId)))
    .as("due");
  return db
    .select({ id: due.id, teamId: due.teamId })
    .from(due)
    .where(sql`${due.place} <= iif(${due.isRepeat}, 1, ${MESSAGE_LIMITS.wakeUpsPerChannelMax})`)
    .orderBy(asc(due.isRepeat), asc(due.place), asc(due.dueAt))
    .limit(rowsMax);
}

/** A bounded number of old ones. */
export const selectMessagesEndedBefore = (db: Db, endedBefore: string, rowsMax: number) =>
  db
    .select({ id: outgoingMessages.id, teamId: outgoingMessages.teamId })
    .from(outgoingMessages)
    .where(and(isNotNull(outgoingMessages.endedAt), lt(outgoingMessages.endedAt, endedBefore)))
    .orderBy(asc(outgoingMessages.endedAt))
    .limit(rowsMax);

export const deleteMessages = (db: Db, ids: readonly string[]) =>
  db
    .delete(outgoingMessages)
    .where(inArray(outgoingMessages.id, [...ids]))
    .returning({ id: outgoingMessages.id });
