// /v4/docs: definitions and their versions. What is run is in `runs/routes.ts`.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, pageOf } from "../../http/answer.ts";
import { requestHeaders, withHeaders } from "../../http/openapi/headers.ts";
import { operation } from "../../http/operation.ts";
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

export const docs = createRouter();
docs.openAPIRegistry.register("DocDefinition", Definition);

const TAGS = ["Docs", "Extensions"];
const window = pageParameters({ limitMax: 250, limitDefault: 100 });

const VERSION_TAG = { ETag: "The doc's version, in quotes; what `If-Match` takes." };

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

docs.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createDoc",
    summary: "Create a doc from its definition",
    description:
      "The body is the definition, as JSON or YAML 1.2. Flaws come with a JSON pointer into it, and with " +
      "the line and column of the text.",
    tags: TAGS,
    permission: "docs:write",
    request: { body },
    responses: { 201: withHeaders(VERSION_TAG, enveloped("The doc", WrittenDoc)), ...fails(...BODY_FAILURES) },
  }),
  async (c) => {
    const doc = await createDoc(c.get("ctx"), await readDefinition(c));
    c.header("ETag", etagOf(doc));
    return c.json(envelope(c, doc), 201);
  },
);

docs.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listDocs",
    summary: "List the team's docs",
    description: "Oldest first, without their definitions. Archived ones are left out unless `archived` asks for them.",
    tags: TAGS,
    permission: "docs:read",
    request: {
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
    },
    responses: { 200: enveloped("A page of docs, oldest first", pageOf("DocPage", Doc)), ...fails() },
  }),
  async (c) => {
    const { limit, offset, name, kind, archived } = c.req.valid("query");
    const filter = { name, kind, archived: archived === "all" ? undefined : archived === "true" };
    return c.json(envelope(c, await listDocs(c.get("ctx"), filter, { limit, offset })), 200);
  },
);

docs.openapi(
  operation({
    method: "get",
    path: "/{doc_id}",
    operationId: "getDoc",
    summary: "Get a doc and its definition",
    description: "The text to the character, and the same read. The `ETag` is what a change sends as `If-Match`.",
    tags: TAGS,
    permission: "docs:read",
    request: { params: DocPath },
    responses: {
      200: withHeaders(VERSION_TAG, enveloped("The doc, archived or not", DocDetail)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const doc = await getDoc(c.get("ctx"), c.req.valid("param").doc_id);
    c.header("ETag", etagOf(doc));
    return c.json(envelope(c, doc), 200);
  },
);

docs.openapi(
  operation({
    method: "put",
    path: "/{doc_id}",
    operationId: "updateDoc",
    summary: "Put another definition in a doc's place",
    description: 'Send `If-Match: "<version>"` to change only what you have read; 412 says that it is another by now.',
    ...requestHeaders({ "If-Match": "The version that was read, in quotes: the `ETag` it came with." }),
    tags: TAGS,
    permission: "docs:write",
    request: { params: DocPath, body },
    responses: {
      200: withHeaders(VERSION_TAG, enveloped("The doc at its new version", WrittenDoc)),
      ...fails("resource_not_found", "resource_conflict", "precondition_failed", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { doc_id: id } = c.req.valid("param");
    const doc = await updateDoc(c.get("ctx"), id, () => readDefinition(c), expectedVersion(c.req.header("if-match")));
    c.header("ETag", etagOf(doc));
    return c.json(envelope(c, doc), 200);
  },
);

docs.openapi(
  operation({
    method: "delete",
    path: "/{doc_id}",
    operationId: "deleteDoc",
    summary: "Archive a doc",
    description: "It can be brought back with its versions. Its runs are cancelled, and none can be started.",
    tags: TAGS,
    permission: "docs:write",
    request: { params: DocPath },
    responses: { 204: { description: "Archived" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteDoc(c.get("ctx"), c.req.valid("param").doc_id);
    return c.body(null, 204);
  },
);

docs.openapi(
  operation({
    method: "post",
    path: "/{doc_id}/restore",
    operationId: "restoreDoc",
    summary: "Bring an archived doc back",
    description: "With the definition and the versions it had. One that is not archived stays as it is.",
    tags: TAGS,
    permission: "docs:write",
    request: { params: DocPath },
    responses: { 200: enveloped("The doc", Doc), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await restoreDoc(c.get("ctx"), c.req.valid("param").doc_id)), 200),
);

docs.openapi(
  operation({
    method: "get",
    path: "/{doc_id}/versions",
    operationId: "listDocVersions",
    summary: "List a doc's versions",
    description: `Newest first; the newest ${LIMITS.docVersionsKeptMax} are kept.`,
    tags: TAGS,
    permission: "docs:read",
    request: { params: DocPath, query: z.strictObject(window) },
    responses: {
      200: enveloped("A page of versions", pageOf("DocVersionPage", DocVersion)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) =>
    c.json(envelope(c, await listDocVersions(c.get("ctx"), c.req.valid("param").doc_id, c.req.valid("query"))), 200),
);

docs.openapi(
  operation({
    method: "get",
    path: "/{doc_id}/versions/{version}",
    operationId: "getDocVersion",
    summary: "Get what a doc said at one version",
    description: "The text to the character. Versions beyond the newest that are kept are not found.",
    tags: TAGS,
    permission: "docs:read",
    request: { params: DocPath.extend({ version: z.string() }) },
    responses: { 200: enveloped("The version", DocVersionDetail), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { doc_id: id, version } = c.req.valid("param");
    return c.json(envelope(c, await getDocVersion(c.get("ctx"), id, version)), 200);
  },
);
