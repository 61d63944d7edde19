// /v4/webhook: what external systems send.

import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../limits.ts";
import { enveloped, envelope, describeHeaders } from "../../../http/answer.ts";
import { presentBody, streamed } from "../../../http/request/body.ts";
import { createRouter } from "../../../http/router.ts";
import { Results } from "../runs/run.ts";
import { DocPath } from "../params.ts";
import { executeWebhook } from "./execute.ts";
import { readWebhookHeaders } from "./headers.ts";

export const webhook = createRouter(["Docs"]);

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

The body has at most ${DOC_LIMITS.webhookBodyBytesMax / 1024 / 1024} MiB and may be empty. \`Idempotency-Key\` (${DOC_LIMITS.idempotencyKeptMs / 3_600_000} hours, for one doc): a repeat
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

webhook.rawOperation("executeWebhook", "POST /docs/{doc_id}/execute", {
  permission: "docs:run",
  audit: "doc_run.start",
  summary: "Run a doc's Python datasets with a payload",
  description,
  requestHeaders: {
    "Idempotency-Key": "Names the delivery: a repeat gets the first answer.",
    Prefer: "`respond-async`: 202 at once, and the run's address.",
    "webhook-id": "Of a signed webhook, after Standard Webhooks; so are the next two.",
    "webhook-timestamp": "Seconds since 1970.",
    "webhook-signature": "`v1,<base64>`; several are separated by a space.",
  },
  params: DocPath,
  rawBody: body,
  responses: {
    200: describeHeaders(
      { "Idempotency-Replayed": "`true`: this is the answer to an earlier delivery." },
      enveloped("The results, by dataset", Executed).document,
    ),
    202: describeHeaders(
      { Location: "The run's own address.", "Preference-Applied": "`respond-async`" },
      enveloped("Accepted, where `Prefer: respond-async` asked for it", Accepted).document,
    ),
  },
  fails: ["resource_conflict", "work_in_progress", "sandbox_unavailable"],
  async respond(ctx, { params }) {
    const { request, waitUntil } = ctx;
    const body = await presentBody(request);
    const asked = readWebhookHeaders(request.headers, body !== null);
    const executed = await executeWebhook(ctx, {
      docId: params.doc_id,
      headers: request.headers,
      asked,
      body,
      waitUntil,
    });
    const replayed: Record<string, string> = executed.isReplay ? { "Idempotency-Replayed": "true" } : {};
    const { docId, docName } = executed;
    if (executed.kind === "results")
      return Response.json(envelope(ctx, { docId, docName, results: executed.results }), { headers: replayed });
    const statusUrl = `/v4/docs/${docId}/runs/${executed.runId}`;
    const headers = { ...replayed, Location: statusUrl, "Preference-Applied": "respond-async" };
    return Response.json(envelope(ctx, { docId, docName, runId: executed.runId, statusUrl }), { status: 202, headers });
  },
});
