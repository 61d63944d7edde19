import { isUuid } from "../../../core/ids.ts";
import type { Needs } from "../../../clients/context.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { getIntegration } from "../../integrations/get.ts";
import type { Destination } from "../store.ts";
import { listWaiting } from "../../work-model/waiting/list-waiting.ts";
import { openSyncViews } from "../view.ts";
import { runFor, wireOf } from "./wire-mapping.ts";
import type { SyncRun } from "./wire-schema.ts";
import { hasRunsOf, selectDestinations, selectRuns, type RunQuery } from "./store.ts";

/** The runs of all syncs of an integration, by when they were made; of a deleted one those that are still kept. */
export async function listSyncRuns(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  query: RunQuery,
): Promise<SyncRun[]> {
  const { db, scope } = ctx;
  const id = integrationId.toLowerCase();
  const viewOf = openSyncViews(ctx);
  // Left out before the page is cut: its gaps would count them.
  const hidden = isUuid(id) ? await hiddenDestinations(ctx, id, viewOf) : [];
  if (!isUuid(id) || !(await hasRunsOf(db, scope.teamId, id, hidden))) await getIntegration(ctx, integrationId);
  const runs = await selectRuns(db, scope.teamId, { sourceId: id, hidden }, query);
  const waitingOf = await listWaiting(ctx, "sync_run", { runs, now: scope.now });
  return Promise.all(runs.map(async (run) => runFor(wireOf(run, waitingOf(run)), await viewOf(run))));
}

async function hiddenDestinations(
  ctx: Needs<"scope" | "db">,
  sourceId: string,
  viewOf: ReturnType<typeof openSyncViews>,
): Promise<Destination[]> {
  if ((await resolveAccess(ctx, { id: sourceId })).kind === "all") return [];
  const all = await selectDestinations(ctx.db, ctx.scope.teamId, sourceId);
  const unknown = await Promise.all(all.map(async (each) => ((await viewOf(each)).isThere ? [] : [each])));
  return unknown.flat();
}
