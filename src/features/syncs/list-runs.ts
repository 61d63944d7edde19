import type { Needs } from "../../platform/context.ts";
import { getIntegration } from "../integrations/get.ts";
import { wireOf, type SyncRun } from "./run.ts";
import { selectRuns, type RunQuery } from "./store-runs.ts";

/** The runs of all syncs of an integration, by when they were made. */
export async function listSyncRuns(ctx: Needs<"scope" | "db">, integrationId: string, query: RunQuery): Promise<SyncRun[]> {
  const { id } = await getIntegration(ctx, integrationId);
  return (await selectRuns(ctx.db, ctx.scope.teamId, id, query)).map((run) => wireOf(run));
}
