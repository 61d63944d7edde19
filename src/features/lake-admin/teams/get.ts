import type { Page, PageOf } from "../../../core/page.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findMaintenance, listNewestMaintenances } from "../../automations/maintenance/find.ts";
import { describeMaintenance } from "../maintenance/get.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import { requireLakes } from "./run.ts";

/**
 * The latest maintenance of each of a team's lakes, newest first. Throws 404 for no such team, and where none of its
 * lakes was ever maintained.
 */
export async function getTeamMaintenance(
  ctx: Needs<"db" | "openLake">,
  teamId: string,
  { limit, offset }: Page,
): Promise<PageOf<Maintenance>> {
  const newest = await listNewestMaintenances(ctx.db, await requireLakes(ctx, teamId));
  if (newest.length === 0) throw new Problem("resource_not_found", "No lake of this team was maintained yet.");
  const shown = newest.toSorted((left, right) => (left.id < right.id ? 1 : -1)).slice(offset, offset + limit);
  const found = await Promise.all(shown.map((run) => findMaintenance(ctx.db, run, { maintenanceId: run.id })));
  const items = await Promise.all(found.flatMap((each) => (each ? [describeMaintenance(ctx, each)] : [])));
  return { items, total: newest.length, limit, offset };
}
