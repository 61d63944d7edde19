// DELETE /v1/api/integrations/{integration_id}

import { z } from "@hono/zod-openapi";
import { nothing } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { deleteIntegration, type Dependents } from "./delete.ts";

const params = z.object({ integration_id: z.string() });

export const createIntegrationDeletion = (dependents: Dependents) =>
  createRouter(["Integrations", "Extensions"]).operation("deleteIntegration", "DELETE /{integration_id}", {
    permission: "integrations:write",
    audit: "integration.delete",
    summary: "Delete an integration",
    description:
      "A lake goes with all its tables, a semantic model with all its versions. The team's own lake can't be deleted, " +
      "nor what a semantic model lies on: `error.conflictsWith` names those.",
    params,
    answer: nothing("Deleted"),
    fails: ["resource_conflict"],
    run: (ctx, { params }) => deleteIntegration(ctx, params.integration_id, dependents),
  });
