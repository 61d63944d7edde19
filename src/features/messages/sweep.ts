import type { Needs } from "../../clients/context.ts";
import { emptyPrefix } from "../../platform/bucket/empty-prefix.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { messagePrefix } from "./message.ts";
import { deleteMessages, selectDueMessages, selectMessagesEndedBefore } from "./store.ts";

type Counts = { messagesWoken: number; messagesForgotten: number };

/** Wakes what is due and was not woken, and forgets old messages with their objects. */
export async function sweepMessages(
  { db, wakeUps, bucket }: Needs<"db" | "wakeUps" | "bucket">,
  at: Date,
): Promise<Counts> {
  const due = await selectDueMessages(db, at.toISOString(), { rowsMax: MESSAGE_LIMITS.messagesPerSweepMax });
  const messagesWoken = await wakeUps.sendAll("outgoing_message", due);
  const before = new Date(at.getTime() - MESSAGE_LIMITS.keptMs).toISOString();
  const old = await selectMessagesEndedBefore(db, before, MESSAGE_LIMITS.forgottenPerSweepMax);
  // Objects first: a row whose objects are still there is found again.
  const isEmpty = await Promise.all(old.map((message) => emptyPrefix(bucket, messagePrefix(message), 2)));
  const gone = old.filter((_, index) => isEmpty[index]).map(({ id }) => id);
  const messagesForgotten = gone.length === 0 ? 0 : (await deleteMessages(db, gone)).length;
  return { messagesWoken, messagesForgotten };
}
