// The messages to destinations that are signed, as the OpenAPI document's `webhooks` declare them.

import { z } from "@hono/zod-openapi";
import { json } from "../../http/answer.ts";
import type { App } from "../../http/router.ts";
import { signature } from "../../http/openapi/webhook-signature.ts";
import { OUTBOUND_EVENTS, TEST_TYPE, TestEvent } from "./events/event.ts";
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

/** Declares each event, under its type. */
export function declareOutboundEvents(app: App): void {
  const test = { summary: "A test that somebody asked for", data: TestEvent };
  for (const [type, { summary, data }] of Object.entries({ ...OUTBOUND_EVENTS, [TEST_TYPE]: test })) {
    const name = nameOf(type);
    const event = z
      .object({
        type: z.literal(type),
        timestamp: z.iso.datetime().openapi({ description: "When it happened." }),
        data,
      })
      .openapi(name);
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      operationId: `${name[0]!.toLowerCase()}${name.slice(1)}`,
      summary,
      description: "Sent to destinations of kind `events` that name it.",
      tags: ["Messages", "Extensions"],
      security: [],
      request: { headers: signature, body: { required: true, ...json(event) } },
      responses: {
        "2XX": { description: "Taken." },
        410: { description: "Nothing more is wanted: the destination is disabled." },
      },
    });
  }
}

const nameOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
