// Datasets of docs that are asked by themselves, under /v4/docs.

import { z } from "@hono/zod-openapi";
import { describeHeaders } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { chooseFormat } from "../../query/format.ts";
import { NUMBERS, RESULT, RESULT_FAILURES, RESULT_HEADERS } from "../../query/result-declaration.ts";
import { DocPath } from "../params.ts";
import { DatasetQuery, queryDataset } from "./query.ts";

export const docDatasets = createRouter(["Docs", "Extensions"]);

docDatasets.rawOperation("queryDataset", "POST /{doc_id}/datasets/{dataset_key}/query", {
  permission: "query",
  audit: "none",
  summary: "Ask one dataset of a doc, under values of the doc's filters",
  description:
    "With the rights of whoever asks, which docs:read must be among. A filter that is not sent has its default. Answers " +
    "as `POST /v1/query` does, by `Accept`; it only reads, whatever its caller may write. Datasets that only runs " +
    "compute, of Python and incremental ones, are 422: their last run has what they made.",
  reads: true,
  params: DocPath.extend({ dataset_key: z.string() }),
  query: z.strictObject({ numbers: NUMBERS }),
  optionalBody: DatasetQuery,
  responses: { 200: describeHeaders(RESULT_HEADERS, RESULT) },
  fails: RESULT_FAILURES,
  respond: (ctx, { params: { doc_id: id, dataset_key: key }, query, body }) => {
    const { headers, signal } = ctx.request;
    const { waitUntil, authenticateMs } = ctx;
    return queryDataset(
      ctx,
      { id, key },
      {
        query: body,
        writing: { format: chooseFormat(headers.get("accept") ?? undefined), numbers: query.numbers },
        life: { signal, waitUntil, isNamed: headers.has("x-request-id"), authenticateMs },
      },
    );
  },
});
