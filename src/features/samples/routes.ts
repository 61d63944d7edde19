// POST and GET /v1/api/integrations/{integration_id}/sample

import { z } from "@hono/zod-openapi";
import { succeeded } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { getSample } from "./get.ts";
import { loadSample } from "./load.ts";
import { Sample } from "./sample.ts";

export const samples = createRouter(["Extensions"]);

const params = z.object({ integration_id: z.string().openapi({ description: "A lake of the team." }) });
const SampleAnswer = z.object({ success: z.literal(true), sample: Sample }).openapi("FoundSample");

samples.operation("loadSample", "POST /{integration_id}/sample", {
  permission: "integrations:write",
  audit: "sample.load",
  summary: "Load the sample tables into a lake",
  description:
    "Answers at once; ask for the sample until it is `loaded`. Asking again while it loads, " +
    "or once it has, changes nothing.",
  params,
  answer: succeeded("How far the sample is", SampleAnswer, 202),
  fails: ["validation_failed", "engine_unavailable"],
  run: async (ctx, { params }) => ({ sample: await loadSample(ctx, params.integration_id) }),
});

samples.operation("getSample", "GET /{integration_id}/sample", {
  permission: "integrations:read",
  summary: "Get how far the sample is",
  description: "`absent`, `loading` or `loaded`; why the last load failed, while that is known.",
  params,
  answer: succeeded("How far the sample is", SampleAnswer),
  fails: ["validation_failed", "engine_unavailable"],
  run: async (ctx, { params }) => ({ sample: await getSample(ctx, params.integration_id) }),
});
