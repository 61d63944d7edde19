// /v4/queries/{query_id}/versions, and uses

import { z } from "@hono/zod-openapi";
import { QUESTION_LIMITS } from "../limits.ts";
import { enveloped, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { SavedQueryPath } from "../params.ts";
import { listSavedQueryUses } from "../list-uses.ts";
import { ListedSavedQueryVersion, SavedQueryUse, SavedQueryVersionDetail } from "../saved-query.ts";
import { getSavedQueryVersion } from "./get.ts";
import { listSavedQueryVersions } from "./list.ts";

const window = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));

export const savedQueryVersions = createRouter(["Saved queries", "Extensions"]);

savedQueryVersions.operation("listSavedQueryVersions", "GET /{query_id}/versions", {
  permission: "query",
  summary: "List a saved query's versions",
  description: `Newest first; the newest ${QUESTION_LIMITS.savedQueryVersionsKeptMax} are kept.`,
  params: SavedQueryPath,
  query: window,
  answer: enveloped("A page of versions", pageOf("SavedQueryVersionPage", ListedSavedQueryVersion)),
  run: (ctx, { params, query }) => listSavedQueryVersions(ctx, params.query_id, query),
});

savedQueryVersions.operation("getSavedQueryVersion", "GET /{query_id}/versions/{version}", {
  permission: "query",
  summary: "Get what a saved query said at one version",
  description:
    "To go back to it, send its members to `PATCH /v4/queries/{query_id}`. Versions beyond the newest that are kept " +
    "are not found.",
  params: SavedQueryPath.extend({ version: z.string() }),
  answer: enveloped("The version", SavedQueryVersionDetail),
  run: (ctx, { params }) => getSavedQueryVersion(ctx, params.query_id, params.version),
});

savedQueryVersions.operation("listSavedQueryUses", "GET /{query_id}/uses", {
  permission: "query",
  summary: "List what depends on a saved query",
  description: "Endpoints that publish it, at whichever version. A saved query in use can't be archived.",
  params: SavedQueryPath,
  query: window,
  answer: enveloped("A page of uses", pageOf("SavedQueryUsePage", SavedQueryUse)),
  run: (ctx, { params, query }) => listSavedQueryUses(ctx, params.query_id, query),
});
