// The consumer: one attempt to send a message. Duplicates of a wake-up message make none of the attempt.

import { ALERT_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { signWebhook } from "../../../platform/crypto/webhook-signature.ts";
import type { WakeUpSubject } from "../../../platform/messages.ts";
import type { WebhookAnswer } from "../../../platform/webhooks/send-webhook.ts";
import { openSecrets } from "../webhook/secrets.ts";
import { flawOfUrl } from "../../../platform/webhooks/flaw-of-url.ts";
import { disableWebhook, findWebhook } from "../webhook/store.ts";
import type { Webhook } from "../webhook/webhook.ts";
import { afterAttempt, attemptsMaxOf, claimed, givenUp, GONE, isDue, type Delivery } from "./delivery.ts";
import { findDelivery, giveUpDeliveriesOf, isHeld, saveDelivery, selectDueDeliveries } from "./store.ts";

export type DeliveryDeps = Needs<"db" | "vault" | "settings" | "sendWebhook" | "wakeUps">;

/** Makes the attempt that is due, if one is. A message that may have arrived comes again under the same id. */
export async function deliverAlert(
  deps: DeliveryDeps,
  { teamId, id }: WakeUpSubject,
  clock: () => Date = () => new Date(),
): Promise<void> {
  const { db } = deps;
  const now = clock();
  const seen = await findDelivery(db, teamId, id);
  const webhook = await findWebhook(db, teamId);
  if (!seen || !webhook || !isDue(seen, now) || (await isHeld(db, seen))) return;
  const isOver = seen.attempts >= attemptsMaxOf(seen);
  if (webhook.disabledAt !== null || isOver) {
    const reason = isOver ? "The last attempt broke off." : (webhook.disabledReason ?? "The webhook is disabled.");
    await saveDelivery(db, seen, { ...givenUp(seen, reason, now), revision: seen.revision + 1 });
    return;
  }
  const delivery = claimed(seen, now);
  if ((await saveDelivery(db, seen, delivery)).length === 0) return;
  const answer = await attempt(deps, webhook, delivery, now);
  await record(deps, { webhook, delivery, answer }, clock());
  if ("status" in answer) await wakeNext(deps, teamId, clock());
}

/** The team's other due deliveries follow an answer: a receiver that gives none has few attempts under way. */
async function wakeNext({ db, wakeUps }: DeliveryDeps, teamId: string, now: Date): Promise<void> {
  const rowsMax = ALERT_LIMITS.alertWakeUpsPerTeamMax;
  await wakeUps.sendAll("alert_delivery", await selectDueDeliveries(db, now.toISOString(), { rowsMax, teamId }));
}

async function attempt(
  deps: DeliveryDeps,
  webhook: Webhook,
  { id, payload: body }: Delivery,
  at: Date,
): Promise<WebhookAnswer> {
  // Rules and settings may have changed since the URL was set.
  const flaw = flawOfUrl(deps, webhook.url);
  if (flaw !== undefined) return { error: `Nothing can be sent to the webhook's URL. ${flaw}` };
  try {
    const headers = await signWebhook(await openSecrets(deps, webhook, at), { id, at, body });
    return await deps.sendWebhook({ url: webhook.url, headers, body, deadlineMs: ALERT_LIMITS.alertAnswerMs });
  } catch (error) {
    console.error(JSON.stringify({ event: "alert_not_sent", teamId: webhook.teamId, id, cause: String(error) }));
    return { error: "The platform could not send it." };
  }
}

type Attempted = { webhook: Webhook; delivery: Delivery; answer: WebhookAnswer };

async function record({ db, wakeUps }: DeliveryDeps, { webhook, delivery, answer }: Attempted, now: Date) {
  const { teamId } = webhook;
  const next = afterAttempt(delivery, answer, now);
  if ("status" in answer && answer.status === GONE) {
    const [at, reason] = [now.toISOString(), "The webhook's host answered 410, and wants nothing more."];
    await db.batch([
      saveDelivery(db, delivery, next),
      disableWebhook(db, webhook, reason, at),
      giveUpDeliveriesOf(db, teamId, reason, at),
    ]);
    return;
  }
  await saveDelivery(db, delivery, next);
  const waitMs = Date.parse(next.dueAt) - now.getTime();
  // The sweep sends a message for what is due later.
  if (next.endedAt === null && waitMs < ALERT_LIMITS.alertAttemptMs)
    await wakeUps.send("alert_delivery", delivery, waitMs);
}
