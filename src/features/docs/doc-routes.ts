// /v4/docs: a doc and its definition, saved together with the jobs that it says of itself.

import { DOC_LIMITS } from "./limits.ts";
import { enveloped, nothing, orYaml } from "../../http/answer.ts";
import { expectedVersion, IF_MATCH, tagged } from "../../http/request/version-tag.ts";
import { createRouter } from "../../http/router.ts";
import { createDoc } from "./create.ts";
import { Definition } from "./definition/definition.ts";
import { deleteDoc } from "./delete.ts";
import { Doc, DocDetail, WrittenDoc } from "./doc.ts";
import { getDoc } from "./get.ts";
import type { DocJobs } from "./jobs-of-doc.ts";
import { DocPath } from "./params.ts";
import { readDefinition } from "./versions/read-definition.ts";
import { restoreDoc } from "./restore.ts";
import { updateDoc } from "./update.ts";

const DATASETS = {
  orders: { engine: "sql", sql: "SELECT * FROM LAKE.sample.orders LIMIT 100" },
  score: { engine: "python", inputs: [{ ref: "orders", as: "orders_df" }], code: "result = orders_df.head(10)" },
};
const EXAMPLE = { version: 1, kind: "pipeline", metadata: { name: "Scores" }, datasets: DATASETS };
const YAML_EXAMPLE = `version: 1
kind: pipeline
metadata: {name: Scores}
datasets:
  orders: {engine: sql, sql: SELECT * FROM LAKE.sample.orders LIMIT 100}
  score:
    engine: python
    inputs: [{ref: orders, as: orders_df}]
    code: result = orders_df.head(10)
`;

/** Read by the handler, to the character: no schema of the framework's stands before it. */
const body = {
  required: true,
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/DocDefinition" }, example: EXAMPLE },
    "application/yaml": { schema: { type: "string" as const }, example: YAML_EXAMPLE },
  },
  description:
    `The definition itself, at most ${DOC_LIMITS.textBytesMax / 1024} KiB; as YAML at most ` +
    `${DOC_LIMITS.yamlTokensMax} words and signs, without tags of its own. Its whole grammar, with what is drawn ` +
    "and when it runs, is the JSON Schema at `/schemas/doc-2025-01.json`. Members that nothing here knows are kept, and " +
    "named in `warnings`.",
};

/** `jobs`: what becomes of the jobs of a doc, which stand above docs. */
export function createDocRoutes(jobs: DocJobs) {
  const docs = createRouter(["Docs", "Extensions"]);
  docs.openAPIRegistry.register("DocDefinition", Definition);

  docs.operation("createDoc", "POST /", {
    permission: "docs:write",
    audit: "doc.create",
    summary: "Create a doc from its definition",
    description:
      "The body is the definition, as JSON or YAML 1.2. Flaws come with a JSON pointer into it, and with " +
      "the line and column of the text. Its `automations` become jobs of the caller, and stay jobs of the doc.",
    rawBody: body,
    answer: tagged(enveloped("The doc", WrittenDoc, 201)),
    fails: ["resource_conflict"],
    run: async (ctx) => createDoc(ctx, jobs, await readDefinition(ctx.request)),
  });

  docs.operation("getDoc", "GET /{doc_id}", {
    permission: "docs:read",
    summary: "Get a doc and its definition",
    description:
      "The text to the character, and the same read; with `Accept: application/yaml` the text alone. The `ETag` is what a " +
      "change sends as `If-Match`.",
    params: DocPath,
    answer: orYaml(({ text }) => text, tagged(enveloped("The doc, archived or not", DocDetail))),
    run: (ctx, { params }) => getDoc(ctx, jobs, params.doc_id),
  });

  docs.operation("updateDoc", "PUT /{doc_id}", {
    permission: "docs:write",
    audit: "doc.update",
    summary: "Put another definition in a doc's place",
    description: 'Send `If-Match: "<version>"` to change only what you have read; 412 says that it is another by now.',
    requestHeaders: IF_MATCH,
    params: DocPath,
    rawBody: body,
    answer: tagged(enveloped("The doc at its new version", WrittenDoc)),
    fails: ["resource_conflict", "precondition_failed"],
    run: (ctx, { params }) => {
      const expected = expectedVersion(ctx.request);
      return updateDoc(ctx, jobs, { id: params.doc_id, read: () => readDefinition(ctx.request), expected });
    },
  });

  docs.operation("deleteDoc", "DELETE /{doc_id}", {
    permission: "docs:write",
    audit: "doc.delete",
    summary: "Archive a doc",
    description:
      "It can be brought back with its versions. Its runs are cancelled, its own jobs paused, and none can be started.",
    params: DocPath,
    answer: nothing("Archived"),
    run: (ctx, { params }) => deleteDoc(ctx, jobs, params.doc_id),
  });

  docs.operation("restoreDoc", "POST /{doc_id}/restore", {
    permission: "docs:write",
    audit: "doc.restore",
    summary: "Bring an archived doc back",
    description:
      "With the definition and the versions it had; jobs of its `automations` go on. One that is not archived stays as " +
      "it is.",
    params: DocPath,
    answer: enveloped("The doc", Doc),
    run: (ctx, { params }) => restoreDoc(ctx, jobs, params.doc_id),
  });

  return docs;
}
