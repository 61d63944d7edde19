// The tables that runs of docs build, under /v4/docs.

import { DOC_LIMITS } from "../limits.ts";
import { enveloped, pageOf, withHeaders } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { DocRunPath } from "../params.ts";
import { listRunTables } from "./list-run-tables.ts";
import { DocRunDetail } from "../runs/run.ts";
import { rerunDocRun } from "./rerun/rerun.ts";
import { RunTable } from "./run-table.ts";

export const docBuilds = createRouter(["Docs", "Extensions"]);

docBuilds.operation("rerunDocRun", "POST /{doc_id}/runs/{run_id}/rerun", {
  permission: "docs:run",
  audit: "doc_run.start",
  summary: "Run a doc again from where a run failed",
  description:
    "By the doc as it is now. Tables that the failed run has staged are taken over where neither their dataset, nor what " +
    "it needs, nor a table of the lake that it was read from has changed and no test of theirs failed; the rest runs " +
    "again, and all are published at once. 409 for a " +
    `run that has succeeded, or began more than ${DOC_LIMITS.stageKeptMs / 3_600_000} hours ago, or was given data or ` +
    "variables where code would run again: they are not kept.",
  params: DocRunPath,
  answer: withHeaders(
    { Location: ["The new run's own address.", (run) => `/v4/docs/${run.doc_id}/runs/${run.id}`] },
    enveloped("The new run", DocRunDetail, 202),
  ),
  fails: ["resource_conflict", "sandbox_unavailable"],
  run: (ctx, { params }) => rerunDocRun(ctx, params.doc_id, params.run_id, ctx.waitUntil),
});

docBuilds.operation("listRunTables", "GET /{doc_id}/runs/{run_id}/tables", {
  permission: "docs:read",
  summary: "List the tables that a run builds",
  description:
    "With the tables that each was read from, and how its tests went. The rows that fail a test are for who started " +
    "the run, as long as they may read the same, and for admins.",
  params: DocRunPath,
  answer: enveloped("The tables", pageOf("RunTablePage", RunTable)),
  run: (ctx, { params }) => listRunTables(ctx, params.doc_id, params.run_id),
});
