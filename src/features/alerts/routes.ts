// /v4/alerts: where a team hears of syncs and jobs that go wrong, and what it was sent.

import { z } from "@hono/zod-openapi";
import { ALERT_LIMITS } from "./limits.ts";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { DELIVERY_STATES } from "../../platform/db/schema/alert-schema.ts";
import { AlertDelivery } from "./deliveries/delivery.ts";
import { listAlertDeliveries } from "./deliveries/list.ts";
import { testAlertWebhook } from "./deliveries/test.ts";
import { deleteAlertWebhook } from "./webhook/delete.ts";
import { getAlertWebhook } from "./webhook/get.ts";
import { setAlertSecret } from "./webhook/set-secret.ts";
import { setAlertWebhook } from "./webhook/set.ts";
import { AlertWebhook, NewAlertWebhook, WrittenAlertWebhook } from "./webhook/webhook.ts";

export const alerts = createRouter(["Alerts", "Extensions"]);

const HOUR_SECONDS = 3_600;
const retryHours = Math.round(ALERT_LIMITS.alertRetrySeconds.reduce((sum, seconds) => sum + seconds, 0) / HOUR_SECONDS);

alerts.operation("setAlertWebhook", "PUT /webhook", {
  permission: "team:manage",
  audit: "alert_webhook.set",
  summary: "Say where the team hears of syncs and jobs that go wrong",
  description:
    "A Standard Webhook (`webhook-id`, `webhook-timestamp`, `webhook-signature`): a message when a sync or an " +
    "automation job fails or should have succeeded by now, and one when it has succeeded again, once each. What is " +
    "sent is under `webhooks` in this document. An attempt without a 2xx answer is repeated, " +
    `${ALERT_LIMITS.alertRetrySeconds.length} times over ${retryHours} hours; redirects are not followed; 410 disables the ` +
    "webhook, and setting it again enables it. Another URL keeps the secret.",
  body: NewAlertWebhook,
  answer: enveloped("The webhook; with its secret where it is new", WrittenAlertWebhook),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => setAlertWebhook(ctx, body),
});

alerts.operation("getAlertWebhook", "GET /webhook", {
  permission: "team:manage",
  summary: "Get the team's alert webhook",
  description: "Without its secret.",
  answer: enveloped("The webhook", AlertWebhook),
  fails: ["resource_not_found"],
  run: (ctx) => getAlertWebhook(ctx),
});

alerts.operation("deleteAlertWebhook", "DELETE /webhook", {
  permission: "team:manage",
  audit: "alert_webhook.delete",
  summary: "Hear of nothing any more",
  description: "What was sent, and what is on its way, is forgotten.",
  answer: nothing("Deleted"),
  fails: ["resource_not_found"],
  run: (ctx) => deleteAlertWebhook(ctx),
});

alerts.operation("setAlertSecret", "POST /webhook/secret", {
  permission: "team:manage",
  audit: "alert_secret.set",
  summary: "Make a new secret for the alert webhook",
  description:
    `Messages are signed with both for ${ALERT_LIMITS.alertSecretOverlapMs / 3_600_000} hours, so that the receiver can ` +
    "change over. The secret is in this answer and nowhere else.",
  answer: enveloped("The webhook and its new secret", WrittenAlertWebhook),
  fails: ["resource_not_found", "resource_conflict"],
  run: (ctx) => setAlertSecret(ctx),
});

alerts.operation("testAlertWebhook", "POST /webhook/test", {
  permission: "team:manage",
  audit: "alert_webhook.test",
  summary: "Send a test message",
  description:
    "At once, a single time, whatever comes of it: the answer says that. At most " +
    `${ALERT_LIMITS.alertTestsPerMinuteMax} a minute.`,
  answer: enveloped("What came of it", AlertDelivery),
  fails: ["resource_not_found", "resource_conflict"],
  run: (ctx) => testAlertWebhook(ctx),
});

alerts.operation("listAlertDeliveries", "GET /deliveries", {
  permission: "team:manage",
  summary: "List what was sent to the alert webhook",
  description: `Newest first. Kept for ${ALERT_LIMITS.alertKeptMs / 86_400_000} days after its end.`,
  query: z.strictObject({
    ...pageParameters({ limitMax: 100, limitDefault: 50 }),
    state: z.enum(DELIVERY_STATES).optional(),
  }),
  answer: enveloped("A page, newest first", pageOf("AlertDeliveryPage", AlertDelivery)),
  run: (ctx, { query }) => {
    const { state, ...page } = query;
    return listAlertDeliveries(ctx, { state }, page);
  },
});
