// /v4/docs: definitions and their versions. What is run is in `runs/routes.ts`.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { enveloped, nothing, pageOf, withHeaders, type Answer } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { DOC_KINDS } from "../../platform/db/schema/schema.ts";
import { createDoc } from "./create.ts";
import { Definition } from "./definition/definition.ts";
import { deleteDoc } from "./delete.ts";
import { Doc, DocDetail, DocVersion, DocVersionDetail, WrittenDoc } from "./doc.ts";
import { getDocVersion } from "./versions/get.ts";
import { getDoc } from "./get.ts";
import { listDocVersions } from "./versions/list.ts";
import { listDocs } from "./list.ts";
import { etagOf, expectedVersion, readDefinition } from "./read-definition.ts";
import { restoreDoc } from "./restore.ts";
import { updateDoc } from "./update.ts";
import { DocPath } from "./params.ts";

export const docs = createRouter(["Docs", "Extensions"]);
docs.openAPIRegistry.register("DocDefinition", Definition);

const window = pageParameters({ limitMax: 250, limitDefault: 100 });

const tagged = <Value extends { version: number }>(answer: Answer<Value>) =>
  withHeaders({ ETag: ["The doc's version, in quotes; what `If-Match` takes.", etagOf] }, answer);

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
    `The definition itself, at most ${LIMITS.docTextBytesMax / 1024} KiB; as YAML at most ` +
    `${LIMITS.docYamlTokensMax} words and signs, without tags of its own. Members that nothing here knows are ` +
    "kept, and named in `warnings`.",
};

docs.operation("createDoc", "POST /", {
  permission: "docs:write",
  audit: "doc.create",
  summary: "Create a doc from its definition",
  description:
    "The body is the definition, as JSON or YAML 1.2. Flaws come with a JSON pointer into it, and with " +
    "the line and column of the text.",
  rawBody: body,
  answer: tagged(enveloped("The doc", WrittenDoc, 201)),
  run: async (ctx) => createDoc(ctx, await readDefinition(ctx.request)),
});

docs.operation("listDocs", "GET /", {
  permission: "docs:read",
  summary: "List the team's docs",
  description: "Oldest first, without their definitions. Archived ones are left out unless `archived` asks for them.",
  query: z.strictObject({
    ...window,
    name: z
      .string()
      .min(1)
      .max(LIMITS.nameCharactersMax)
      .optional()
      .openapi({ description: "Part of the name, in any case." }),
    kind: z.enum(DOC_KINDS).optional(),
    archived: z.enum(["true", "false", "all"]).default("false"),
  }),
  answer: enveloped("A page of docs, oldest first", pageOf("DocPage", Doc)),
  run: (ctx, { query }) => {
    const filter = {
      name: query.name,
      kind: query.kind,
      archived: query.archived === "all" ? undefined : query.archived === "true",
    };
    return listDocs(ctx, filter, { limit: query.limit, offset: query.offset });
  },
});

docs.operation("getDoc", "GET /{doc_id}", {
  permission: "docs:read",
  summary: "Get a doc and its definition",
  description: "The text to the character, and the same read. The `ETag` is what a change sends as `If-Match`.",
  params: DocPath,
  answer: tagged(enveloped("The doc, archived or not", DocDetail)),
  run: (ctx, { params }) => getDoc(ctx, params.doc_id),
});

docs.operation("updateDoc", "PUT /{doc_id}", {
  permission: "docs:write",
  audit: "doc.update",
  summary: "Put another definition in a doc's place",
  description: 'Send `If-Match: "<version>"` to change only what you have read; 412 says that it is another by now.',
  requestHeaders: { "If-Match": "The version that was read, in quotes: the `ETag` it came with." },
  params: DocPath,
  rawBody: body,
  answer: tagged(enveloped("The doc at its new version", WrittenDoc)),
  fails: ["resource_conflict", "precondition_failed"],
  run: (ctx, { params }) => {
    const version = expectedVersion(ctx.request.headers.get("if-match") ?? undefined);
    return updateDoc(ctx, params.doc_id, () => readDefinition(ctx.request), version);
  },
});

docs.operation("deleteDoc", "DELETE /{doc_id}", {
  permission: "docs:write",
  audit: "doc.delete",
  summary: "Archive a doc",
  description: "It can be brought back with its versions. Its runs are cancelled, and none can be started.",
  params: DocPath,
  answer: nothing("Archived"),
  run: (ctx, { params }) => deleteDoc(ctx, params.doc_id),
});

docs.operation("restoreDoc", "POST /{doc_id}/restore", {
  permission: "docs:write",
  audit: "doc.restore",
  summary: "Bring an archived doc back",
  description: "With the definition and the versions it had. One that is not archived stays as it is.",
  params: DocPath,
  answer: enveloped("The doc", Doc),
  run: (ctx, { params }) => restoreDoc(ctx, params.doc_id),
});

docs.operation("listDocVersions", "GET /{doc_id}/versions", {
  permission: "docs:read",
  summary: "List a doc's versions",
  description: `Newest first; the newest ${LIMITS.docVersionsKeptMax} are kept.`,
  params: DocPath,
  query: z.strictObject(window),
  answer: enveloped("A page of versions", pageOf("DocVersionPage", DocVersion)),
  run: (ctx, { params, query }) => listDocVersions(ctx, params.doc_id, query),
});

docs.operation("getDocVersion", "GET /{doc_id}/versions/{version}", {
  permission: "docs:read",
  summary: "Get what a doc said at one version",
  description: "The text to the character. Versions beyond the newest that are kept are not found.",
  params: DocPath.extend({ version: z.string() }),
  answer: enveloped("The version", DocVersionDetail),
  run: (ctx, { params }) => getDocVersion(ctx, params.doc_id, params.version),
});
