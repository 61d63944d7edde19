import { SYNC_LIMITS } from "../limits.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Health } from "./health.ts";
import { selectSyncFacts } from "./store.ts";
import { openSyncViews } from "../view.ts";
import type { SyncFacts } from "./facts.ts";
import { summaryFor, summaryOf, type SyncSummary } from "./summary.ts";

export type SyncFilter = {
  integration_id?: string | undefined;
  dest_integration_id?: string | undefined;
  status?: SyncSummary["status"] | undefined;
  health?: Health | undefined;
};

/**
 * A page of the team's syncs, oldest first. All of them are graded, since only that tells which ones a filter means; a
 * team has a bounded number.
 */
export async function listSyncs(
  { scope, db }: Needs<"scope" | "db">,
  filter: SyncFilter,
  page: Page,
): Promise<PageOf<SyncSummary>> {
  const facts = await selectSyncFacts(db, { teamIds: [scope.teamId], rowsMax: SYNC_LIMITS.perTeamMax });
  const viewOf = openSyncViews({ scope, db });
  const show = async (each: SyncFacts): Promise<SyncSummary[]> => {
    const view = await viewOf(each.sync);
    return view.isThere ? [summaryFor(summaryOf(each, scope.now), view)] : [];
  };
  const all = (await Promise.all(facts.map(show))).flat().filter((sync) => isMeant(sync, filter));
  return { items: all.slice(page.offset, page.offset + page.limit), total: all.length, ...page };
}

const isMeant = (sync: SyncSummary, { integration_id: from, dest_integration_id: to, status, health }: SyncFilter) =>
  (from === undefined || sync.integration_id === from.toLowerCase()) &&
  (to === undefined || sync.dest_integration_id === to.toLowerCase()) &&
  (status === undefined || sync.status === status) &&
  (health === undefined || sync.health === health);
