// /v4/alerts: where a team hears of syncs and jobs that go wrong, and what it was sent.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { BODY_FAILURES, envelope, enveloped, fails, json, pageOf } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
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

export const alerts = createRouter();

const TAGS = ["Alerts", "Extensions"];
const HOUR_SECONDS = 3_600;
const retryHours = Math.round(LIMITS.alertRetrySeconds.reduce((sum, seconds) => sum + seconds, 0) / HOUR_SECONDS);

alerts.openapi(
  operation({
    method: "put",
    path: "/webhook",
    operationId: "setAlertWebhook",
    summary: "Say where the team hears of syncs and jobs that go wrong",
    description:
      "A Standard Webhook (`webhook-id`, `webhook-timestamp`, `webhook-signature`): a message when a sync or an " +
      "automation job fails or should have succeeded by now, and one when it has succeeded again, once each. What is " +
      "sent is under `webhooks` in this document. An attempt without a 2xx answer is repeated, " +
      `${LIMITS.alertRetrySeconds.length} times over ${retryHours} hours; redirects are not followed; 410 disables the ` +
      "webhook, and setting it again enables it. Another URL keeps the secret.",
    tags: TAGS,
    permission: "team:manage",
    request: { body: { required: true, ...json(NewAlertWebhook) } },
    responses: {
      200: enveloped("The webhook; with its secret where it is new", WrittenAlertWebhook),
      ...fails("resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json(envelope(c, await setAlertWebhook(c.get("ctx"), c.req.valid("json"))), 200),
);

alerts.openapi(
  operation({
    method: "get",
    path: "/webhook",
    operationId: "getAlertWebhook",
    summary: "Get the team's alert webhook",
    description: "Without its secret.",
    tags: TAGS,
    permission: "team:manage",
    responses: { 200: enveloped("The webhook", AlertWebhook), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getAlertWebhook(c.get("ctx"))), 200),
);

alerts.openapi(
  operation({
    method: "delete",
    path: "/webhook",
    operationId: "deleteAlertWebhook",
    summary: "Hear of nothing any more",
    description: "What was sent, and what is on its way, is forgotten.",
    tags: TAGS,
    permission: "team:manage",
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteAlertWebhook(c.get("ctx"));
    return c.body(null, 204);
  },
);

alerts.openapi(
  operation({
    method: "post",
    path: "/webhook/secret",
    operationId: "setAlertSecret",
    summary: "Make a new secret for the alert webhook",
    description:
      `Messages are signed with both for ${LIMITS.alertSecretOverlapMs / 3_600_000} hours, so that the receiver can ` +
      "change over. The secret is in this answer and nowhere else.",
    tags: TAGS,
    permission: "team:manage",
    responses: {
      200: enveloped("The webhook and its new secret", WrittenAlertWebhook),
      ...fails("resource_not_found", "resource_conflict"),
    },
  }),
  async (c) => c.json(envelope(c, await setAlertSecret(c.get("ctx"))), 200),
);

alerts.openapi(
  operation({
    method: "post",
    path: "/webhook/test",
    operationId: "testAlertWebhook",
    summary: "Send a test message",
    description:
      "At once, a single time, whatever comes of it: the answer says that. At most " +
      `${LIMITS.alertTestsPerMinuteMax} a minute.`,
    tags: TAGS,
    permission: "team:manage",
    responses: {
      200: enveloped("What came of it", AlertDelivery),
      ...fails("resource_not_found", "resource_conflict"),
    },
  }),
  async (c) => c.json(envelope(c, await testAlertWebhook(c.get("ctx"))), 200),
);

alerts.openapi(
  operation({
    method: "get",
    path: "/deliveries",
    operationId: "listAlertDeliveries",
    summary: "List what was sent to the alert webhook",
    description: `Newest first. Kept for ${LIMITS.alertKeptMs / 86_400_000} days after its end.`,
    tags: TAGS,
    permission: "team:manage",
    request: {
      query: z.strictObject({
        ...pageParameters({ limitMax: 100, limitDefault: 50 }),
        state: z.enum(DELIVERY_STATES).optional(),
      }),
    },
    responses: { 200: enveloped("A page, newest first", pageOf("AlertDeliveryPage", AlertDelivery)), ...fails() },
  }),
  async (c) => {
    const { state, ...page } = c.req.valid("query");
    return c.json(envelope(c, await listAlertDeliveries(c.get("ctx"), { state }, page)), 200);
  },
);
