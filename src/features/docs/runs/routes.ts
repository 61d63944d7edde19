// Runs of docs, under /v4/docs.

import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../limits.ts";
import { enveloped, nothing, pageOf, withHeaders } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { DocPath, DocRunPath } from "../params.ts";
import { deleteWebhookSecret, NewWebhookSecret, setWebhookSecret, WebhookSecret } from "../webhook/set-secret.ts";
import { cancelDocRun } from "./cancel.ts";
import { getDocRun } from "./get.ts";
import { listDocRuns } from "./list.ts";
import { NewDocRun, runDoc } from "./run-doc.ts";
import { DocRun, DocRunDetail } from "./run.ts";

export const docRuns = createRouter(["Docs", "Extensions"]);

docRuns.operation("runDoc", "POST /{doc_id}/run", {
  permission: "docs:run",
  audit: "doc_run.start",
  summary: "Run a doc's datasets",
  description:
    "Of any engine, without a payload. Answers at once; the run's own address tells how it goes. 426 where the month's " +
    "seconds of runs of the plan are used up, as far as runs have ended.",
  params: DocPath,
  optionalBody: NewDocRun,
  answer: withHeaders(
    { Location: ["The run's own address.", (run) => `/v4/docs/${run.doc_id}/runs/${run.id}`] },
    enveloped("The run", DocRunDetail, 202),
  ),
  fails: ["resource_conflict", "sandbox_unavailable"],
  run: (ctx, { params, body }) => runDoc(ctx, params.doc_id, body, ctx.waitUntil),
});

docRuns.operation("listDocRuns", "GET /{doc_id}/runs", {
  permission: "docs:read",
  summary: "List a doc's runs",
  description: `Newest first. Runs and their results are kept for ${DOC_LIMITS.runKeptMs / 86_400_000} days.`,
  params: DocPath,
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 50 })),
  answer: enveloped("A page of runs", pageOf("DocRunPage", DocRun)),
  run: (ctx, { params, query }) => listDocRuns(ctx, params.doc_id, query),
});

docRuns.operation("getDocRun", "GET /{doc_id}/runs/{run_id}", {
  permission: "docs:read",
  summary: "Get a run, dataset by dataset",
  description: "Its state, and each dataset's; once it has ended, the results of those that were selected.",
  params: DocRunPath,
  answer: enveloped("The run", DocRunDetail),
  run: (ctx, { params }) => getDocRun(ctx, params.doc_id, params.run_id),
});

docRuns.operation("cancelDocRun", "POST /{doc_id}/runs/{run_id}/cancel", {
  permission: "docs:run",
  audit: "doc_run.cancel",
  summary: "Cancel a run",
  description: "For who started it, and for admins. Answers at once; the run is over when its state says so.",
  params: DocRunPath,
  answer: enveloped("The run", DocRunDetail, 202),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => cancelDocRun(ctx, params.doc_id, params.run_id),
});

docRuns.operation("setWebhookSecret", "PUT /{doc_id}/webhook-secret", {
  permission: "docs:write",
  audit: "webhook_secret.set",
  summary: "Have a doc's webhooks signed",
  description: "After Standard Webhooks; another secret takes the place of the one before.",
  params: DocPath,
  optionalBody: NewWebhookSecret,
  answer: enveloped("The secret, shown this once", WebhookSecret),
  run: (ctx, { params, body }) => setWebhookSecret(ctx, params.doc_id, body),
});

docRuns.operation("deleteWebhookSecret", "DELETE /{doc_id}/webhook-secret", {
  permission: "docs:write",
  audit: "webhook_secret.delete",
  summary: "Take a doc's webhooks unsigned",
  description: "From then on signatures are not looked at; the API key is asked for as ever.",
  params: DocPath,
  answer: nothing("Deleted"),
  run: (ctx, { params }) => deleteWebhookSecret(ctx, params.doc_id),
});
