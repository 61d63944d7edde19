import type { Needs } from "../../clients/context.ts";
import { emptyPrefix } from "../../platform/bucket/empty-prefix.ts";
import type { Db } from "../../platform/db/client.ts";
import { selectDueMessages } from "./due/store.ts";
import { endEventsWaitingSince, releaseBehind } from "./lane/store.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { messagePrefix } from "./message.ts";
import { deleteEventsEndedBefore, deleteMessages, selectMessagesEndedBefore } from "./store.ts";

type Counts = { messagesWoken: number; messagesForgotten: number; eventsGivenUp: number; eventsForgotten: number };

/** Gives up old events, wakes what is due and was not woken, and forgets old messages with their objects. */
export async function sweepMessages(
  { db, wakeUps, bucket }: Needs<"db" | "wakeUps" | "bucket">,
  at: Date,
): Promise<Counts> {
  const eventsGivenUp = await giveUpEvents(db, at);
  const due = await selectDueMessages(db, at.toISOString(), { rowsMax: MESSAGE_LIMITS.messagesPerSweepMax });
  const messagesWoken = await wakeUps.sendAll("outgoing_message", due);
  const before = new Date(at.getTime() - MESSAGE_LIMITS.keptMs).toISOString();
  const eventsForgotten = await deleteEventsEndedBefore(db, before, MESSAGE_LIMITS.eventsForgottenPerSweepMax);
  const messagesForgotten = await forgetMessages({ db, bucket }, before);
  return { messagesWoken, messagesForgotten, eventsGivenUp, eventsForgotten };
}

/** Ends a bounded number of events that have waited too long, and releases those behind them. */
async function giveUpEvents(db: Db, at: Date): Promise<number> {
  const since = new Date(at.getTime() - MESSAGE_LIMITS.eventWaitMs).toISOString();
  const ended = { at: at.toISOString(), error: "It was given up: it had waited for three and a half days." };
  const [{ meta }] = await db.batch([
    endEventsWaitingSince(db, since, ended, MESSAGE_LIMITS.eventsGivenUpPerSweepMax),
    releaseBehind(db, ended.at),
  ]);
  return meta.changes;
}

async function forgetMessages({ db, bucket }: Needs<"db" | "bucket">, before: string): Promise<number> {
  const old = await selectMessagesEndedBefore(db, before, MESSAGE_LIMITS.forgottenPerSweepMax);
  // Objects first: a row whose objects are still there is found again.
  const isEmpty = await Promise.all(old.map((message) => emptyPrefix(bucket, messagePrefix(message), 2)));
  const gone = old.filter((_, index) => isEmpty[index]).map(({ id }) => id);
  return gone.length === 0 ? 0 : (await deleteMessages(db, gone)).length;
}
