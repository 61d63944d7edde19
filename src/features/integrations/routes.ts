// /v1/api/integrations

import { z } from "@hono/zod-openapi";
import { Hindrance } from "../../../kernel/wire/source.ts";
import { LIMITS } from "../../core/limits.ts";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createIntegration } from "./create.ts";
import { INTEGRATION_TYPES, NewIntegration } from "./credentials/credentials.ts";
import { getIntegration } from "./get.ts";
import { CATEGORIES, Integration, IntegrationPatch } from "./integration.ts";
import { listIntegrations } from "./list.ts";
import { showIntegrations } from "./show.ts";
import { testIntegration } from "./test.ts";
import { updateIntegration } from "./update.ts";

export const integrations = createRouter();

const TAGS = ["Integrations"];
const EXTENSION = ["Integrations", "Extensions"];
const Path = z.object({ integration_id: z.string() });
const ok = { success: z.literal(true) };
const Warnings = z
  .array(z.string())
  .openapi({ description: "What works, and should still be known: a role that can write, a connection without TLS." });
const Hindrances = z
  .array(Hindrance.openapi("Hindrance"))
  .openapi({
    description:
      "The database's own casts, orders of types, functions and operators of PostgreSQL by which callers whom " +
      "data-access roles bind can do less, and what each takes away.",
  });
const Saved = z.object({ ...ok, integration: Integration, warnings: Warnings }).openapi("SavedIntegration");
const IntegrationPage = z.object({ ...ok, data: z.array(Integration) }).openapi("IntegrationPage");
const Found = z.object({ ...ok, integration: Integration }).openapi("FoundIntegration");
/** The failures of whatever connects to a database. */
const CONNECTING = ["connection_failed", "source_unreachable", "source_unavailable", "engine_unavailable"] as const;

integrations.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listIntegrations",
    summary: "List the team's integrations",
    description: "Oldest first. A filter that matches nothing answers an empty list. Credentials are never shown.",
    tags: TAGS,
    permission: "integrations:read",
    request: {
      query: z.strictObject({
        type: z
          .string()
          .optional()
          .openapi({ description: `One of ${INTEGRATION_TYPES.join(", ")}; also postgresql, mssql, ducklake.` }),
        category: z
          .string()
          .optional()
          .openapi({ description: CATEGORIES.join(" or ") }),
        name: z.string().optional(),
        id: z.string().optional(),
        ...pageParameters({ limitMax: LIMITS.integrationsPerTeamMax, limitDefault: LIMITS.integrationsPerTeamMax }),
      }),
    },
    responses: { 200: answers("The integrations", IntegrationPage), ...fails() },
  }),
  async (c) =>
    c.json(
      {
        success: true as const,
        data: await showIntegrations(c.get("ctx"), await listIntegrations(c.get("ctx"), c.req.valid("query"))),
      },
      200,
    ),
);

integrations.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createIntegration",
    summary: "Connect a database, make a further lake, or lay a semantic model on either",
    description:
      "The connection is tested before anything is stored. A name is a team's only once, whatever the case " +
      "of its letters; without one, a free one is made. An integration of type `cube` describes the tables of another " +
      "integration of the team, a lake or a database, by the model that is put to it.",
    tags: TAGS,
    permission: "integrations:write",
    request: { body: { required: true, ...json(NewIntegration) } },
    responses: {
      201: answers("The new integration", Saved),
      ...fails("resource_conflict", ...CONNECTING, ...BODY_FAILURES),
    },
  }),
  async (c) => c.json({ success: true as const, ...(await createIntegration(c.get("ctx"), c.req.valid("json"))) }, 201),
);

integrations.openapi(
  operation({
    method: "get",
    path: "/{integration_id}",
    operationId: "getIntegration",
    summary: "Get an integration",
    description:
      "Its credentials are never shown; `details` holds what is no secret of them, and only name and type where data-access " +
      "roles grant the caller nothing of it.",
    tags: EXTENSION,
    permission: "integrations:read",
    request: { params: Path },
    responses: { 200: answers("The integration", Found), ...fails("resource_not_found") },
  }),
  async (c) => {
    const found = await getIntegration(c.get("ctx"), c.req.valid("param").integration_id);
    const [integration] = await showIntegrations(c.get("ctx"), [found]);
    return c.json({ success: true as const, integration: integration! }, 200);
  },
);

integrations.openapi(
  operation({
    method: "patch",
    path: "/{integration_id}",
    operationId: "updateIntegration",
    summary: "Rename an integration, or change its credentials",
    description:
      "`credentials` holds only the fields to change, so that a new password needs no host. New credentials are " +
      "tested before they are stored.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: Path, body: { required: true, ...json(IntegrationPatch) } },
    responses: {
      200: answers("The integration as it is now", Saved),
      ...fails("resource_not_found", "resource_conflict", ...CONNECTING, ...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json(
      {
        success: true as const,
        ...(await updateIntegration(c.get("ctx"), c.req.valid("param").integration_id, c.req.valid("json"))),
      },
      200,
    ),
);

integrations.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/test",
    operationId: "testIntegration",
    summary: "Connect with the stored credentials",
    description:
      "The answer tells the server's product and version, whether TLS is used, and whether the role could write. Of " +
      "a semantic model it is that of the integration it lies on.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: Path },
    responses: {
      200: answers(
        "The connection works",
        z
          .object({
            ...ok,
            connection: z
              .object({ product: z.string(), version: z.string(), tls: z.boolean(), can_write: z.boolean() })
              .openapi("Connection"),
            warnings: Warnings,
            hindrances: Hindrances,
          })
          .openapi("TestedIntegration"),
      ),
      ...fails("resource_not_found", ...CONNECTING),
    },
  }),
  async (c) =>
    c.json(
      { success: true as const, ...(await testIntegration(c.get("ctx"), c.req.valid("param").integration_id)) },
      200,
    ),
);
