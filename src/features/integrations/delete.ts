import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { removeJobsStatements } from "../automations/jobs/remove-with-lake.ts";
import { removeLakeStatements } from "../lakes/remove-lake.ts";
import { finishSyncsRemoval, removeSyncsStatements } from "../syncs/remove-with-integration.ts";
import { beneathGuard, refuseBeneath } from "./cube/base.ts";
import { getIntegration } from "./get.ts";
import { auditedIntegration, type Integration } from "./integration.ts";
import { deleteIntegrationRow, hasIntegrationRow } from "./store.ts";

/**
 * Deletes an integration and the syncs from or into it, of a lake its maintenance jobs too; its tables and objects go
 * after it. The team's own lake stays as long as the team, and what a semantic model lies on as long as that.
 */
export async function deleteIntegration(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  id: string,
): Promise<void> {
  const { scope, wakeUps } = ctx;
  const integration = await getIntegration(ctx, id);
  if (integration.is_default)
    throw new Problem("resource_conflict", "This is the team's own lake; it can't be deleted while the team exists.");

  await refuseBeneath(ctx, integration);
  const cancelled = await commitDeletion(ctx, integration).catch(async (error: unknown) => {
    await refuseBeneath(ctx, integration);
    throw error;
  });
  await finishSyncsRemoval(ctx, scope.teamId, cancelled);
  if (integration.type === "lake") await wakeUps.send("lake_removal", { teamId: scope.teamId, id: integration.id });
}

/** Answers the runs that it cancelled. Fails where a cube integration has come to lie on it since. */
async function commitDeletion({ scope, db }: Needs<"scope" | "db">, integration: Integration) {
  const lake = integration.type === "lake" ? { teamId: scope.teamId, lakeId: integration.id } : undefined;
  const [, , deleted, , cancelled] = await db.batch([
    beneathGuard(db, scope.teamId, integration.id),
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
  if (deleted.length === 0) throw notFound("Integration", integration.id);
  return cancelled;
}
