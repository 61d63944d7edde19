// The noun: one message that goes out on one channel to one receiver, and what becomes of it. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { CHANNELS, type Channel, type Sent } from "../../core/messages.ts";
import { retryWaitMs } from "../../core/retry-wait.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { shownBy } from "../../http/shown-by.ts";
import { MESSAGE_STATES, type outgoingMessages } from "../../platform/db/schema/message-schema.ts";
import { MESSAGE_LIMITS } from "./limits.ts";

const instant = z.iso.datetime();

export const OutgoingMessage = z
  .object({
    id: z.uuid(),
    channel: z.enum(CHANNELS),
    target: z
      .string()
      .openapi({
        description: "An e-mail address; of Slack `<integration id>/<channel id>`; of the others a destination's id.",
      }),
    subject: z.string(),
    cause: z
      .enum(["delivery", "event", "api"])
      .openapi({ description: "`api`: a request, of a run's where `run_id` is there." }),
    event_type: z.string().nullable().openapi({ description: "Null where it is no event." }),
    payload: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: "An event's body, as `webhooks` of this document say; null where it is no event." }),
    is_held: z
      .boolean()
      .openapi({ description: "Whether it waits until an earlier event of the same run or subject has ended." }),
    delivery_id: z.uuid().nullable(),
    run_id: z.uuid().nullable(),
    state: z
      .enum(MESSAGE_STATES)
      .openapi({
        description:
          "`failed`: given up. `unknown`: nobody knows how its last attempt ended, so it may have arrived; it is not " +
          "sent again. `error` says why.",
      }),
    attempts: z.number().int().openapi({ description: "Begun so far." }),
    attempts_max: z.number().int(),
    next_attempt_at: instant.nullable().openapi({ description: "Null once it has ended, and while it is held." }),
    reference: z.string().nullable().openapi({ description: "The channel's own name of it." }),
    error: z.string().nullable().openapi({ description: "Why the last attempt was no success." }),
    note: z.string().nullable().openapi({ description: "What of a message that was sent stayed behind, and why." }),
    created_at: instant,
    attempted_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .openapi("OutgoingMessage");
export type OutgoingMessage = z.infer<typeof OutgoingMessage>;

/** A message is its row. `revision` rises with every step. */
export type Message = typeof outgoingMessages.$inferSelect;

export type NewMessage = Pick<Message, "teamId" | "channel" | "target" | "subject"> &
  Partial<Pick<Message, "deliveryId" | "runId" | "contentKey">>;

/** All objects of a message lie below it. */
export const messagePrefix = ({ teamId, id }: Pick<Message, "teamId" | "id">): string => `${teamId}/messages/${id}/`;

/** Where what a message says is kept. Messages that say the same may share the object of the first of them. */
export const contentKeyOf = (message: Pick<Message, "teamId" | "id">): string =>
  `${messagePrefix(message)}content.json`;

/** A new message is due at once. */
export function planMessage({ teamId, channel, target, subject, ...cause }: NewMessage, now: Date): Message {
  const [id, at] = [newId(now), now.toISOString()];
  return {
    ...{ id, teamId, channel, target },
    subject: oneLine(subject, MESSAGE_LIMITS.subjectCharactersMax) || "(no subject)",
    deliveryId: cause.deliveryId ?? null,
    runId: cause.runId ?? null,
    contentKey: cause.contentKey ?? contentKeyOf({ teamId, id }),
    state: "pending",
    ...{ attempts: 0, isClaimed: false, dueAt: at, reference: null, error: null, note: null, revision: 0 },
    ...{ createdAt: at, attemptedAt: null, endedAt: null },
    ...{ eventType: null, payload: null, orderKey: null, isHeld: false, waitsSince: null },
  };
}

const { retrySeconds, eventRetrySeconds } = MESSAGE_LIMITS;

/** By channel, the pauses after attempts that failed. */
export const RETRY_SECONDS: Record<Channel, readonly number[]> = {
  email: retrySeconds,
  slack: retrySeconds,
  teams: retrySeconds,
  webhook: retrySeconds,
  events: eventRetrySeconds,
};

export const attemptsMaxOf = ({ channel }: Pick<Message, "channel">): number => RETRY_SECONDS[channel].length + 1;

export const isDue = ({ endedAt, isHeld, dueAt }: Message, now: Date): boolean =>
  endedAt === null && !isHeld && dueAt <= now.toISOString();

const next = (message: Message): Message => ({ ...message, revision: message.revision + 1 });

/** An attempt counts as it begins: one whose Worker dies is one. */
export const claimed = (message: Message, now: Date): Message => ({
  ...next(message),
  attempts: message.attempts + 1,
  isClaimed: true,
  dueAt: new Date(now.getTime() + MESSAGE_LIMITS.attemptMs).toISOString(),
  attemptedAt: now.toISOString(),
});

const ended = (message: Message, state: Message["state"], error: string | null, now: Date): Message => ({
  ...next(message),
  ...{ state, isClaimed: false, endedAt: now.toISOString() },
  error: error && oneLine(error, MESSAGE_LIMITS.errorCharactersMax),
});

/** The message's state after an attempt. `isRepeatable`: whether its channel takes a message that comes twice once. */
export function afterAttempt(
  message: Message,
  sent: Sent,
  { isRepeatable, now }: { isRepeatable: boolean; now: Date },
): Message {
  if (sent.kind === "sent") {
    const note = sent.note === undefined ? null : oneLine(sent.note, MESSAGE_LIMITS.errorCharactersMax);
    return { ...ended(message, "sent", null, now), reference: sent.reference, note };
  }
  if (sent.kind === "refused") return ended(message, "failed", sent.error, now);
  const isLast = message.attempts >= attemptsMaxOf(message);
  if (sent.kind === "unknown" && (isLast || !isRepeatable)) return ended(message, "unknown", sent.error, now);
  if (isLast) return ended(message, "failed", sent.error, now);
  const asked = sent.kind === "failed" ? Math.min(sent.retryAfterMs ?? 0, MESSAGE_LIMITS.retryAfterMsMax) : 0;
  const waitMs = Math.max(asked, retryWaitMs(RETRY_SECONDS[message.channel], message));
  return {
    ...next(message),
    isClaimed: false,
    error: oneLine(sent.error, MESSAGE_LIMITS.errorCharactersMax),
    dueAt: new Date(now.getTime() + waitMs).toISOString(),
  };
}

/** The end of a message whose run was ended before it arrived. */
export const withdrawn = (message: Message, now: Date): Message =>
  ended(message, "failed", "Its run was ended before it arrived.", now);

export const BROKE_OFF = "The attempt broke off. The message may have arrived, or not.";

/** The end of a message whose attempt broke off; undefined where it is tried again. */
export function afterBreak(
  message: Message,
  { isRepeatable, now }: { isRepeatable: boolean; now: Date },
): Message | undefined {
  if (!message.isClaimed) return undefined;
  const isOver = !isRepeatable || message.attempts >= attemptsMaxOf(message);
  return isOver ? ended(message, "unknown", BROKE_OFF, now) : undefined;
}

export const shownMessage = (message: Message): OutgoingMessage =>
  shownBy(OutgoingMessage, message, {
    cause: message.eventType !== null ? "event" : message.deliveryId === null ? "api" : "delivery",
    payload: message.payload === null ? null : (JSON.parse(message.payload) as Record<string, unknown>),
    is_held: message.isHeld && message.endedAt === null,
    attempts_max: attemptsMaxOf(message),
    next_attempt_at: message.endedAt === null && !message.isHeld ? message.dueAt : null,
  });
