// /v4/queries: questions that a team keeps. Their versions are in `versions/routes.ts`.

import { z } from "@hono/zod-openapi";
import { QUESTION_LIMITS } from "./limits.ts";
import { describeHeaders, enveloped, nothing, pageOf } from "../../http/answer.ts";
import { optionalBooleanParameter, pageParameters, textParameter } from "../../http/request/query-params.ts";
import { expectedVersion, IF_MATCH, tagged } from "../../http/request/version-tag.ts";
import { createRouter } from "../../http/router.ts";
import { chooseFormat } from "../query/format.ts";
import { NUMBERS, RESULT, RESULT_FAILURES, RESULT_HEADERS } from "../query/result-declaration.ts";
import { createSavedQuery } from "./create.ts";
import { deleteSavedQuery } from "./delete.ts";
import { getSavedQuery } from "./get.ts";
import { listSavedQueries } from "./list.ts";
import { SavedQueryPath } from "./params.ts";
import { restoreSavedQuery } from "./restore.ts";
import { runSavedQuery, SavedQueryRun } from "./run.ts";
import { NewSavedQuery, SavedQuery, SavedQueryDetail, SavedQueryPatch, searchWordsOf } from "./saved-query.ts";
import { updateSavedQuery } from "./update.ts";

export const savedQueries = createRouter(["Saved queries", "Extensions"]);

savedQueries.operation("createSavedQuery", "POST /", {
  permission: "queries:write",
  audit: "saved_query.create",
  summary: "Save a query",
  description:
    "SQL or a `cube_query`, with the parameters that whoever runs it may set. It is its maker's: others of the team " +
    "read and run it, each with their own rights.",
  body: NewSavedQuery,
  answer: tagged(enveloped("The query", SavedQueryDetail, 201)),
  run: (ctx, { body }) => createSavedQuery(ctx, body),
});

const Search = textParameter({ min: 1, max: QUESTION_LIMITS.savedQuerySearchCharactersMax }).refine(
  (search) => searchWordsOf(search).length <= QUESTION_LIMITS.savedQuerySearchWordsMax,
  `At most ${QUESTION_LIMITS.savedQuerySearchWordsMax} words.`,
);

savedQueries.operation("listSavedQueries", "GET /", {
  permission: "query",
  summary: "List and search the team's saved queries",
  description: "Oldest first, without their text. Archived ones are left out unless `archived` asks for them.",
  query: z.strictObject({
    ...pageParameters({ limitMax: 250, limitDefault: 100 }),
    search: Search.optional().openapi({
      description: "Words, each of which is somewhere in the name, description, tags or text, in any case.",
    }),
    tag: textParameter({ min: 1, max: QUESTION_LIMITS.savedQueryTagCharactersMax }).optional(),
    owner_id: z.uuid().optional(),
    certified: optionalBooleanParameter(),
    archived: z.enum(["true", "false", "all"]).default("false"),
  }),
  answer: enveloped("A page of saved queries, oldest first", pageOf("SavedQueryPage", SavedQuery)),
  run: (ctx, { query: { limit, offset, search, owner_id: ownerId, archived, ...filter } }) =>
    listSavedQueries(
      ctx,
      {
        ...filter,
        ownerId: ownerId?.toLowerCase(),
        words: searchWordsOf(search ?? ""),
        archived: archived === "all" ? undefined : archived === "true",
      },
      { limit, offset },
    ),
});

savedQueries.operation("getSavedQuery", "GET /{query_id}", {
  permission: "query",
  summary: "Get a saved query",
  description: "With its text and its parameters. The `ETag` is what a change sends as `If-Match`.",
  params: SavedQueryPath,
  answer: tagged(enveloped("The query, archived or not", SavedQueryDetail)),
  run: (ctx, { params }) => getSavedQuery(ctx, params.query_id),
});

savedQueries.operation("updateSavedQuery", "PATCH /{query_id}", {
  permission: "queries:write",
  audit: "saved_query.update",
  summary: "Change a saved query",
  description:
    "Its owner changes it, and who has `queries:manage`, who alone sets `certified` and `owner_id`. Any change takes " +
    'its certified mark away. Send `If-Match: "<version>"` to change only what you have read.',
  requestHeaders: IF_MATCH,
  params: SavedQueryPath,
  body: SavedQueryPatch,
  answer: tagged(enveloped("The query as it is now", SavedQueryDetail)),
  fails: ["resource_conflict", "precondition_failed"],
  run: (ctx, { params, body: patch }) => {
    const expected = expectedVersion(ctx.request);
    return updateSavedQuery(ctx, params.query_id, { patch, expected });
  },
});

savedQueries.operation("deleteSavedQuery", "DELETE /{query_id}", {
  permission: "queries:write",
  audit: "saved_query.delete",
  summary: "Archive a saved query",
  description:
    "It can be brought back with its versions, and runs no more until then. One in use is 409, with what uses it.",
  params: SavedQueryPath,
  answer: nothing("Archived"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteSavedQuery(ctx, params.query_id),
});

savedQueries.operation("restoreSavedQuery", "POST /{query_id}/restore", {
  permission: "queries:write",
  audit: "saved_query.restore",
  summary: "Bring an archived query back",
  description: "With the text and the versions it had. One that is not archived stays as it is.",
  params: SavedQueryPath,
  answer: enveloped("The query", SavedQuery),
  run: (ctx, { params }) => restoreSavedQuery(ctx, params.query_id),
});

savedQueries.rawOperation("runSavedQuery", "POST /{query_id}/run", {
  permission: "query",
  audit: "none",
  summary: "Run a saved query",
  description:
    "With the rights of whoever asks, and their values for its parameters; the rest have their defaults. Answers as " +
    "`POST /v1/query` does, by `Accept`. It only reads, whatever its caller may write.",
  reads: true,
  params: SavedQueryPath,
  query: z.strictObject({ numbers: NUMBERS }),
  optionalBody: SavedQueryRun,
  responses: { 200: describeHeaders(RESULT_HEADERS, RESULT) },
  fails: RESULT_FAILURES,
  respond: (ctx, { params, query, body }) => {
    const { headers, signal } = ctx.request;
    const { waitUntil, authenticateMs } = ctx;
    return runSavedQuery(ctx, params.query_id, {
      run: body,
      writing: { format: chooseFormat(headers.get("accept") ?? undefined), numbers: query.numbers },
      life: { signal, waitUntil, isNamed: headers.has("x-request-id"), authenticateMs },
    });
  },
});
