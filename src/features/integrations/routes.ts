// /v1/api/integrations

import { z } from "@hono/zod-openapi";
import { Hindrance } from "../../../kernel/wire/source.ts";
import { INTEGRATION_LIMITS } from "./limits.ts";
import { succeeded } from "../../http/answer.ts";
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

export const integrations = createRouter(["Integrations", "Extensions"]);

const TAGS = ["Integrations"];
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

integrations.operation("listIntegrations", "GET /", {
  permission: "integrations:read",
  summary: "List the team's integrations",
  description: "Oldest first. A filter that matches nothing answers an empty list. Credentials are never shown.",
  tags: TAGS,
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
    ...pageParameters({ limitMax: INTEGRATION_LIMITS.perTeamMax, limitDefault: INTEGRATION_LIMITS.perTeamMax }),
  }),
  answer: succeeded("The integrations", IntegrationPage),
  run: async (ctx, { query }) => ({ data: await showIntegrations(ctx, await listIntegrations(ctx, query)) }),
});

integrations.operation("createIntegration", "POST /", {
  permission: "integrations:write",
  audit: "integration.create",
  summary: "Connect a database, make a further lake, or lay a semantic model on either",
  description:
    "The connection is tested before anything is stored. A name is a team's only once, whatever the case " +
    "of its letters; without one, a free one is made. An integration of type `cube` describes the tables of another " +
    "integration of the team, a lake or a database, by the model that is put to it.",
  tags: TAGS,
  body: NewIntegration,
  answer: succeeded("The new integration", Saved, 201),
  fails: ["resource_conflict", ...CONNECTING],
  run: (ctx, { body }) => createIntegration(ctx, body),
});

integrations.operation("getIntegration", "GET /{integration_id}", {
  permission: "integrations:read",
  summary: "Get an integration",
  description:
    "Its credentials are never shown; `details` holds what is no secret of them, and only name and type where data-access " +
    "roles grant the caller nothing of it.",
  params: Path,
  answer: succeeded("The integration", Found),
  run: async (ctx, { params }) => {
    const found = await getIntegration(ctx, params.integration_id);
    const [integration] = await showIntegrations(ctx, [found]);
    return { integration: integration! };
  },
});

integrations.operation("updateIntegration", "PATCH /{integration_id}", {
  permission: "integrations:write",
  audit: "integration.update",
  summary: "Rename an integration, or change its credentials",
  description:
    "`credentials` holds only the fields to change, so that a new password needs no host. New credentials are " +
    "tested before they are stored.",
  params: Path,
  body: IntegrationPatch,
  answer: succeeded("The integration as it is now", Saved),
  fails: ["resource_conflict", ...CONNECTING],
  run: (ctx, { params, body }) => updateIntegration(ctx, params.integration_id, body),
});

integrations.operation("testIntegration", "POST /{integration_id}/test", {
  permission: "integrations:write",
  audit: "integration.update",
  summary: "Connect with the stored credentials",
  description:
    "The answer tells the server's product and version, whether TLS is used, and whether the role could write. Of " +
    "a semantic model it is that of the integration it lies on.",
  params: Path,
  answer: succeeded(
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
  fails: [...CONNECTING],
  run: (ctx, { params }) => testIntegration(ctx, params.integration_id),
});
