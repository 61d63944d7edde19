import type { BatchItem } from "drizzle-orm/batch";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { removeLakeStatements } from "../../lakes/remove-lake.ts";
import { beneathGuard, refuseBeneath } from "../cube/base.ts";
import { getIntegration } from "../get.ts";
import { auditedIntegration, type Integration } from "../integration.ts";
import { deleteIntegrationRow, hasIntegrationRow } from "../store.ts";

type Deps = Needs<"scope" | "db" | "wakeUps" | "openLake">;
export type DeletedIntegration = Pick<Integration, "id" | "name" | "type"> & { teamId: string };

/** The dependents of an integration are deleted with it: by statements of its own batch, and by steps after it. */
export type Dependents = {
  statements(db: Db, deleted: DeletedIntegration, now: Date): BatchItem<"sqlite">[];
  /** Finishes the deletion; a sweep does the steps that were left undone. */
  finish(deps: Omit<Deps, "scope">, deleted: DeletedIntegration): Promise<void>;
};

/**
 * Deletes an integration and the syncs from or into it, of a lake its maintenance jobs too; its tables and objects go
 * after it. The team's own lake stays as long as the team, and what a semantic model lies on as long as that.
 */
export async function deleteIntegration(ctx: Deps, id: string, dependents: Dependents): Promise<void> {
  const { scope, wakeUps } = ctx;
  const { teamId } = scope;
  const integration = await getIntegration(ctx, id);
  if (integration.is_default)
    throw new Problem("resource_conflict", "This is the team's own lake; it can't be deleted while the team exists.");

  await refuseBeneath(ctx, integration);
  await commitDeletion(ctx, integration, dependents).catch(async (error: unknown) => {
    await refuseBeneath(ctx, integration);
    throw error;
  });
  await dependents.finish(ctx, { ...integration, teamId });
  if (integration.type === "lake") await wakeUps.send("lake_removal", { teamId, id: integration.id });
}

/** Fails where a cube integration has come to lie on it since. */
async function commitDeletion(
  { scope, db }: Needs<"scope" | "db">,
  integration: Integration,
  dependents: Dependents,
): Promise<void> {
  const own = { ...integration, teamId: scope.teamId };
  const lake = { teamId: scope.teamId, lakeId: integration.id };
  const [, , deleted] = await db.batch([
    beneathGuard(db, scope.teamId, integration.id),
    // The audit event goes first: it is written only while there is still something to delete.
    recordAuditIf(db, scope, {
      action: "integration.delete",
      subjectId: integration.id,
      when: hasIntegrationRow(scope.teamId, integration.id),
      before: auditedIntegration(integration),
    }),
    deleteIntegrationRow(db, scope.teamId, integration.id),
    ...dependents.statements(db, own, scope.now),
    ...(integration.type === "lake" ? removeLakeStatements(db, lake, scope.now) : []),
  ]);
  if (deleted.length === 0) throw notFound("Integration", integration.id);
}
