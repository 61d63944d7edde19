// The message to a destination of kind webhook, as the OpenAPI document's `webhooks` declare it.

import { json } from "../../http/answer.ts";
import type { App } from "../../http/router.ts";
import { signature } from "../../http/openapi/webhook-signature.ts";
import { DeliveryPayload } from "./send/payload.ts";

const NAME = "delivery";

export function declareDeliveryMessage(app: App): void {
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: NAME,
    operationId: NAME,
    summary: "A delivery",
    description: "Sent to a destination of kind `webhook`.",
    tags: ["Messages", "Extensions"],
    security: [],
    request: { headers: signature, body: { required: true, ...json(DeliveryPayload) } },
    responses: {
      "2XX": { description: "Taken." },
      410: { description: "This message is not wanted, and is not sent again." },
    },
  });
}
