// DELETE /v1/api/integrations/{integration_id}

import { z } from "@hono/zod-openapi";
import { fails } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { deleteIntegration, type Dependents } from "./delete.ts";

const params = z.object({ integration_id: z.string() });

export const createIntegrationDeletion = (dependents: Dependents) =>
  createRouter().openapi(
    operation({
      method: "delete",
      path: "/{integration_id}",
      operationId: "deleteIntegration",
      summary: "Delete an integration",
      description:
        "A lake goes with all its tables, a semantic model with all its versions. The team's own lake can't be deleted, " +
        "nor what a semantic model lies on: `error.conflictsWith` names those.",
      tags: ["Integrations", "Extensions"],
      permission: "integrations:write",
      request: { params },
      responses: { 204: { description: "Deleted" }, ...fails("resource_not_found", "resource_conflict") },
    }),
    async (c) => {
      await deleteIntegration(c.get("ctx"), c.req.valid("param").integration_id, dependents);
      return c.body(null, 204);
    },
  );
