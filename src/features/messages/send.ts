// The consumer: one attempt to send a message. Duplicates of a wake-up message make none of the attempt.

import type { Clients } from "../../clients/clients.ts";
import type { Needs } from "../../clients/context.ts";
import type { Sent } from "../../core/messages.ts";
import type { WakeUpSubject } from "../../platform/messages.ts";
import type { MessageContent } from "./content.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { afterAttempt, afterBreak, claimed, isDue, withdrawn, type Message } from "./message.ts";
import { findMessage, isWithdrawn, saveMessage } from "./store.ts";
import type { Transports } from "./transport.ts";
import { wakeMessages } from "./wake.ts";

/**
 * Makes the attempt that is due, if one is. A message whose last attempt broke off is tried again only where its
 * channel takes it once; on the others it ends as `unknown`, and is never sent twice.
 */
export async function sendMessage(
  clients: Clients,
  transports: Transports,
  { teamId, id }: WakeUpSubject,
  clock: () => Date = () => new Date(),
): Promise<void> {
  const { db } = clients;
  const now = clock();
  const seen = await findMessage(db, teamId, id);
  if (!seen || !isDue(seen, now)) return;
  const transport = transports[seen.channel];
  const { isRepeatable } = transport;
  const broken = afterBreak(seen, { isRepeatable, now });
  if (broken) return void (await saveMessage(db, seen, broken));
  if (await isWithdrawn(db, seen)) return void (await saveMessage(db, seen, withdrawn(seen, now)));
  const message = claimed(seen, now);
  if ((await saveMessage(db, seen, message)).length === 0) return;
  const sent = await attempt(clients, transport, message);
  await record(clients, message, afterAttempt(message, sent, { isRepeatable, now: clock() }), clock());
  // A receiver that gives no answer has few attempts under way.
  if (sent.kind !== "unknown") await wakeMessages(clients, teamId, clock());
}

async function attempt(clients: Clients, transport: Transports[Message["channel"]], message: Message): Promise<Sent> {
  const { teamId, id } = message;
  const fail = (event: string, error: unknown): void =>
    console.error(JSON.stringify({ event, teamId, id, channel: message.channel, cause: String(error) }));
  let content: MessageContent | undefined;
  try {
    content = await readContent(clients, message);
  } catch (error) {
    fail("message_not_read", error);
    return { kind: "failed", error: "What the message says could not be read." };
  }
  if (!content) return { kind: "refused", error: "What the message says is gone." };
  return transport.send(clients, message, content).catch((error: unknown): Sent => {
    fail("message_outcome_unknown", error);
    return { kind: "unknown", error: "The platform did not learn whether the message was taken." };
  });
}

async function readContent({ bucket }: Needs<"bucket">, { contentKey }: Message): Promise<MessageContent | undefined> {
  const object = await bucket.read(contentKey);
  if (!object) return undefined;
  if (object.size > MESSAGE_LIMITS.contentBytesMax) {
    await object.body.cancel();
    throw new Error(`${contentKey} has ${object.size} bytes.`);
  }
  return new Response(object.body).json<MessageContent>();
}

async function record({ db, wakeUps }: Needs<"db" | "wakeUps">, message: Message, next: Message, now: Date) {
  await saveMessage(db, message, next);
  const waitMs = Date.parse(next.dueAt) - now.getTime();
  // The sweep sends a message for what is due later.
  if (next.endedAt === null && waitMs < MESSAGE_LIMITS.attemptMs) await wakeUps.send("outgoing_message", next, waitMs);
}
