// The headers that sign what the platform sends to webhooks, as the OpenAPI document declares them.

import { z } from "@hono/zod-openapi";

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
