// The messages to a team's webhook, as the OpenAPI document's `webhooks` declare them.

import { json } from "../../http/answer.ts";
import type { App } from "../../http/router.ts";
import { signature } from "../../http/openapi/webhook-signature.ts";
import { EVENTS } from "./episodes/event.ts";

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
