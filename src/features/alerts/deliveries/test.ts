import { ALERT_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { requireWebhook } from "../webhook/find.ts";
import { deliverAlert, type DeliveryDeps } from "./deliver.ts";
import { planDelivery, shownDelivery, type AlertDelivery } from "./delivery.ts";
import { countTestsSince, findDelivery, insertDelivery } from "./store.ts";

const MINUTE_MS = 60_000;

/** Sends a test message at once, a single time, and answers what came of it. */
export async function testAlertWebhook(ctx: DeliveryDeps & Needs<"scope">): Promise<AlertDelivery> {
  const { scope, db } = ctx;
  const { teamId, now } = scope;
  const webhook = await requireWebhook(ctx);
  if (webhook.disabledAt !== null)
    throw new Problem(
      "resource_conflict",
      `The webhook is disabled: ${webhook.disabledReason ?? ""} Set it again to enable it.`,
    );
  const since = new Date(now.getTime() - MINUTE_MS).toISOString();
  if ((await countTestsSince(db, teamId, since)) >= ALERT_LIMITS.alertTestsPerMinuteMax)
    throw new Problem(
      "too_many_requests",
      `A team sends ${ALERT_LIMITS.alertTestsPerMinuteMax} tests a minute at most.`,
    );
  const event = { type: "alert.test" as const, timestamp: now.toISOString(), data: { team_id: teamId } };
  const delivery = planDelivery({ teamId, episode: null, event }, now);
  await db.batch([
    insertDelivery(db, delivery),
    recordAudit(db, scope, "alert_webhook.test", { id: webhook.id, after: { delivery_id: delivery.id } }),
  ]);
  await deliverAlert(ctx, delivery, () => now);
  return shownDelivery((await findDelivery(db, teamId, delivery.id)) ?? delivery);
}
