// POST and GET /v1/api/integrations/{integration_id}/sample

import { z } from "@hono/zod-openapi";
import { answers, fails } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { getSample } from "./get.ts";
import { loadSample } from "./load.ts";
import { Sample } from "./sample.ts";

export const samples = createRouter();

const params = z.object({ integration_id: z.string().openapi({ description: "A lake of the team." }) });
const SampleAnswer = z.object({ success: z.literal(true), sample: Sample }).openapi("FoundSample");

samples.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/sample",
    operationId: "loadSample",
    summary: "Load the sample tables into a lake",
    description:
      "Answers at once; ask for the sample until it is `loaded`. Asking again while it loads, " +
      "or once it has, changes nothing.",
    tags: ["Extensions"],
    permission: "integrations:write",
    request: { params },
    responses: {
      202: answers("How far the sample is", SampleAnswer),
      ...fails("resource_not_found", "validation_failed", "engine_unavailable"),
    },
  }),
  async (c) =>
    c.json(
      { success: true as const, sample: await loadSample(c.get("ctx"), c.req.valid("param").integration_id) },
      202,
    ),
);

samples.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/sample",
    operationId: "getSample",
    summary: "Get how far the sample is",
    description: "`absent`, `loading` or `loaded`; why the last load failed, while that is known.",
    tags: ["Extensions"],
    permission: "integrations:read",
    request: { params },
    responses: {
      200: answers("How far the sample is", SampleAnswer),
      ...fails("resource_not_found", "validation_failed", "engine_unavailable"),
    },
  }),
  async (c) =>
    c.json({ success: true as const, sample: await getSample(c.get("ctx"), c.req.valid("param").integration_id) }, 200),
);
