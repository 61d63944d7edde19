// Runs of docs, under /v4/docs.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { withHeaders } from "../../../http/openapi/headers.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { DocPath, DocRunPath } from "../params.ts";
import { deleteWebhookSecret, NewWebhookSecret, setWebhookSecret, WebhookSecret } from "../webhook/set-secret.ts";
import { cancelDocRun } from "./cancel.ts";
import { getDocRun } from "./get.ts";
import { listDocRuns } from "./list.ts";
import { NewDocRun, runDoc } from "./run-doc.ts";
import { DocRun, DocRunDetail } from "./run.ts";

export const docRuns = createRouter();

const TAGS = ["Docs", "Extensions"];

docRuns.openapi(
  operation({
    method: "post",
    path: "/{doc_id}/run",
    operationId: "runDoc",
    summary: "Run a doc's datasets",
    description:
      "Of any engine, without a payload. Answers at once; the run's own address tells how it goes. 426 where the month's " +
      "seconds of runs of the plan are used up, as far as runs have ended.",
    tags: TAGS,
    permission: "docs:run",
    request: { params: DocPath, body: { required: false, ...json(NewDocRun) } },
    responses: {
      202: withHeaders({ Location: "The run's own address." }, enveloped("The run", DocRunDetail)),
      ...fails("resource_not_found", "sandbox_unavailable", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { doc_id: id } = c.req.valid("param");
    const run = await runDoc(c.get("ctx"), id, c.req.valid("json"), (work) => c.executionCtx.waitUntil(work));
    c.header("Location", `/v4/docs/${run.doc_id}/runs/${run.id}`);
    return c.json(envelope(c, run), 202);
  },
);

docRuns.openapi(
  operation({
    method: "get",
    path: "/{doc_id}/runs",
    operationId: "listDocRuns",
    summary: "List a doc's runs",
    description: `Newest first. Runs and their results are kept for ${LIMITS.runKeptMs / 86_400_000} days.`,
    tags: TAGS,
    permission: "docs:read",
    request: { params: DocPath, query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 50 })) },
    responses: { 200: enveloped("A page of runs", pageOf("DocRunPage", DocRun)), ...fails("resource_not_found") },
  }),
  async (c) =>
    c.json(envelope(c, await listDocRuns(c.get("ctx"), c.req.valid("param").doc_id, c.req.valid("query"))), 200),
);

docRuns.openapi(
  operation({
    method: "get",
    path: "/{doc_id}/runs/{run_id}",
    operationId: "getDocRun",
    summary: "Get a run, dataset by dataset",
    description: "Its state, and each dataset's; once it has ended, the results of those that were selected.",
    tags: TAGS,
    permission: "docs:read",
    request: { params: DocRunPath },
    responses: { 200: enveloped("The run", DocRunDetail), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { doc_id: docId, run_id: runId } = c.req.valid("param");
    return c.json(envelope(c, await getDocRun(c.get("ctx"), docId, runId)), 200);
  },
);

docRuns.openapi(
  operation({
    method: "post",
    path: "/{doc_id}/runs/{run_id}/cancel",
    operationId: "cancelDocRun",
    summary: "Cancel a run",
    description: "For who started it, and for admins. Answers at once; the run is over when its state says so.",
    tags: TAGS,
    permission: "docs:run",
    request: { params: DocRunPath },
    responses: { 202: enveloped("The run", DocRunDetail), ...fails("resource_not_found", "resource_conflict") },
  }),
  async (c) => {
    const { doc_id: docId, run_id: runId } = c.req.valid("param");
    return c.json(envelope(c, await cancelDocRun(c.get("ctx"), docId, runId)), 202);
  },
);

docRuns.openapi(
  operation({
    method: "put",
    path: "/{doc_id}/webhook-secret",
    operationId: "setWebhookSecret",
    summary: "Have a doc's webhooks signed",
    description: "After Standard Webhooks; another secret takes the place of the one before.",
    tags: TAGS,
    permission: "docs:write",
    request: { params: DocPath, body: { required: false, ...json(NewWebhookSecret) } },
    responses: {
      200: enveloped("The secret, shown this once", WebhookSecret),
      ...fails("resource_not_found", ...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json(envelope(c, await setWebhookSecret(c.get("ctx"), c.req.valid("param").doc_id, c.req.valid("json"))), 200),
);

docRuns.openapi(
  operation({
    method: "delete",
    path: "/{doc_id}/webhook-secret",
    operationId: "deleteWebhookSecret",
    summary: "Take a doc's webhooks unsigned",
    description: "From then on signatures are not looked at; the API key is asked for as ever.",
    tags: TAGS,
    permission: "docs:write",
    request: { params: DocPath },
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteWebhookSecret(c.get("ctx"), c.req.valid("param").doc_id);
    return c.body(null, 204);
  },
);
