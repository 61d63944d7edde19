// The messages to a team's webhook, as the OpenAPI document's `webhooks` declare them.

import { z } from "@hono/zod-openapi";
import { json } from "../../http/answer.ts";
import type { App } from "../../http/router.ts";
import { EVENTS } from "./episodes/event.ts";

/** The headers of a Standard Webhook, as all of the platform's messages have them. */
export const signature = z.object({
  "webhook-id": z
    .string()
    .openapi({ description: "The same for every attempt: what was seen is not to be taken twice." }),
  "webhook-timestamp": z.string().openapi({ description: "Of this attempt, in seconds since 1970." }),
  "webhook-signature": z
    .string()
    .openapi({
      description:
        "`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`, by the key whose base64 follows " +
        "`whsec_`; two, with a space between, while the secret is changed.",
    }),
});

/** Declares what is sent, for the document. Their names are no paths, so they are declared at the root. */
export function declareAlertMessages(app: App): void {
  for (const [path, { schema, summary }] of Object.entries(EVENTS))
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path,
      operationId: path.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      description: "Sent to the team's alert webhook.",
      tags: ["Alerts", "Extensions"],
      security: [],
      request: { headers: signature, body: { required: true, ...json(schema) } },
      responses: {
        "2XX": { description: "Taken." },
        410: { description: "Nothing more is wanted: the webhook is disabled." },
      },
    });
}
