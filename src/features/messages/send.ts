// The consumer: one attempt to send a message. Duplicates of a wake-up message make none of the attempt.

import type { SQL } from "drizzle-orm";
import type { Clients } from "../../clients/clients.ts";
import type { Needs } from "../../clients/context.ts";
import type { Sent } from "../../core/messages.ts";
import type { WakeUpSubject } from "../../platform/messages.ts";
import { attemptOf, brokenAttemptOf, type Attempt } from "./attempts/attempt.ts";
import { insertAttempt } from "./attempts/store.ts";
import { EMPTY_CONTENT, type MessageContent } from "./content.ts";
import { hasPlace, releaseNext } from "./lane/store.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { afterAttempt, afterBreak, claimed, isDue, withdrawn, type Message } from "./message.ts";
import { findMessage, isWithdrawn, saveMessage } from "./store.ts";
import type { Transport, Transports } from "./transport.ts";
import { wakeLane, wakeMessages } from "./wake.ts";

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
  if (broken) return void (await saveStep(db, seen, broken, { made: brokenAttemptOf(seen, broken) }));
  if (await isWithdrawn(db, seen)) return void (await saveMessage(db, seen, withdrawn(seen, now)));
  const message = claimed(seen, now);
  const left = seen.isClaimed ? brokenAttemptOf(seen, message) : undefined;
  const onlyIf = hasPlace(message, now.toISOString(), MESSAGE_LIMITS.eventsUnderWayMax);
  if (!(await saveStep(db, seen, message, { made: left, onlyIf }))) return;
  const startedAt = clock();
  const sent = await attempt(clients, transport, message, startedAt);
  const endedAt = clock();
  const next = afterAttempt(message, sent, { isRepeatable, now: endedAt });
  const made = attemptOf(next, sent, endedAt.getTime() - startedAt.getTime());
  await record(clients, { message, next, made, now: endedAt });
  // A receiver that gives no answer has few attempts under way.
  if (sent.kind === "unknown") return;
  if (message.channel === "events") await wakeLane(clients, message, { isTaken: sent.kind === "sent", now: clock() });
  else await wakeMessages(clients, teamId, clock());
}

/**
 * Records a step, with the attempt that it ends and the release of the message behind it, in one batch. False where
 * somebody else has moved the message on, or `onlyIf` is not true in SQL.
 */
async function saveStep(
  db: Needs<"db">["db"],
  seen: Message,
  next: Message,
  { made, onlyIf }: { made?: Attempt | undefined; onlyIf?: SQL },
): Promise<boolean> {
  const { orderKey } = next;
  const [saved] = await db.batch([
    saveMessage(db, seen, next, onlyIf),
    ...(made ? [insertAttempt(db, made)] : []),
    ...(orderKey !== null && next.endedAt !== null ? [releaseNext(db, { ...next, orderKey })] : []),
  ]);
  return saved.length > 0;
}

async function attempt(clients: Clients, transport: Transport, message: Message, now: Date): Promise<Sent> {
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
  return transport.send(clients, message, content, now).catch((error: unknown): Sent => {
    fail("message_outcome_unknown", error);
    return { kind: "unknown", error: "The platform did not learn whether the message was taken." };
  });
}

/** An event has its payload with it. */
async function readContent(
  { bucket }: Needs<"bucket">,
  { contentKey, payload, subject }: Message,
): Promise<MessageContent | undefined> {
  if (payload !== null) return { ...EMPTY_CONTENT, subject };
  const object = await bucket.read(contentKey);
  if (!object) return undefined;
  if (object.size > MESSAGE_LIMITS.contentBytesMax) {
    await object.body.cancel();
    throw new Error(`${contentKey} has ${object.size} bytes.`);
  }
  return new Response(object.body).json<MessageContent>();
}

async function record(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  { message, next, made, now }: { message: Message; next: Message; made: Attempt; now: Date },
): Promise<void> {
  await saveStep(db, message, next, { made });
  const waitMs = Date.parse(next.dueAt) - now.getTime();
  // The sweep sends a message for what is due later.
  if (next.endedAt === null && waitMs < MESSAGE_LIMITS.attemptMs) await wakeUps.send("outgoing_message", next, waitMs);
}
