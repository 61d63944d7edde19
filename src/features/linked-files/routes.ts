// /v4/linked-files, and /f/{token}, for which nobody needs a key.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { failuresOf } from "../../http/failures.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { deleteLinkedFile } from "./delete.ts";
import { fetchLinkedFile } from "./fetch-file.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";
import { LinkedFile } from "./linked-file.ts";
import { listLinkedFiles } from "./list.ts";

export const linkedFiles = createRouter(["Messages", "Extensions"]);
export const linkedFileContents = createRouter(["Messages", "Extensions"]);

linkedFiles.operation("listLinkedFiles", "GET /", {
  permission: "queries:write",
  summary: "List the files that are linked",
  description:
    "Newest first: one's own, and for admins everybody's. Their addresses are known to their receivers alone.",
  query: z.strictObject(pageParameters({ limitMax: LINKED_FILE_LIMITS.pageMax, limitDefault: 100 })),
  answer: enveloped("A page of linked files", pageOf("LinkedFilePage", LinkedFile)),
  run: (ctx, { query }) => listLinkedFiles(ctx, query),
});

linkedFiles.operation("deleteLinkedFile", "DELETE /{linked_file_id}", {
  permission: "queries:write",
  audit: "linked_file.delete",
  summary: "Revoke a linked file's address",
  description: "It leads nowhere from then on, and the file is deleted. For who made it, and for admins.",
  params: z.object({ linked_file_id: z.string() }),
  answer: nothing("Revoked"),
  run: (ctx, { params }) => deleteLinkedFile(ctx, params.linked_file_id),
});

const notFound = failuresOf("v4", [], { names: true, hasBody: false, isOpen: true })[404]!;

linkedFileContents.rawOperation("fetchLinkedFile", "GET /{token}", {
  permission: "everybody",
  summary: "Fetch a linked file",
  description:
    "For whoever has the address; no key. An address that is unknown, has ended or was revoked answers 404 alike.",
  params: z.object({ token: z.string() }),
  responses: {
    200: { description: "The file", content: { "application/octet-stream": { schema: z.unknown() } } },
    404: notFound,
  },
  respond: (ctx, { params }) =>
    fetchLinkedFile(ctx, params.token, { isCounted: ctx.request.method !== "HEAD", now: new Date() }),
});
