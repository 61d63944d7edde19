import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { findSummaries } from "../../lakes/summaries/summary.ts";
import { measureLake } from "../../lakes/summaries/keep-summary.ts";
import { findLastEnded, findLeftAlone } from "../../automations/maintenance/find.ts";
import { findBuiltTables } from "./built-tables.ts";
import { healthOf, type LakeHealth } from "./health.ts";

/** A lake's health, its catalog asked now. */
export async function getLakeHealth(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<LakeHealth> {
  const { db, scope } = ctx;
  const lake = await getManagedLake(ctx, integrationId);
  const [figures, summaries, ended, leftAlone, builtTables] = await Promise.all([
    measureLake(ctx, lake, LAKE_ADMIN_LIMITS.healthTablesMax),
    findSummaries(db, [lake]),
    findLastEnded(db, [lake]),
    findLeftAlone(db, lake),
    findBuiltTables(ctx, lake, scope.now),
  ]);
  const objects = summaries.get(lake.lakeId)?.objects ?? null;
  const measured = { value: figures, at: scope.now.toISOString() };
  return healthOf(
    { lake, figures: measured, objects, ended: ended.get(lake.lakeId), leftAlone, builtTables },
    scope.now,
  );
}
