// /v1/api/integrations/{integration_id}/sync: what is copied. Its runs are in `run-routes.ts`.

import { z } from "@hono/zod-openapi";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { configureSync } from "./configure.ts";
import { deleteSync } from "./delete.ts";
import { getSync } from "./get.ts";
import { runs } from "./runs/routes.ts";
import { NewSync, SyncConfig, SyncPatch } from "./sync.ts";
import { updateSync } from "./update.ts";
import { AddressQuery, IntegrationPath } from "./params.ts";

export const syncs = createRouter();

const EXTENSION = ["Syncs", "Extensions"];
const ok = { success: z.literal(true) };
const SyncAnswer = z.object({ ...ok, sync_config: SyncConfig }).openapi("FoundSync");
const PATH = "/{integration_id}/sync";

syncs.openapi(
  operation({
    method: "post",
    path: PATH,
    operationId: "configureSync",
    summary: "Copy tables of a database into a lake, on a schedule",
    description:
      "The source is asked for its tables first: wrong or missing ones are refused by name. A second call for the " +
      "same source, lake and schema takes the place of the first: " +
      "a run under way that would now copy something else is cancelled, and `run_id` names the next, which begins " +
      "as soon as that has ended. The first run starts at once. A lake table keeps its source's name and belongs " +
      "to this sync alone. The answer names the cursors that were picked, and in `notes` what a run can't see.",
    tags: ["Syncs"],
    permission: "integrations:write",
    request: { params: IntegrationPath, body: { required: true, ...json(NewSync) } },
    responses: {
      200: answers(
        "The sync, and its first run",
        SyncAnswer.extend({
          run_id: z.uuid(),
          notes: z.array(z.string()).openapi({ description: "What works, and should still be known." }),
        }).openapi("ConfiguredSync"),
      ),
      ...fails(
        "resource_not_found",
        "resource_conflict",
        "work_in_progress",
        "connection_failed",
        "source_unreachable",
        "source_unavailable",
        "query_failed",
        "query_timeout",
        "engine_unavailable",
        ...BODY_FAILURES,
      ),
    },
  }),
  async (c) =>
    c.json(
      {
        success: true as const,
        ...(await configureSync(c.get("ctx"), c.req.valid("param").integration_id, c.req.valid("json"))),
      },
      200,
    ),
);

syncs.openapi(
  operation({
    method: "get",
    path: PATH,
    operationId: "getSync",
    summary: "Get what is copied, where, and when next",
    description:
      "With `tables_expanded`: the tables that its patterns name at the source now. Of several syncs of an " +
      "integration, `dest_schema` names one.",
    tags: EXTENSION,
    permission: "integrations:read",
    request: { params: IntegrationPath, query: AddressQuery },
    responses: { 200: answers("The sync", SyncAnswer), ...fails("resource_not_found") },
  }),
  async (c) =>
    c.json(
      {
        success: true as const,
        sync_config: await getSync(c.get("ctx"), c.req.valid("param").integration_id, c.req.valid("query")),
      },
      200,
    ),
);

syncs.openapi(
  operation({
    method: "patch",
    path: PATH,
    operationId: "updateSync",
    summary: "Pause or resume a sync",
    description: "A paused sync starts no run by itself; one that is asked for still runs.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: IntegrationPath, query: AddressQuery, body: { required: true, ...json(SyncPatch) } },
    responses: {
      200: answers("The sync as it is now", SyncAnswer),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const sync = await updateSync(
      c.get("ctx"),
      c.req.valid("param").integration_id,
      c.req.valid("query"),
      c.req.valid("json"),
    );
    return c.json({ success: true as const, sync_config: sync }, 200);
  },
);

syncs.openapi(
  operation({
    method: "delete",
    path: PATH,
    operationId: "deleteSync",
    summary: "Stop copying",
    description:
      "The tables stay in the lake and are then anybody's to change. A run under way is cancelled; the history stays.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: IntegrationPath, query: AddressQuery },
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteSync(c.get("ctx"), c.req.valid("param").integration_id, c.req.valid("query"));
    return c.body(null, 204);
  },
);

syncs.route("/", runs);
