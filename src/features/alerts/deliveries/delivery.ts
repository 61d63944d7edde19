// The noun: one message to a team's webhook, and what becomes of it. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../../core/ids.ts";
import { ALERT_LIMITS } from "../limits.ts";
import { retryWaitMs } from "../../../core/retry-wait.ts";
import { shownBy } from "../../../http/shown-by.ts";
import { ALERT_TYPES, DELIVERY_STATES, type alertDeliveries } from "../../../platform/db/schema/alert-schema.ts";
import type { WebhookAnswer } from "../../../platform/webhooks/send-webhook.ts";
import type { AlertEvent } from "../episodes/event.ts";

const instant = z.iso.datetime();

export const AlertDelivery = z
  .object({
    id: z.uuid().openapi({ description: "Sent as `webhook-id` with each attempt." }),
    type: z.enum(ALERT_TYPES),
    episode_id: z.uuid().nullable().openapi({ description: "Null for a test." }),
    state: z.enum(DELIVERY_STATES).openapi({ description: "`failed`: given up. `error` says why." }),
    attempts: z.number().int().openapi({ description: "Begun so far." }),
    attempts_max: z.number().int(),
    next_attempt_at: instant
      .nullable()
      .openapi({ description: "Not before an earlier message about the same sync or job is delivered or given up." }),
    status: z.number().int().nullable().openapi({ description: "What the host answered last; null for no answer." }),
    error: z.string().nullable().openapi({ description: "Why the last attempt was no success." }),
    payload: z
      .record(z.string(), z.unknown())
      .openapi({ description: "The body that is sent, of the form that `webhooks` of this document say." }),
    created_at: instant,
    attempted_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .openapi("AlertDelivery");
export type AlertDelivery = z.infer<typeof AlertDelivery>;

/** A delivery is its row. `revision` rises with every step. */
export type Delivery = typeof alertDeliveries.$inferSelect;

/** An episode, with the sync or job that it is about. */
type EpisodeName = { id: string; subjectId: string };

export const planDelivery = (
  { teamId, episode, event }: { teamId: string; episode: EpisodeName | null; event: AlertEvent },
  now: Date,
): Delivery => ({
  id: newId(now),
  teamId,
  episodeId: episode?.id ?? null,
  subjectId: episode?.subjectId ?? null,
  type: event.type,
  payload: JSON.stringify(event),
  state: "pending",
  attempts: 0,
  dueAt: now.toISOString(),
  status: null,
  error: null,
  revision: 0,
  createdAt: now.toISOString(),
  attemptedAt: null,
  endedAt: null,
});

/** A test is for whoever waits for its answer. */
export const attemptsMaxOf = ({ type }: Pick<Delivery, "type">): number =>
  type === "alert.test" ? 1 : ALERT_LIMITS.alertRetrySeconds.length + 1;

export const isDue = ({ endedAt, dueAt }: Delivery, now: Date): boolean =>
  endedAt === null && dueAt <= now.toISOString();

/** An attempt counts as it begins: one whose Worker dies is one, and the next comes when its time is over. */
export const claimed = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  dueAt: new Date(now.getTime() + ALERT_LIMITS.alertAttemptMs).toISOString(),
  attemptedAt: now.toISOString(),
  revision: delivery.revision + 1,
});

export const GONE = 410;

/** The delivery's state after an attempt. */
export function afterAttempt(delivery: Delivery, answer: WebhookAnswer, now: Date): Delivery {
  const status = "status" in answer ? answer.status : null;
  const next = { ...delivery, status, revision: delivery.revision + 1 };
  if (status !== null && status >= 200 && status < 300)
    return { ...next, state: "delivered", error: null, endedAt: now.toISOString() };
  const error = "error" in answer ? answer.error : describe(answer.status);
  if (status === GONE || delivery.attempts >= attemptsMaxOf(delivery)) return givenUp({ ...next, error }, error, now);
  return {
    ...next,
    error,
    dueAt: new Date(now.getTime() + retryWaitMs(ALERT_LIMITS.alertRetrySeconds, delivery)).toISOString(),
  };
}

export const givenUp = (delivery: Delivery, error: string, now: Date): Delivery => ({
  ...delivery,
  state: "failed",
  error,
  endedAt: now.toISOString(),
});

function describe(status: number): string {
  if (status === GONE) return "The host answered 410: it wants nothing more, so the webhook was disabled.";
  if (status >= 300 && status < 400) return `The host answered ${status}; redirects are not followed.`;
  return `The host answered ${status}.`;
}

export const shownDelivery = (delivery: Delivery): AlertDelivery =>
  shownBy(AlertDelivery, delivery, {
    attempts_max: attemptsMaxOf(delivery),
    next_attempt_at: delivery.endedAt === null ? delivery.dueAt : null,
    payload: JSON.parse(delivery.payload) as Record<string, unknown>,
  });
