// /v4/webhook: what external systems send.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails } from "../../../http/answer.ts";
import { presentBody, streamed } from "../../../http/request/body.ts";
import { requestHeaders, withHeaders } from "../../../http/openapi/headers.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { Results } from "../runs/run.ts";
import { DocPath } from "../params.ts";
import { executeWebhook } from "./execute.ts";
import { readWebhookHeaders } from "./headers.ts";

export const webhook = createRouter();

webhook.openAPIRegistry.registerComponent("schemas", "WebhookDelivery", {
  type: "object",
  properties: {
    data: { description: "Any JSON; kept to the byte." },
    environmentVariables: { type: "object", additionalProperties: { type: "string" } },
    datasetKeys: { type: "array", items: { type: "string" }, minItems: 1 },
  },
  additionalProperties: false,
});

const description = `Writes \`data\` as a JSON file into the team's sandbox and runs the doc's Python datasets there, with \`WEBHOOK_DATA_FILE\`,
\`SERVICE_API_KEY\`, \`SERVICE_API_BASE_URL\` and every entry of \`environmentVariables\` in their environment. \`datasetKeys\` selects some; what those
need runs too and is not reported. A dataset that fails is a result: the answer is 200 with \`success: false\` there. Anything else means that nothing ran:
426 that the month's seconds of runs of the plan are used up.

The body has at most ${LIMITS.webhookBodyBytesMax / 1024 / 1024} MiB and may be empty. \`Idempotency-Key\` (${LIMITS.idempotencyKeptMs / 3_600_000} hours, for one doc): a repeat
gets the first answer, marked \`Idempotency-Replayed: true\`, and 409 while the first is under way; bodies are not held, so they are not compared.
\`Prefer: respond-async\` answers 202 with the run's address. A doc with a webhook secret also wants a signature after Standard Webhooks, whose
\`webhook-id\` is then the idempotency key where none is sent.`;

/** Declared for the document alone: nothing of ours reads it. */
const body = streamed({
  required: false,
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/WebhookDelivery" },
      example: { data: { rows: 5 }, environmentVariables: { REGION: "north" }, datasetKeys: ["score"] },
    },
  },
});

const named = { docId: z.uuid(), docName: z.string() };
const Executed = z.object({ ...named, results: Results }).openapi("ExecutedWebhook");
const Accepted = z
  .object({
    ...named,
    runId: z.uuid(),
    statusUrl: z.string().openapi({ description: "Where the run and its results are." }),
  })
  .openapi("AcceptedWebhook");

webhook.openapi(
  operation({
    method: "post",
    path: "/docs/{doc_id}/execute",
    operationId: "executeWebhook",
    summary: "Run a doc's Python datasets with a payload",
    description,
    ...requestHeaders({
      "Idempotency-Key": "Names the delivery: a repeat gets the first answer.",
      Prefer: "`respond-async`: 202 at once, and the run's address.",
      "webhook-id": "Of a signed webhook, after Standard Webhooks; so are the next two.",
      "webhook-timestamp": "Seconds since 1970.",
      "webhook-signature": "`v1,<base64>`; several are separated by a space.",
    }),
    tags: ["Docs"],
    permission: "docs:run",
    request: { params: DocPath, body },
    responses: {
      200: withHeaders(
        { "Idempotency-Replayed": "`true`: this is the answer to an earlier delivery." },
        enveloped("The results, by dataset", Executed),
      ),
      202: withHeaders(
        { Location: "The run's own address.", "Preference-Applied": "`respond-async`" },
        enveloped("Accepted, where `Prefer: respond-async` asked for it", Accepted),
      ),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress", "sandbox_unavailable", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { raw } = c.req;
    const body = await presentBody(raw);
    const executed = await executeWebhook(c.get("ctx"), {
      docId: c.req.valid("param").doc_id,
      headers: raw.headers,
      asked: readWebhookHeaders(raw.headers, body !== null),
      body,
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    if (executed.isReplay) c.header("Idempotency-Replayed", "true");
    const { docId, docName } = executed;
    if (executed.kind === "results") return c.json(envelope(c, { docId, docName, results: executed.results }), 200);
    const statusUrl = `/v4/docs/${docId}/runs/${executed.runId}`;
    c.header("Location", statusUrl);
    c.header("Preference-Applied", "respond-async");
    return c.json(envelope(c, { docId, docName, runId: executed.runId, statusUrl }), 202);
  },
);
