// /v1/api/integrations/{integration_id}/sync: what is copied. Its runs are in `run-routes.ts`.

import { z } from "@hono/zod-openapi";
import { nothing, succeeded } from "../../http/answer.ts";
import { expectedVersion, IF_MATCH, taggedBy } from "../../http/request/version-tag.ts";
import { createRouter } from "../../http/router.ts";
import { configureSync } from "./configure.ts";
import { deleteSync } from "./delete.ts";
import { getSync } from "./get.ts";
import { runs } from "./runs/routes.ts";
import { NewSync, SyncConfig, SyncPatch } from "./sync.ts";
import { updateSync } from "./update.ts";
import { AddressQuery, IntegrationPath } from "./params.ts";

export const syncs = createRouter(["Syncs", "Extensions"]);

const ok = { success: z.literal(true) };
const SyncAnswer = z.object({ ...ok, sync_config: SyncConfig }).openapi("FoundSync");
const syncTagged = taggedBy(({ sync_config }: { sync_config: { version: number } }) => sync_config);
const PATH = "/{integration_id}/sync";

syncs.operation("configureSync", `POST ${PATH}`, {
  permission: "integrations:write",
  audit: ["sync.configure", "sync.run"],
  summary: "Copy tables of a database into a lake, on a schedule",
  description:
    "The source is asked for its tables first: wrong or missing ones are refused by name. A second call for the " +
    "same source, lake and schema takes the place of the first: " +
    "a run under way that would now copy something else is cancelled, and `run_id` names the next, which begins " +
    "as soon as that has ended. The first run starts at once. A lake table keeps its source's name and belongs " +
    "to this sync alone. The answer names the cursors that were picked, and in `notes` what a run can't see. With " +
    "`If-Match` only a sync that is there and as you have read it is replaced; 412 says that it is another by now.",
  tags: ["Syncs"],
  requestHeaders: IF_MATCH,
  params: IntegrationPath,
  body: NewSync,
  answer: syncTagged(
    succeeded(
      "The sync, and its first run",
      SyncAnswer.extend({
        run_id: z.uuid(),
        notes: z.array(z.string()).openapi({ description: "What works, and should still be known." }),
      }).openapi("ConfiguredSync"),
    ),
  ),
  fails: [
    "resource_conflict",
    "precondition_failed",
    "work_in_progress",
    "connection_failed",
    "source_unreachable",
    "source_unavailable",
    "query_failed",
    "query_timeout",
    "engine_unavailable",
  ],
  run: (ctx, { params, body }) =>
    configureSync(ctx, params.integration_id, { input: body, expected: expectedVersion(ctx.request) }),
});

syncs.operation("getSync", `GET ${PATH}`, {
  permission: "integrations:read",
  summary: "Get what is copied, where, and when next",
  description:
    "With `tables_expanded`: the tables that its patterns name at the source now. Of several syncs of an " +
    "integration, `dest_schema` names one. The `ETag` is what a change sends as `If-Match`.",
  params: IntegrationPath,
  query: AddressQuery,
  answer: syncTagged(succeeded("The sync", SyncAnswer)),
  run: async (ctx, { params, query }) => ({ sync_config: await getSync(ctx, params.integration_id, query) }),
});

syncs.operation("updateSync", `PATCH ${PATH}`, {
  permission: "integrations:write",
  audit: ["sync.pause", "sync.resume"],
  summary: "Pause or resume a sync",
  description:
    "A paused sync starts no run by itself; one that is asked for still runs. With `If-Match` only a sync that is as you " +
    "have read it; 412 says that it is another by now.",
  requestHeaders: IF_MATCH,
  params: IntegrationPath,
  query: AddressQuery,
  body: SyncPatch,
  answer: syncTagged(succeeded("The sync as it is now", SyncAnswer)),
  fails: ["resource_conflict", "precondition_failed"],
  run: async (ctx, { params, query: address, body: patch }) => ({
    sync_config: await updateSync(ctx, params.integration_id, {
      ...{ address, patch, expected: expectedVersion(ctx.request) },
    }),
  }),
});

syncs.operation("deleteSync", `DELETE ${PATH}`, {
  permission: "integrations:write",
  audit: "sync.delete",
  summary: "Stop copying",
  description:
    "The tables stay in the lake and are then anybody's to change. A run under way is cancelled; the history stays.",
  params: IntegrationPath,
  query: AddressQuery,
  requestHeaders: IF_MATCH,
  answer: nothing("Deleted"),
  fails: ["precondition_failed"],
  run: (ctx, { params, query: address }) =>
    deleteSync(ctx, params.integration_id, { address, expected: expectedVersion(ctx.request) }),
});

syncs.include("/", runs);
