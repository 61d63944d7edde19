import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { removeJobsStatements } from "../automations/jobs/remove-with-lake.ts";
import { removeLakeStatements } from "../lakes/remove-lake.ts";
import { finishSyncsRemoval, removeSyncsStatements } from "../syncs/remove-with-integration.ts";
import { getIntegration } from "./get.ts";
import { auditedIntegration } from "./integration.ts";
import { deleteIntegrationRow, hasIntegrationRow } from "./store.ts";

/**
 * Deletes an integration and the syncs from or into it, of a lake its maintenance jobs too; its tables and objects go
 * after it. The team's own lake stays as long as the team.
 */
export async function deleteIntegration(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  id: string,
): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const integration = await getIntegration(ctx, id);
  if (integration.is_default)
    throw new Problem("resource_conflict", "This is the team's own lake; it can't be deleted while the team exists.");

  const lake = integration.type === "lake" ? { teamId: scope.teamId, lakeId: integration.id } : undefined;
  const [, deleted, , cancelled] = await db.batch([
    // The audit event goes first: it is written only while there is still something to delete.
    recordAuditIf(db, scope, {
      action: "integration.delete",
      subjectId: integration.id,
      when: hasIntegrationRow(scope.teamId, integration.id),
      before: auditedIntegration(integration),
    }),
    deleteIntegrationRow(db, scope.teamId, integration.id),
    ...removeSyncsStatements(db, scope.teamId, integration, scope.now),
    ...(lake ? [...removeLakeStatements(db, lake, scope.now), ...removeJobsStatements(db, lake, scope.now)] : []),
  ]);
  if (deleted.length === 0) throw notFound("Integration", id);
  await finishSyncsRemoval(ctx, scope.teamId, cancelled);
  if (lake) await wakeUps.send("lake_removal", { teamId: lake.teamId, id: lake.lakeId });
}
