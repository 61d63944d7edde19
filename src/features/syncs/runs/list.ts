import { isUuid } from "../../../core/ids.ts";
import type { Needs } from "../../../platform/context.ts";
import { getIntegration } from "../../integrations/get.ts";
import { openSyncViews } from "../view.ts";
import type { Run } from "./run.ts";
import { runFor, wireOf } from "./wire-mapping.ts";
import type { SyncRun } from "./wire-schema.ts";
import { hasRunsOf, selectRuns, type RunQuery } from "./store.ts";

/** The runs of all syncs of an integration, by when they were made; of a deleted one those that are still kept. */
export async function listSyncRuns(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  query: RunQuery,
): Promise<SyncRun[]> {
  const { db, scope } = ctx;
  const id = integrationId.toLowerCase();
  if (!isUuid(id) || !(await hasRunsOf(db, scope.teamId, id))) await getIntegration(ctx, integrationId);
  const viewOf = openSyncViews(ctx);
  const show = async (run: Run): Promise<SyncRun[]> => {
    const view = await viewOf(run);
    return view.isThere ? [runFor(wireOf(run), view)] : [];
  };
  return (await Promise.all((await selectRuns(db, scope.teamId, id, query)).map(show))).flat();
}
