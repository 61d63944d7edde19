import type { Page, PageOf } from "../../../core/page.ts";
import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { TeamLake } from "../../integrations/integration.ts";
import { listManagedLakes } from "../../integrations/list.ts";
import { measureLake } from "../../lakes/summaries/keep-summary.ts";
import { findSummaries } from "../../lakes/summaries/summary.ts";
import { findLastEnded } from "../../automations/maintenance/find.ts";
import { healthOf, type KnownLake, type LakeHealth } from "./health.ts";

export type HealthQuery = Page & { teamIds?: string[] | undefined };

/**
 * Many lakes, from what their last rounds left behind: a catalog is asked only where no round has been yet, and only a
 * bounded number of them; the others' grade is unknown.
 */
export async function listLakeHealth(
  ctx: Needs<"scope" | "db" | "openLake">,
  { teamIds, ...page }: HealthQuery,
): Promise<PageOf<LakeHealth>> {
  const { db, scope } = ctx;
  const lakes = await listManagedLakes(ctx, teamIds, page);
  const [summaries, ended] = await Promise.all([findSummaries(db, lakes.items), findLastEnded(db, lakes.items)]);
  const unmeasured = lakes.items
    .filter(({ lakeId }) => !summaries.get(lakeId)?.figures)
    .slice(0, LAKE_ADMIN_LIMITS.lakesMeasuredLiveMax);
  const measured = new Map(
    await Promise.all(unmeasured.map(async (lake) => [lake.lakeId, await measureNow(ctx, lake)] as const)),
  );
  const known = (lake: TeamLake): KnownLake => {
    const { figures = null, objects = null } = summaries.get(lake.lakeId) ?? {};
    return { lake, figures: figures ?? measured.get(lake.lakeId) ?? null, objects, ended: ended.get(lake.lakeId) };
  };
  return { ...lakes, items: lakes.items.map((lake) => healthOf(known(lake), scope.now)) };
}

/** A catalog that can't be asked now keeps nobody from learning of the others. */
async function measureNow(ctx: Needs<"scope" | "db" | "openLake">, lake: TeamLake): Promise<KnownLake["figures"]> {
  try {
    return { value: await measureLake(ctx, lake), at: ctx.scope.now.toISOString() };
  } catch (error) {
    console.error(JSON.stringify({ event: "lake_not_measured", lakeId: lake.lakeId, cause: String(error) }));
    return null;
  }
}
