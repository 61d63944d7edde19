// /v4/docs: lists of docs, and their versions. What is saved is in `doc-routes.ts`, what is run in `runs/routes.ts`.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { DOC_LIMITS } from "./limits.ts";
import { enveloped, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { DOC_KINDS } from "../../platform/db/schema/schema.ts";
import { Doc, DocVersionDetail, ListedDocVersion } from "./doc.ts";
import { getDocVersion } from "./versions/get.ts";
import { listDocVersions } from "./versions/list.ts";
import { listDocs } from "./list.ts";
import { DocPath } from "./params.ts";

export const docs = createRouter(["Docs", "Extensions"]);

const window = pageParameters({ limitMax: 250, limitDefault: 100 });

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

docs.operation("listDocVersions", "GET /{doc_id}/versions", {
  permission: "docs:read",
  summary: "List a doc's versions",
  description: `Newest first; the newest ${DOC_LIMITS.versionsKeptMax} are kept.`,
  params: DocPath,
  query: z.strictObject(window),
  answer: enveloped("A page of versions", pageOf("DocVersionPage", ListedDocVersion)),
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
