// Every statement about requests that were named by a key.

import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { messageRequests, outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import type { Message } from "../message.ts";
import { hasMessage } from "../store.ts";
import type { EarlierRequest, NamedRequest } from "./request.ts";

const isNamed = ({ teamId, callerId, key }: NamedRequest): SQL =>
  and(eq(messageRequests.teamId, teamId), eq(messageRequests.callerId, callerId), eq(messageRequests.key, key))!;

export const findRequest = (db: Db, request: NamedRequest): Promise<EarlierRequest | undefined> =>
  db
    .select({
      bodyHash: messageRequests.bodyHash,
      answer: messageRequests.answer,
      message: { endedAt: outgoingMessages.endedAt, dueAt: outgoingMessages.dueAt, error: outgoingMessages.error },
    })
    .from(messageRequests)
    .innerJoin(outgoingMessages, eq(outgoingMessages.id, messageRequests.messageId))
    .where(isNamed(request))
    .get();

/** True in SQL where nothing was sent under the request's name; always, where it has none. */
export const isFirst = (request: NamedRequest | undefined): SQL =>
  request === undefined ? sql`true` : sql`not exists (select 1 from ${messageRequests} where ${isNamed(request)})`;

/** For the batch that writes the message, behind it: nothing is written where the message was not. */
export const insertRequest = (
  db: Db,
  { teamId, callerId, key, bodyHash }: NamedRequest,
  { message, answer }: { message: Message; answer: string | null },
) =>
  db
    .insert(messageRequests)
    .select(
      sql`select ${message.id}, ${teamId}, ${callerId}, ${key}, ${bodyHash}, ${answer} where ${hasMessage(message)}`,
    );

const isOf = ({ teamId, id }: Pick<Message, "teamId" | "id">): SQL =>
  and(eq(messageRequests.teamId, teamId), eq(messageRequests.messageId, id))!;

export const setAnswer = (db: Db, message: Message, answer: string) =>
  db.update(messageRequests).set({ answer }).where(isOf(message));

/** The next request of this name is the first. */
export const deleteRequest = (db: Db, message: Message) => db.delete(messageRequests).where(isOf(message));
